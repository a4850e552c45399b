// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.OrderEvents;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code and the JSON of docs/event-bus.md. */
class EventBusPageTest {

  private static final ManualPage PAGE = ManualPage.of("event-bus.md");

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Long> shipped = new LinkedBlockingQueue<>();
  private final OrderEvents events = order -> {
    shipped.add(order);
    return Future.succeededFuture();
  };

  /** Tells buyers at once. */
  private static final class Shipping implements Orders {

    @Override
    public Future<Long> place(String article, int count) {
      OrderEvents buyer = RpcCall.current().peer().proxy(OrderEvents.class);
      return buyer.shipped(count).map((long) count);
    }

    @Override
    public Future<List<String>> find(String prefix) {
      return Future.succeededFuture(List.of(RpcCall.current().headers().toString()));
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Registered by one call, and called")
  void servingAndCalling() {
    RpcServiceBinder binder = new RpcServiceBinder(vertx)
        .setAddress("orders")
        .setTimeout(Duration.ofSeconds(10));
    Future<RpcRegistration> registered = binder.register(Orders.class, new OrderDesk());
    RpcRegistration first = Waiting.await(registered);
    EventBusChannel channel = EventBusChannel.create(vertx, "orders");
    Orders orders = channel.proxy(Orders.class);
    Future<Long> number = orders.place("tea", 2);
    assertThat(Waiting.await(number)).isOne();
    Waiting.await(first.close());
    Future<RpcRegistration> both = binder.register(
        List.of(binder.service(Orders.class, new OrderDesk()), binder.service(OrderEvents.class, events)), true);
    Waiting.await(both);
    Waiting.await(channel.proxy(OrderEvents.class).shipped(5));
    assertThat(Waiting.next(shipped)).isEqualTo(5);
  }

  @Test
  @DisplayName("Interceptors, tokens and callbacks")
  void callbacks() {
    Waiting.await(new RpcServiceBinder(vertx).setAddress("orders").register(Orders.class, new Shipping()));
    EventBusChannel channel = EventBusChannel.create(vertx, "orders");
    String token = "t";
    channel.addCallInterceptor(CallInterceptor.options((request, options) -> options.withHeader("tenant", "blue")))
        .setToken(token);
    channel.bind(OrderEvents.class, order -> Future.succeededFuture());
    assertThat(Waiting.await(channel.proxy(Orders.class).place("tea", 7))).isEqualTo(7);
    assertThat(Waiting.await(channel.proxy(Orders.class).find("")).get(0)).contains("auth-token=t", "tenant=blue");
  }

  /** Who calls is the trader. */
  private static Orders calledBy(ClusterClients clients) {
    return new Orders() {
      @Override
      public Future<Long> place(String article, int count) {
        clients.connected("trader 17", RpcCall.current().connection());
        return Future.succeededFuture(1L);
      }

      @Override
      public Future<List<String>> find(String prefix) {
        return Future.succeededFuture(List.of());
      }
    };
  }

  @Test
  @DisplayName("Clients of a cluster, of one node")
  void clients() {
    ClusterClients clients = ClusterClients.create(vertx).calling(OrderEvents.class);
    RpcServer server = RpcServer.create(vertx).bind(Orders.class, calledBy(clients));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waiting.await(RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .bind(OrderEvents.class, events).proxy(Orders.class).place("tea", 1));
    OrderEvents trader = clients.peer("trader 17").proxy(OrderEvents.class);
    Waiting.until(() -> Waiting.outcome(trader.shipped(9)) == null);
    assertThat(Waiting.next(shipped)).isEqualTo(9);
  }

  @Test
  @DisplayName("The JSON of the page makes a service and channels")
  void json() {
    List<JsonObject> all = PAGE.blocks("json").stream().map(JsonObject::new).toList();
    Waiting.await(vertx.deployVerticle("dev.rpcrdma.service.eventbus.EventBusServiceVerticle",
        new DeploymentOptions().setConfig(all.get(2))));
    JsonObject config = all.get(0);
    ConfiguredChannel either = ConfiguredChannel.create(vertx, config);
    Orders desk = either.proxy(Orders.class);
    assertThat(Waiting.await(desk.place("tea", 1))).isOne();
    Waiting.await(either.close());
    Waiting.await(ConfiguredChannel.create(vertx, all.get(1)).close());
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(PAGE.notIn(
        Path.of("src/test/java/dev/rpcrdma/service/eventbus/EventBusPageTest.java"))).isEmpty();
  }
}
