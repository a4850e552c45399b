// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.fixture.OrderEvents;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that are called back through whichever node they are connected to. */
@Tag("large")
class ClusterClientsTest {

  private final LoopbackCluster cluster = new LoopbackCluster();
  private final Vertx one = cluster.join();
  private final Vertx two = cluster.join();
  private final Vertx outside = Vertx.vertx();
  private final ClusterClients clientsOfOne = ClusterClients.create(one).calling(OrderEvents.class);
  private final ClusterClients clientsOfTwo = ClusterClients.create(two).calling(OrderEvents.class);
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  /** Who orders an article is known by its name from then on. */
  private record Desk(ClusterClients clients) implements Orders {

    @Override
    public Future<Long> place(String article, int count) {
      return clients.connected(article, RpcCall.current().connection()).map(0L);
    }

    @Override
    public Future<List<String>> find(String prefix) {
      return Future.succeededFuture(List.of());
    }
  }

  @AfterEach
  void close() {
    Waiting.await(outside.close());
    Waiting.await(one.close());
    Waiting.await(two.close());
  }

  private static SocketAddress serve(Vertx vertx, ClusterClients clients) {
    RpcServer server = Waiting.await(RpcServer.create(vertx).bind(Orders.class, new Desk(clients))
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    return SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1");
  }

  /** A client that hears of what it has ordered. */
  private RpcChannel client(SocketAddress address, String name) {
    RpcChannel channel = RpcClient.create(outside).channel(address).bind(OrderEvents.class, order -> {
      heard.add(name + " " + order);
      return Future.succeededFuture();
    });
    Waiting.await(channel.proxy(Orders.class).place(name, 1));
    return channel;
  }

  private static void ship(ClusterClients clients, String name, long order) {
    Waiting.await(clients.peer(name).proxy(OrderEvents.class).shipped(order));
  }

  /** The cluster hears of it a little later; a call that is under way just then has no answer. */
  private void untilGone(String name) {
    OrderEvents gone = clientsOfTwo.peer(name).proxy(OrderEvents.class,
        CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(1)));
    Waiting.until(() -> {
      Throwable failure = Waiting.outcome(gone.shipped(0));
      assertThat(failure).isInstanceOf(RpcException.class);
      return failure instanceof RpcConnectException;
    });
  }

  @Test
  @DisplayName("A client is called from each node, over the one that it is connected to, also when that is another")
  void throughAnyNode() {
    SocketAddress first = serve(one, clientsOfOne);
    RpcChannel trader = client(first, "trader");
    client(serve(two, clientsOfTwo), "other");
    ship(clientsOfOne, "trader", 1);
    ship(clientsOfTwo, "trader", 2);
    ship(clientsOfOne, "other", 3);
    assertThat(List.of(Waiting.next(heard), Waiting.next(heard), Waiting.next(heard)))
        .containsExactly("trader 1", "trader 2", "other 3");

    Waiting.await(trader.close());
    untilGone("trader");
    client(serve(two, clientsOfTwo), "trader");
    ship(clientsOfOne, "trader", 5);
    assertThat(Waiting.next(heard)).isEqualTo("trader 5");
    assertThat(heard).isEmpty();
  }

  /** Fails if {@code ClusterClients.open} makes the channel on the context of whoever calls first. */
  @Test
  @DisplayName("A client is called on when the verticle that has called it first is gone")
  void callerGone() {
    client(serve(one, clientsOfOne), "trader");
    Waiting.await(two.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return clientsOfTwo.peer("trader").proxy(OrderEvents.class).shipped(1);
      }
    }).compose(two::undeploy));
    ship(clientsOfTwo, "trader", 2);
    assertThat(List.of(Waiting.next(heard), Waiting.next(heard))).containsExactly("trader 1", "trader 2");
  }

  /** Fails if {@code ClusterClients.connected} registers on the context that it is called on. */
  @Test
  @DisplayName("A client stays known when the verticle that has named it is gone, as long as its connection is there")
  void namerGone() {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = Waiting.await(RpcServer.create(one).connectionHandler(accepted::add)
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waiting.await(RpcClient.create(outside).channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .bind(OrderEvents.class, order -> {
          heard.add("trader " + order);
          return Future.succeededFuture();
        }).connect());
    RpcConnection connection = Waiting.next(accepted);
    Waiting.await(one.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return clientsOfOne.connected("trader", connection);
      }
    }).compose(one::undeploy));
    ship(clientsOfTwo, "trader", 1);
    assertThat(Waiting.next(heard)).isEqualTo("trader 1");
    connection.close();
    untilGone("trader");
  }

  @Test
  @DisplayName("A client that says who it is with each call is registered once")
  void registeredOnce() {
    RpcChannel trader = client(serve(one, clientsOfOne), "trader");
    Waiting.await(trader.proxy(Orders.class).place("trader", 1));
    for (int i = 0; i < 4; i++) {
      ship(clientsOfTwo, "trader", i);
      assertThat(Waiting.next(heard)).isEqualTo("trader " + i);
    }
    Waiting.await(trader.close());
    untilGone("trader");
  }

  @Test
  @DisplayName("Nobody has a client that was never connected")
  void unknown() {
    assertThat(Waiting.awaitFailure(clientsOfOne.peer("nobody").proxy(OrderEvents.class).shipped(1)))
        .isInstanceOf(RpcConnectException.class);
  }

  @Test
  @DisplayName("There are calls to more clients than channels are kept for")
  void many() {
    client(serve(one, clientsOfOne), "trader");
    for (int i = 0; i < 1100; i++) {
      clientsOfOne.peer("nobody " + i).proxy(OrderEvents.class).shipped(i);
    }
    ship(clientsOfOne, "trader", 7);
    assertThat(Waiting.next(heard)).isEqualTo("trader 7");
  }
}
