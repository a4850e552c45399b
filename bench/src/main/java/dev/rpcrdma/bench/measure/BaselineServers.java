// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** What every bench is compared with: a NetSocket that echoes, and a raw sink. */
public final class BaselineServers implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final int LARGE = 1 << 20;

  /** The first byte of a stream that is read by a thread that sleeps while there is nothing. */
  public static final byte ASLEEP = 0;

  /** The first byte of a stream that is read without ever sleeping. */
  public static final byte AWAKE = 1;

  private final NetServer echo;
  private final ServerSocketChannel sink;

  /**
   * Starts both.
   *
   * @param vertx owns the echo
   * @throws IOException if the sink cannot listen
   */
  public BaselineServers(Vertx vertx) throws IOException {
    echo = vertx.createNetServer().connectHandler(socket -> socket.handler(socket::write));
    echo.listen(0, HOST).toCompletionStage().toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS).join();
    sink = ServerSocketChannel.open();
    sink.bind(new InetSocketAddress(HOST, 0));
    Thread thread = new Thread(this::drain, "raw-sink");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Where the echo listens.
   *
   * @return its port
   */
  public int echoPort() {
    return echo.actualPort();
  }

  /**
   * Where the sink listens.
   *
   * @return its port
   */
  public int sinkPort() {
    return sink.socket().getLocalPort();
  }

  /** Reads streams to their ends, one after the other, as each wants it, and answers with one byte. */
  private void drain() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE);
    while (sink.isOpen()) {
      try (SocketChannel channel = sink.accept()) {
        int read = channel.read(buffer.clear());
        channel.configureBlocking(read < 1 || buffer.get(0) != AWAKE);
        while (channel.read(buffer.clear()) >= 0) {
          // The bytes are of no interest.
        }
        channel.write(buffer.clear().limit(1));
      } catch (IOException e) {
        // The peer has gone, or this process ends: the next turn tells which.
        continue;
      }
    }
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
