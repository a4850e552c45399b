package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.bench.Stopwatch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One client process: each method is one lap of one quantity. */
public final class RpcBench implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final int SMALL = 128;
  private static final int LARGE = 1 << 20;
  private static final double MEGA = 1e6;

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Buffer small = Buffer.buffer(new byte[SMALL]);
  private final Payload large = Payload.allocate(vertx, LARGE);
  private final int rawPort;
  /** Held, since a client that nobody holds is collected, and closes its sockets. */
  private final NetClient echoClient = vertx.createNetClient();
  private final RpcClient rpcClient = RpcClient.create(vertx);
  private BenchService service;
  private NetSocket socket;
  private Promise<Void> echoed;
  private int echoMissing;

  /**
   * Connects.
   *
   * @param rpcPort of the service
   * @param echoPort of the NetSocket echo
   * @param rawPort of the raw sink
   */
  public RpcBench(int rpcPort, int echoPort, int rawPort) {
    this.rawPort = rawPort;
    on(() -> {
      RpcChannel channel =
          rpcClient.channel(SocketAddress.inetSocketAddress(rpcPort, HOST));
      service = channel.proxy(BenchService.class);
      return channel.connect();
    });
    on(() -> echoClient.connect(echoPort, HOST).onSuccess(connected -> {
      socket = connected;
      socket.handler(bytes -> {
        echoMissing -= bytes.length();
        if (echoMissing == 0) {
          echoed.complete();
        }
      });
    }));
  }

  private <T> T on(Supplier<Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(v -> action.get().onComplete(promise));
    return promise.future().toCompletionStage().toCompletableFuture()
        .orTimeout(5, TimeUnit.MINUTES).join();
  }

  private Stopwatch.Lap lap(Supplier<Future<?>> operation, int outstanding, double seconds) {
    long nanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    return on(() -> Stopwatch.lap(operation, outstanding, nanos));
  }

  /**
   * 128 bytes there and back by calls, one at a time.
   *
   * @param seconds for how long
   * @return the median, in microseconds
   */
  public double callMicros(double seconds) {
    return lap(() -> service.echo(small), 1, seconds).p50Micros();
  }

  /**
   * 128 bytes there and back by a NetSocket, one at a time.
   *
   * @param seconds for how long
   * @return the median, in microseconds
   */
  public double socketMicros(double seconds) {
    return lap(this::echo, 1, seconds).p50Micros();
  }

  private Future<Void> echo() {
    echoed = Promise.promise();
    echoMissing = SMALL;
    socket.write(small);
    return echoed.future();
  }

  /**
   * Calls with 128 bytes there and back, 64 at a time.
   *
   * @param seconds for how long
   * @return calls in a second
   */
  public double callsPerSecond(double seconds) {
    return lap(() -> service.echo(small), 64, seconds).perSecond();
  }

  /**
   * Calls that put 1 MiB, four at a time.
   *
   * @param seconds for how long
   * @return 10^6 bytes in a second
   */
  public double putRate(double seconds) {
    return lap(() -> service.put(large), 4, seconds).perSecond() * LARGE / MEGA;
  }

  /**
   * Calls that get 1 MiB, four at a time, each into memory of its own.
   *
   * @param seconds for how long
   * @return 10^6 bytes in a second
   */
  public double getRate(double seconds) {
    Payload[] targets = new Payload[4];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = Payload.allocate(vertx, LARGE);
    }
    int[] next = {0};
    double rate = lap(() -> {
      Payload target = targets[next[0]++ % targets.length];
      return service.get(LARGE, target).onSuccess(Payload::release);
    }, targets.length, seconds).perSecond() * LARGE / MEGA;
    for (Payload target : targets) {
      target.release();
    }
    return rate;
  }

  /**
   * A plain stream of 1 MiB direct-buffer writes into a blocking socket.
   *
   * @param seconds for how long
   * @return 10^6 bytes in a second, until the peer has read them all
   * @throws IOException if the stream breaks
   */
  public double rawRate(double seconds) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE);
    try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(HOST, rawPort))) {
      long start = System.nanoTime();
      long end = start + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
      long bytes = 0;
      while (System.nanoTime() < end) {
        buffer.clear();
        while (buffer.hasRemaining()) {
          bytes += channel.write(buffer);
        }
      }
      channel.shutdownOutput();
      while (channel.read(buffer.clear()) >= 0) {
        // One byte, then the end: the peer has everything.
      }
      return bytes * 1e3 / (System.nanoTime() - start);
    }
  }

  @Override
  public void close() {
    large.release();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
