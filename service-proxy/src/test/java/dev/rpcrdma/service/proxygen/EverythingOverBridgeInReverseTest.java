// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.bridge.BridgeOptions;
import dev.rpcrdma.service.bridge.BridgePermit;
import dev.rpcrdma.service.bridge.EventBusBridge;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceBinder;
import io.vertx.serviceproxy.ServiceProxyBuilder;

/** The contract over a bridge in the reverse direction: the end that connects has the service. */
class EverythingOverBridgeInReverseTest extends EverythingContract {

  private final Vertx there = Vertx.vertx();
  private RpcServer server;
  private RpcClient client;

  @Override
  protected Everything open(Everything implementation) {
    new ServiceBinder(there).setAddress("everything").register(Everything.class, implementation);
    Promise<Void> registered = Promise.promise();
    EventBusBridge callers =
        EventBusBridge.create(vertx, new BridgeOptions().forward(BridgePermit.address("everything")));
    server = RpcServer.create(vertx)
        .connectionHandler(connection -> callers.forwardTo(connection).onComplete(registered));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(there);
    Waiting.await(client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .bind(EventBusBridge.create(there, new BridgeOptions().deliver(BridgePermit.address("everything"))).service())
        .connect());
    Waiting.await(registered.future());
    return new ServiceProxyBuilder(vertx).setAddress("everything").build(Everything.class);
  }

  @Override
  protected Future<Void> end() {
    return client.close().compose(done -> server.close()).compose(done -> there.close());
  }
}
