// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;

/** Request and reply over a clustered event bus, whose consumer has worker threads do the work. */
final class SlowEventBus {

  private static final String ADDRESS = "bench.slow";

  private SlowEventBus() {}

  static int serve() {
    ClusteredEventBus.Member member = ClusteredEventBus.join();
    WorkerExecutor workers = member.vertx().createSharedWorkerExecutor("slow", Work.THREADS);
    Waits.await(member.vertx().eventBus().<Buffer>consumer(ADDRESS, call ->
        workers.executeBlocking(() -> Work.done(call.body()), false).onSuccess(call::reply)).completion());
    return member.port();
  }

  static SlowPeer connect(int port) {
    Vertx vertx = ClusteredEventBus.join(port);
    Buffer small = Buffer.buffer(new byte[128]);
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(Work.TIMEOUT.toMillis());
    return new SlowPeer(() -> vertx.eventBus().request(ADDRESS, small, options), () -> Waits.await(vertx.close()));
  }
}
