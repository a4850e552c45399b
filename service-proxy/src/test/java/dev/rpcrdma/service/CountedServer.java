// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import io.vertx.core.net.SocketAddress;

/** A verticle of docs/deploying.md. */
public class CountedServer extends RpcServerVerticle {
  static final RpcStatistics STATISTICS = RpcStatistics.create();

  public CountedServer(SocketAddress address) {
    super(new RpcServerOptions(), address, server -> server.bind(Orders.class, new OrderDesk()));
  }

  @Override
  protected RpcServer createServer(RpcServerOptions options) {
    return RpcServer.builder(vertx).with(options).withStatistics(STATISTICS).build();
  }
}
