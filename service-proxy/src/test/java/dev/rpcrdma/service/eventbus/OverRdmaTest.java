// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;

/** The contract over siw. */
class OverRdmaTest extends TransportContract {

  @Override
  RpcCaller open() {
    RpcServer.RpcServerBuilder server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setServiceTimeout(wanted.serviceTimeout));
    wanted.guards.forEach(server::addServiceInterceptor);
    if (wanted.tokens != null) {
      server.withTokens(wanted.tokens);
    }
    RpcServer listening = server.build().bind(Errands.class, boy, wanted.access);
    Waiting.await(listening.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient.RpcClientBuilder client = RpcClient.builder(vertx);
    wanted.calls.forEach(client::addCallInterceptor);
    if (wanted.token != null) {
      client.withToken(() -> Future.succeededFuture(wanted.token));
    }
    RpcChannel made = client.build().channel(SocketAddress.inetSocketAddress(listening.actualPort(), "127.0.0.1"));
    Waiting.await(made.connect());
    return made;
  }

  @Override
  void bind(ErrandEvents events) {
    ((RpcChannel) channel).bind(ErrandEvents.class, events);
  }

  @Override
  RpcCaller nowhere() {
    return RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(1, "127.0.0.1"));
  }
}
