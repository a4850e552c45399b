// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RpcTestExtension.class)
class OrdersTest {
  @Test
  void ordersAreNumbered(RpcServer server, RpcChannel channel) throws Exception {
    server.bind(Orders.class, new OrderDesk());
    Orders orders = channel.proxy(Orders.class);
    assertEquals(1, orders.place("tea", 2).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS));
  }
}
