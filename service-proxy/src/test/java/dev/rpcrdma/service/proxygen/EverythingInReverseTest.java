// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;

/** The contract in the reverse direction: the client serves, the server calls. */
class EverythingInReverseTest extends EverythingContract {

  private RpcServer server;
  private RpcClient client;

  @Override
  protected Everything open(Everything implementation) {
    Promise<RpcConnection> accepted = Promise.promise();
    server = RpcServer.create(vertx).connectionHandler(accepted::complete);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .bind(Everything.class, implementation);
    Waiting.await(channel.connect());
    return Waiting.await(accepted.future()).peer().proxy(Everything.class);
  }

  @Override
  protected Future<Void> end() {
    return client.close().compose(done -> server.close());
  }
}
