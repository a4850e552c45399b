// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that come while a service keeps the loop busy. */
class BusyLoopTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Busy", 0x20060095, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("first", 0, 0, ReplyBound.of(0)),
          2, new ProcedureBinding("inVain", 0, 0, ReplyBound.of(0)),
          4, new ProcedureBinding("last", 0, 0, ReplyBound.of(0))));
  private final Vertx vertx = Vertx.vertx();
  private final Vertx clients = Vertx.vertx();
  private final BlockingQueue<String> executed = new LinkedBlockingQueue<>();
  /** Until when each "first" keeps the loop busy. */
  private final Queue<CountDownLatch> busy = new ConcurrentLinkedQueue<>();

  private final class Busy implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      executed.add(BINDING.procedures().get(call.procedure()).name());
      if (call.procedure() == 1) {
        Waiting.await(busy.remove());
      }
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  @AfterEach
  void close() {
    Waiting.await(clients.close());
    Waiting.await(vertx.close());
  }

  /** Fails if {@code CallBeingServed.serve} takes the time at which its batch has begun. */
  @Test
  @DisplayName("A call whose time is over since another one of its batch has kept the loop busy is not executed")
  void sameBatch() {
    RpcServerVerticle verticle = new RpcServerVerticle(new RpcServerOptions(),
        SocketAddress.inetSocketAddress(0, RpcBed.HOST), server -> server.bind(new Busy()));
    Waiting.await(vertx.deployVerticle(verticle));
    RpcChannel channel = RpcClient.create(clients)
        .channel(SocketAddress.inetSocketAddress(verticle.server().actualPort(), RpcBed.HOST));
    Waiting.await(channel.call(RpcRequest.to(BINDING, 4).build()));
    executed.clear();
    CountDownLatch both = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    busy.addAll(List.of(both, late));
    Future<Void> first = channel.call(RpcRequest.to(BINDING, 1).build());
    Waiting.until(() -> !executed.isEmpty());
    // Both come while the loop is busy, so that they are one batch.
    Future<Void> second = channel.call(RpcRequest.to(BINDING, 1).build());
    Future<Void> inVain = channel.call(RpcRequest.to(BINDING, 2)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(400))).build());
    both.countDown();
    Waiting.awaitFailure(inVain);
    late.countDown();
    Waiting.await(first);
    Waiting.await(second);
    Waiting.await(channel.call(RpcRequest.to(BINDING, 4).build()));
    assertThat(executed).containsExactly("first", "first", "last");
  }
}
