// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.service.fixture.Orders;
import io.vertx.core.net.SocketAddress;

/** A verticle of docs/deploying.md. */
public class CountedClient extends RpcClientVerticle {
  static final RpcStatistics STATISTICS = RpcStatistics.create();

  public CountedClient(SocketAddress address) {
    super(new RpcClientOptions(), address, channel -> channel.proxy(Orders.class).place("tea", 2));
  }

  @Override
  protected RpcClient createClient(RpcClient.RpcClientBuilder prepared) {
    return prepared.withStatistics(STATISTICS).build();
  }
}
