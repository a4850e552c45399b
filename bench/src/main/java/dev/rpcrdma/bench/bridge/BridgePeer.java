// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bridge;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.service.bridge.BridgeOptions;
import dev.rpcrdma.service.bridge.BridgePermit;
import dev.rpcrdma.service.bridge.EventBusBridge;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceBinder;

/** The other process: a member of the cluster that serves, and an event bus of its own behind a bridge. */
public final class BridgePeer {

  private BridgePeer() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    ClusteredEventBus.Member member = ClusteredEventBus.serve();
    EchoService service = Future::succeededFuture;
    echo(member.vertx().eventBus(), EchoService.CLUSTERED_MESSAGES);
    Waits.await(new ServiceBinder(member.vertx()).setAddress(EchoService.CLUSTERED)
        .register(EchoService.class, service).completion());

    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    echo(vertx.eventBus(), EchoService.BRIDGED_MESSAGES);
    EventBusBridge bridge = EventBusBridge.create(vertx,
        new BridgeOptions().deliver(BridgePermit.address(EchoService.BRIDGED_MESSAGES)));
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setInlineSize(EchoService.INLINE_SIZE))
        .bind(bridge.service()).bind(EchoService.class, service);
    Waits.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));

    System.out.println(member.port() + " " + server.actualPort());
    PeerProcess.serve();
  }

  private static void echo(EventBus bus, String address) {
    Waits.await(bus.consumer(address, message -> message.reply(message.body())).completion());
  }
}
