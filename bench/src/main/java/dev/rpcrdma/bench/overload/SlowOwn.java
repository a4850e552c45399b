// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.bench.measure.Waits;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Ours: a service in a worker verticle. */
final class SlowOwn {

  /** Calls that the service executes in a fifth of a second. */
  static final int FEW_WAITING = (int) (Work.CAPACITY / 5);
  /** Together they have more credits than the service may have calls. */
  private static final int CLIENTS = 8;

  private SlowOwn() {}

  static int serve(int mostWaiting) {
    Vertx vertx = Vertx.vertx();
    SlowService service = bytes -> Future.succeededFuture(Work.done(bytes));
    RpcServerVerticle verticle = new RpcServerVerticle(
        new RpcServerOptions().setParallelServices(true).setMaxCallsPerService(mostWaiting),
        SocketAddress.inetSocketAddress(0, "127.0.0.1"), server -> server.bind(SlowService.class, service));
    Waits.await(vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)
        .setWorkerPoolName("slow" + mostWaiting).setWorkerPoolSize(Work.THREADS)));
    return verticle.server().actualPort();
  }

  static SlowPeer connect(int port) {
    Vertx vertx = Vertx.vertx();
    Buffer small = Buffer.buffer(new byte[128]);
    List<SlowService> proxies = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      proxies.add(RpcClient.create(vertx, new RpcClientOptions())
          .channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
          .proxy(SlowService.class, CallOptions.DEFAULT.withTimeout(Work.TIMEOUT)));
    }
    AtomicInteger turn = new AtomicInteger();
    return new SlowPeer(() -> proxies.get(Math.floorMod(turn.getAndIncrement(), CLIENTS)).work(small),
        () -> Waits.await(vertx.close()));
  }
}
