// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.junit5.RpcTestExtension;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
class OrdersBesideVertxTest {
  @RegisterExtension
  static final RpcTestExtension RPC = new RpcTestExtension(
      new RpcServerOptions().setServiceTimeout(Duration.ofSeconds(1)),
      new RpcClientOptions().setCallTimeout(Duration.ofSeconds(5)));

  @Test
  void ordersAreNumbered(Vertx vertx, VertxTestContext test, RpcServer server, RpcChannel channel) {
    server.bind(Orders.class, new OrderDesk());
    channel.proxy(Orders.class).place("tea", 2).onComplete(test.succeeding(number -> test.verify(() -> {
      assertEquals(1, number);
      assertSame(vertx, Vertx.currentContext().owner());
      test.completeNow();
    })));
  }
}
