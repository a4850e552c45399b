// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bridge;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.service.bridge.BridgeOptions;
import dev.rpcrdma.service.bridge.BridgePermit;
import dev.rpcrdma.service.bridge.EventBusBridge;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceProxyBuilder;
import java.util.function.Function;
import java.util.function.Supplier;

/** The callers' process: each method is one lap of one way. All of a way's work is on one event loop. */
public final class BridgeBench implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final Vertx clustered;
  private final Context clusteredContext;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Context context = vertx.getOrCreateContext();
  private final EchoService overEventBus;
  private final EchoService overRdma;

  /**
   * Joins the cluster, and connects.
   *
   * @param clusterPort of the member that serves
   * @param port of the server behind the bridge
   */
  public BridgeBench(int clusterPort, int port) {
    clustered = ClusteredEventBus.join(clusterPort);
    clusteredContext = clustered.getOrCreateContext();
    overEventBus = new ServiceProxyBuilder(clustered).setAddress(EchoService.CLUSTERED).build(EchoService.class);
    RpcClientOptions options = new RpcClientOptions().setInlineSize(EchoService.INLINE_SIZE);
    RpcChannel channel = Baselines.on(context, () -> Future.succeededFuture(
        RpcClient.create(vertx, options).channel(SocketAddress.inetSocketAddress(port, HOST))));
    overRdma = channel.proxy(EchoService.class);
    EventBusBridge bridge = EventBusBridge.create(vertx,
        new BridgeOptions().forward(BridgePermit.address(EchoService.BRIDGED_MESSAGES)));
    Baselines.on(context, () -> bridge.forward(channel));
  }

  /**
   * Requests with a buffer there and back, of the clustered event bus.
   *
   * @param bytes how many
   * @param outstanding how many requests at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap clustered(int bytes, int outstanding, double seconds) {
    return messages(clusteredContext, clustered.eventBus(), EchoService.CLUSTERED_MESSAGES, bytes, outstanding,
        seconds);
  }

  /**
   * The same over the bridge, between event buses that are not clustered.
   *
   * @param bytes how many
   * @param outstanding how many requests at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap bridged(int bytes, int outstanding, double seconds) {
    return messages(context, vertx.eventBus(), EchoService.BRIDGED_MESSAGES, bytes, outstanding, seconds);
  }

  private static Stopwatch.Lap messages(Context context, EventBus bus, String address, int bytes, int outstanding,
      double seconds) {
    Buffer body = Buffer.buffer(new byte[bytes]);
    return lap(context, () -> bus.request(address, body), outstanding, seconds);
  }

  /**
   * Calls of a service by the event bus's own proxy, over the clustered event bus.
   *
   * @param bytes how many, there and back
   * @param outstanding how many calls at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap serviceOverEventBus(int bytes, int outstanding, double seconds) {
    return calls(clusteredContext, overEventBus::echo, bytes, outstanding, seconds);
  }

  /**
   * Calls of the same service by the proxy over RDMA.
   *
   * @param bytes how many, there and back
   * @param outstanding how many calls at a time
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap serviceOverRdma(int bytes, int outstanding, double seconds) {
    return calls(context, overRdma::echo, bytes, outstanding, seconds);
  }

  private static Stopwatch.Lap calls(Context context, Function<Buffer, Future<Buffer>> echo, int bytes,
      int outstanding, double seconds) {
    Buffer body = Buffer.buffer(new byte[bytes]);
    return lap(context, () -> echo.apply(body), outstanding, seconds);
  }

  private static Stopwatch.Lap lap(Context context, Supplier<Future<?>> operation, int outstanding, double seconds) {
    return Baselines.on(context, () -> Stopwatch.lap(operation, outstanding, Stopwatch.nanos(seconds)));
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    clustered.close().toCompletionStage().toCompletableFuture().join();
  }
}
