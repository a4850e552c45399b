// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.junit5;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What one test gets. JUnit closes it with the store that keeps it.
 *
 * @param vertx the instance that the others live in
 * @param owned whether it is closed with them
 * @param server listens on loopback
 * @param client made no connection yet
 * @param channel leads to the server
 */
record TestBed(Vertx vertx, boolean owned, RpcServer server, RpcClient client, RpcChannel channel)
    implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  static TestBed open(Optional<Vertx> given, RpcServerOptions serverOptions, RpcClientOptions clientOptions) {
    Vertx vertx = given.orElseGet(Vertx::vertx);
    RpcServer server = RpcServer.create(vertx, serverOptions);
    await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
    RpcClient client = RpcClient.create(vertx, clientOptions);
    return new TestBed(vertx, given.isEmpty(), server, client,
        client.channel(SocketAddress.inetSocketAddress(server.actualPort(), HOST)));
  }

  @Override
  public void close() {
    await(client.close());
    await(server.close());
    if (owned) {
      await(vertx.close());
    }
  }

  private static void await(Future<?> future) {
    future.toCompletionStage().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
