// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.protocol.xdr.DataItem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.util.function.Supplier;

/** One client: each method is one lap of one quantity. */
public final class ReplyBench implements AutoCloseable {

  private static final int SMALL = 128;
  private static final double MEGA = 1e6;

  private final Vertx vertx;
  private final Context context;
  private final byte[] small = new byte[SMALL];
  private final RpcChannel channel;

  /**
   * Connects.
   *
   * @param port of the service
   * @param options of the client
   */
  public ReplyBench(int port, RpcClientOptions options) {
    this(port, options, new VertxOptions());
  }

  /**
   * Connects.
   *
   * @param port of the service
   * @param options of the client
   * @param vertxOptions of its Vert.x
   */
  public ReplyBench(int port, RpcClientOptions options, VertxOptions vertxOptions) {
    this(port, options, vertxOptions, Watched.NOT);
  }

  /**
   * Connects.
   *
   * @param port of the service
   * @param options of the client
   * @param watched who watches its calls
   */
  public ReplyBench(int port, RpcClientOptions options, Watched watched) {
    this(port, options, new VertxOptions(), watched);
  }

  private ReplyBench(int port, RpcClientOptions options, VertxOptions vertxOptions, Watched watched) {
    vertx = watched.vertx(vertxOptions);
    context = vertx.getOrCreateContext();
    if (vertxOptions.getPreferNativeTransport() && !vertx.isNativeTransportEnabled()) {
      throw new IllegalStateException("There is no native transport here", vertx.unavailableNativeTransportCause());
    }
    SocketAddress address = SocketAddress.inetSocketAddress(port, "127.0.0.1");
    channel = Baselines.on(context, () -> Future.succeededFuture(
        watched.client(vertx, options).channel(address)));
    Baselines.on(context, channel::connect);
  }

  private Stopwatch.Lap lap(Supplier<Future<?>> operation, int outstanding, double seconds) {
    return Baselines.on(context, () -> Stopwatch.lap(operation, outstanding, Stopwatch.nanos(seconds)));
  }

  /**
   * Calls with 128 bytes there and back.
   *
   * @param bounded whether the interface says that there are no more than 2048
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap calls(boolean bounded, int outstanding, double seconds) {
    int procedure = bounded ? ReplyService.BOUNDED : ReplyService.UNBOUNDED;
    return lap(() -> channel.call(ReplyService.echo(procedure, small)), outstanding, seconds);
  }

  /**
   * Calls with 128 bytes there and back, whose results have a bound.
   *
   * @param options of each call
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap calls(CallOptions options, int outstanding, double seconds) {
    return lap(() -> channel.call(ReplyService.echo(ReplyService.BOUNDED, small, options)), outstanding, seconds);
  }

  /**
   * How many ranges of memory a call has exposed while it waits.
   *
   * @param outstanding how many calls at a time
   * @return a mean, over a second
   */
  public double exposures(int outstanding) {
    Future<Stopwatch.Lap> lap = Future.future(promise -> context.runOnContext(v -> Stopwatch.lap(() ->
        channel.call(ReplyService.echo(ReplyService.UNBOUNDED, small)), outstanding, Stopwatch.nanos(1))
        .onComplete(promise)));
    RpcConnection connection = Waits.await(channel.connect());
    double sum = 0;
    int samples = 0;
    while (!lap.isComplete()) {
      sum += Waits.await(connection.snapshot()).memory().exposures();
      samples++;
    }
    Waits.await(lap);
    return sum / samples / outstanding;
  }

  /**
   * Large results, looked at where they are.
   *
   * @param length in bytes
   * @param pulled true if the call makes no room for them; false if it names memory, into which they are written
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return 10^6 bytes in a second
   */
  public double rate(int length, boolean pulled, int outstanding, double seconds) {
    Payload[] targets = new Payload[pulled ? 0 : outstanding];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = Payload.allocate(vertx, length);
    }
    int[] next = {0};
    Supplier<Future<?>> call = () -> {
      RpcRequest.Builder<Void> request = RpcRequest.to(ReplyService.BINDING, ReplyService.LARGE)
          .arguments(writer -> writer.int32(length));
      return channel.call((pulled ? request : request.placedResult(targets[next[0]++ % outstanding]))
          .results(reader -> {
            DataItem item = reader.dataItem(length);
            return item.bytes().get(length - 1);
          }).build());
    };
    // The first ones get memory that has to be cleared.
    lap(call, outstanding, 0);
    double rate = lap(call, outstanding, seconds).perSecond() * length / MEGA;
    for (Payload target : targets) {
      target.release();
    }
    return rate;
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
