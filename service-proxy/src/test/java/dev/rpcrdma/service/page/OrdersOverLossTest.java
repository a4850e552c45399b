// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrdersOverLossTest {
  @RegisterExtension
  static final RpcTestExtension RPC = new RpcTestExtension(
      new RpcServerOptions().setProvider("memory"), new RpcClientOptions().setProvider("memory"));

  @Test
  void anOrderIsPlacedOnce(Vertx vertx, RpcServer server, RpcChannel channel) {
    server.bind(Orders.class, new OrderDesk());
    Orders orders = channel.proxy(Orders.class);
    Waiting.await(channel.connect());
    // The call arrives, and its reply does not.
    MemoryFabric.of(vertx).cutAfter(1);
    assertEquals(1, Waiting.await(orders.place("tea", 2)));
    assertEquals(2, Waiting.await(channel.snapshot()).connections());
    assertEquals(List.of("tea"), Waiting.await(orders.find("")));
  }
}
