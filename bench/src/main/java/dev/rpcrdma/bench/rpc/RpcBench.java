// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Stopwatch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
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
  private final BenchService service;

  /**
   * Connects, with a client that belongs to the context in which its calls are made, as in a verticle.
   *
   * @param port of the service
   */
  public RpcBench(int port) {
    this(port, new RpcClientOptions());
  }

  /**
   * Connects with options of its own.
   *
   * @param port of the service
   * @param options of the client
   */
  public RpcBench(int port, RpcClientOptions options) {
    SocketAddress address = SocketAddress.inetSocketAddress(port, HOST);
    RpcChannel channel = Baselines.on(context,
        () -> Future.succeededFuture(
            RpcClient.builder(vertx).with(options).build().channel(address)));
    service = channel.proxy(BenchService.class);
    Baselines.on(context, channel::connect);
  }

  /**
   * The instance in which everything runs.
   *
   * @return the instance
   */
  public Vertx vertx() {
    return vertx;
  }

  private Stopwatch.Lap lap(Supplier<Future<?>> operation, int outstanding, double seconds) {
    return Baselines.on(context,
        () -> Stopwatch.lap(operation, outstanding, Stopwatch.nanos(seconds)));
  }

  /**
   * 128 bytes there and back by calls, one at a time.
   *
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap echo(double seconds) {
    return calls(1, seconds);
  }

  /**
   * Calls with 128 bytes there and back.
   *
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap calls(int outstanding, double seconds) {
    return lap(() -> service.echo(small), outstanding, seconds);
  }

  /**
   * Calls with 128 bytes there and back, whose interface does not say how many may come back.
   *
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap unboundedCalls(int outstanding, double seconds) {
    return lap(() -> service.unboundedEcho(small), outstanding, seconds);
  }

  /**
   * Calls that put 1 MiB, four at a time.
   *
   * @param seconds for how long
   * @return 10^6 bytes in a second
   */
  public double putRate(double seconds) {
    return rate(puts(seconds));
  }

  /**
   * Calls that put 1 MiB, four at a time.
   *
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap puts(double seconds) {
    return lap(() -> service.put(large), 4, seconds);
  }

  /**
   * How much goes by calls of 1 MiB.
   *
   * @param lap of these
   * @return 10^6 bytes in a second
   */
  public static double rate(Stopwatch.Lap lap) {
    return lap.perSecond() * LARGE / MEGA;
  }

  /**
   * Calls that get 1 MiB, four at a time, each into memory of its own.
   *
   * @param seconds for how long
   * @return 10^6 bytes in a second
   */
  public double getRate(double seconds) {
    return rate(gets(seconds));
  }

  /**
   * Calls that get 1 MiB, four at a time, each into memory of its own.
   *
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap gets(double seconds) {
    Payload[] targets = new Payload[4];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = Payload.allocate(vertx, LARGE);
    }
    int[] next = {0};
    Stopwatch.Lap lap = lap(() -> {
      Payload target = targets[next[0]++ % targets.length];
      return service.get(LARGE, target).onSuccess(Payload::release);
    }, targets.length, seconds);
    for (Payload target : targets) {
      target.release();
    }
    return lap;
  }

  @Override
  public void close() {
    large.release();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
