// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

/** The client's side of {@link BaselineServers}, on a context of its own. */
public final class Baselines {

  private static final String HOST = "127.0.0.1";
  private static final int SMALL = 128;
  private static final int LARGE = 1 << 20;

  private final Context context;
  /** Held, since a client that nobody holds is collected, and closes its sockets. */
  private final NetClient client;
  private final int sinkPort;
  private final Buffer small = Buffer.buffer(new byte[SMALL]);
  private final NetSocket socket;
  private Promise<Void> echoed;
  private int missing;

  /**
   * Connects.
   *
   * @param vertx owns the socket
   * @param echoPort of the echo
   * @param sinkPort of the sink
   */
  public Baselines(Vertx vertx, int echoPort, int sinkPort) {
    this.context = vertx.getOrCreateContext();
    this.client = vertx.createNetClient();
    this.sinkPort = sinkPort;
    this.socket = on(context, () -> client.connect(echoPort, HOST).onSuccess(connected ->
        connected.handler(bytes -> {
          missing -= bytes.length();
          if (missing == 0) {
            echoed.complete();
          }
        })));
  }

  /**
   * Runs something on a context and waits for it.
   *
   * @param context where
   * @param action what
   * @param <T> its result
   * @return its result
   */
  public static <T> T on(Context context, Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(v -> action.get().onComplete(promise));
    return Waits.await(promise.future());
  }

  /**
   * 128 bytes there and back by a NetSocket, one at a time.
   *
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap echo(double seconds) {
    return on(context, () -> Stopwatch.lap(this::echo, 1, Stopwatch.nanos(seconds)));
  }

  private Future<Void> echo() {
    echoed = Promise.promise();
    missing = SMALL;
    socket.write(small);
    return echoed.future();
  }

  /**
   * A plain stream of 1 MiB direct-buffer writes into a socket.
   *
   * @param seconds for how long
   * @param awake whether neither end ever sleeps: the most that the machine's loopback carries by one
   *     connection
   * @return 10^6 bytes in a second, until the peer has read them all
   * @throws IOException if the stream breaks
   */
  public double rawRate(double seconds, boolean awake) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE);
    buffer.put(0, awake ? BaselineServers.AWAKE : BaselineServers.ASLEEP);
    try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(HOST, sinkPort))) {
      channel.configureBlocking(!awake);
      long start = System.nanoTime();
      long end = start + Stopwatch.nanos(seconds);
      long bytes = 0;
      while (System.nanoTime() < end) {
        buffer.clear();
        while (buffer.hasRemaining()) {
          bytes += channel.write(buffer);
        }
      }
      channel.shutdownOutput();
      channel.configureBlocking(true);
      while (channel.read(buffer.clear()) >= 0) {
        // One byte, then the end: the peer has everything.
      }
      return bytes * 1e3 / (System.nanoTime() - start);
    }
  }
}
