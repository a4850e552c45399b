// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bare;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Answers each frame with its payload, by a procedure that it looks up; a thread for each connection. */
public final class BareServer implements AutoCloseable {

  private final ServerSocketChannel listening;
  private final boolean awake;
  private final Map<Integer, UnaryOperator<byte[]>> procedures = new HashMap<>();

  /**
   * Listens.
   *
   * @param awake whether its threads never sleep
   * @throws IOException if it cannot
   */
  public BareServer(boolean awake) throws IOException {
    this.awake = awake;
    procedures.put(0, bytes -> bytes);
    listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    start(this::accept);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "bare");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Where it listens.
   *
   * @return its port
   */
  public int port() {
    return listening.socket().getLocalPort();
  }

  private void accept() {
    while (listening.isOpen()) {
      try {
        SocketChannel channel = listening.accept();
        start(() -> serve(channel));
      } catch (IOException e) {
        // This process ends, as the next turn tells.
        continue;
      }
    }
  }

  private void serve(SocketChannel channel) {
    Frames[] frames = new Frames[1];
    try (Frames own = new Frames(channel, awake, (number, bytes, at) -> answer(frames[0], number, bytes, at))) {
      frames[0] = own;
      while (own.turn()) {
        // Until the client has gone.
      }
    } catch (IOException e) {
      // The client has gone, or this process ends.
      return;
    }
  }

  /** As a service gets its own copy of what it is called with. */
  private void answer(Frames frames, int number, ByteBuffer bytes, int at) throws IOException {
    byte[] payload = new byte[Frames.PAYLOAD];
    bytes.get(at, payload);
    frames.add(number, procedures.get(0).apply(payload));
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
