// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.directions;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.rpc.BenchService;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;

/** The client's process: calls the server, and is called by it over the same connection. */
public final class DirectionsBench implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Buffer small = Buffer.buffer(new byte[128]);
  private final RpcClient client = RpcClient.builder(vertx)
      .with(new RpcClientOptions().setServiceTimeout(Duration.ofHours(1))).build();
  private final BenchService service;

  /**
   * Connects.
   *
   * @param port of the server
   */
  public DirectionsBench(int port) {
    RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"));
    service = channel.proxy(BenchService.class);
    channel.bind(BenchEvents.class, new Events());
    Baselines.on(context, channel::connect);
  }

  /**
   * Calls with 128 bytes there and back.
   *
   * @param outstanding how many at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap calls(int outstanding, double seconds) {
    return Baselines.on(context, () -> Stopwatch.lap(() -> service.echo(small), outstanding,
        Stopwatch.nanos(seconds)));
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private static final class Events implements BenchEvents {

    @Override
    public Future<Buffer> echo(Buffer bytes) {
      return Future.succeededFuture(bytes);
    }

    @Override
    public Future<Void> never() {
      return Promise.<Void>promise().future();
    }
  }
}
