// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.function.UnaryOperator;

/** Two event buses, and a connection over which a bridge can be. */
final class BridgeBed implements AutoCloseable {

  /** Where the callers are. */
  final Vertx here = Vertx.vertx();
  /** Where the services are. */
  final Vertx there = Vertx.vertx();
  private final RpcServer server;
  private final RpcClient client;
  final RpcChannel channel;
  final EventBusBridge callers;
  final EventBusBridge services;

  BridgeBed(BridgeOptions callers, BridgeOptions services) {
    this(callers, services, new RpcClientOptions());
  }

  BridgeBed(BridgeOptions callers, BridgeOptions services, RpcClientOptions options) {
    this(callers, services, options, service -> service);
  }

  /** Puts a service between the server and the bridge. */
  BridgeBed(BridgeOptions callers, BridgeOptions services, RpcClientOptions options,
      UnaryOperator<RpcService> between) {
    this.services = EventBusBridge.create(there, services);
    this.server = RpcServer.create(there).bind(between.apply(this.services.service()));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    this.client = RpcClient.create(here, options);
    this.channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    this.callers = EventBusBridge.create(here, callers);
    Waiting.await(this.callers.forward(channel));
  }

  /** A bridge for all messages to one address. */
  static BridgeBed of(String address) {
    return new BridgeBed(new BridgeOptions().forward(BridgePermit.address(address)),
        new BridgeOptions().deliver(BridgePermit.address(address)));
  }

  RpcServer server() {
    return server;
  }

  @Override
  public void close() {
    Waiting.await(callers.close());
    Waiting.await(client.close());
    Waiting.await(server.close());
    Waiting.await(here.close());
    Waiting.await(there.close());
  }
}
