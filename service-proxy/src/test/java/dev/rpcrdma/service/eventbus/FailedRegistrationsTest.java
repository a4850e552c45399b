// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.bridge.BridgeOptions;
import dev.rpcrdma.service.bridge.BridgePermit;
import dev.rpcrdma.service.bridge.EventBusBridge;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.Doubling;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Completable;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registration in the cluster that fails once: what asks for it fails, nothing stays, and the next time succeeds. */
class FailedRegistrationsTest {

  /** What the address begins with whose next registration, or removal, fails; null if none. */
  private static final AtomicReference<String> FAILS = new AtomicReference<>();
  private static Vertx vertx;

  /** Cluster manager that refuses one registration. */
  private static final class Refusing extends HazelcastClusterManager {

    Refusing() {
      super(LoopbackHazelcast.config(UUID.randomUUID().toString(), List.of()));
    }

    @Override
    public void addRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
      String fails = FAILS.get();
      if (fails != null && address.startsWith(fails) && FAILS.compareAndSet(fails, null)) {
        promise.fail("on purpose");
      } else {
        super.addRegistration(address, registration, promise);
      }
    }

    @Override
    public void removeRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
      if (("removing " + address).equals(FAILS.get())) {
        FAILS.set(null);
        promise.fail("on purpose");
      } else {
        super.removeRegistration(address, registration, promise);
      }
    }
  }

  @BeforeAll
  static void join() {
    vertx = LoopbackHazelcast.join(new Refusing());
  }

  @AfterAll
  static void leave() {
    Waiting.await(vertx.close());
  }

  private static Bare bare(String address) {
    return EventBusChannel.create(vertx, address).proxy(Bare.class);
  }

  /** Fails if {@code BusEndpoint.withdraw} leaves the other address registered. */
  @ParameterizedTest
  @ValueSource(strings = {"rpcrdma:cancel:services", "services"})
  @DisplayName("A service that cannot be registered is not served, and can be registered again")
  void services(String fails) {
    RpcServiceBinder binder = new RpcServiceBinder(vertx).setAddress("services");
    Bare impatient = EventBusChannel.create(vertx, "services",
        new EventBusChannelOptions().setCallTimeout(Duration.ofSeconds(1))).proxy(Bare.class);
    FAILS.set(fails);
    assertThat(Waiting.awaitFailure(binder.register(Bare.class, new Doubling()))).hasMessage("on purpose");
    for (String address : List.of("services", "rpcrdma:cancel:services")) {
      awaitNoHandlers(address);
    }
    Waiting.until(() -> Waiting.awaitFailure(impatient.increment(1)) instanceof RpcConnectException);
    RpcRegistration registration = Waiting.await(binder.register(Bare.class, new Doubling()));
    assertThat(Waiting.await(bare("services").increment(1))).isEqualTo(2);
    Waiting.await(registration.close());
  }

  /** Fails if {@code BusTransport.carry} does not register callbacks again. */
  @Test
  @DisplayName("Calls of a channel whose callbacks could not be registered register them again")
  void callbacks() {
    Waiting.await(new RpcServiceBinder(vertx).setAddress("callbacks")
        .register(Bare.class, new ConfiguredTest.Adding()));
    EventBusChannel channel = EventBusChannel.create(vertx, "callbacks");
    FAILS.set("rpcrdma:callbacks:");
    channel.bind(Bare.class, new Doubling());
    // Fails if it has waited for that registration.
    Waiting.outcome(channel.proxy(Bare.class).increment(1));
    assertThat(Waiting.await(channel.proxy(Bare.class).increment(20))).isEqualTo(40);
    Waiting.await(channel.close());
  }

  /** Fails if {@code ClusterClients.connected} keeps the failed registration. */
  @Test
  @DisplayName("A client that could not be made known is made known when it says again who it is")
  void clients() {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    RpcServer server = RpcServer.create(vertx).connectionHandler(accepted::add);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient client = RpcClient.create(vertx);
    Waiting.await(client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .bind(Bare.class, new Doubling()).connect());
    RpcConnection connection = Waiting.next(accepted);
    ClusterClients clients = ClusterClients.create(vertx).calling(Bare.class);
    FAILS.set("rpcrdma:client:trader");
    assertThat(Waiting.awaitFailure(clients.connected("trader", connection))).hasMessage("on purpose");
    Waiting.await(clients.connected("trader", connection));
    assertThat(Waiting.await(clients.peer("trader").proxy(Bare.class).increment(4))).isEqualTo(8);
    Waiting.await(client.close());
    Waiting.await(server.close());
  }

  /** Fails if {@code EventBusBridge.forward} leaves the other addresses registered. */
  @Test
  @DisplayName("A bridge that cannot register all of its addresses registers none, and can forward again")
  void bridges() {
    EventBusBridge bridge = EventBusBridge.create(vertx,
        new BridgeOptions().forward(BridgePermit.address("first")).forward(BridgePermit.address("second")));
    RpcServer server = RpcServer.create(vertx).bind(EventBusBridge.create(vertx, new BridgeOptions()).service());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient client = RpcClient.create(vertx);
    SocketAddress address = SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1");
    FAILS.set("second");
    assertThat(Waiting.awaitFailure(bridge.forward(client.channel(address)))).hasMessage("on purpose");
    awaitNoHandlers("first");
    assertThat(bridge.snapshot().peers()).isZero();
    Waiting.await(bridge.forward(client.channel(address)));
    assertThat(failure("first").failureCode()).isEqualTo(403);
    Waiting.await(bridge.close());
    Waiting.await(client.close());
    Waiting.await(server.close());
  }

  /** Fails if {@code Forwarder.close} closes objects only if all addresses could be unregistered. */
  @Test
  @DisplayName("A bridge that cannot unregister an address when it closes closes its objects anyway")
  void closing() {
    Vertx there = Vertx.vertx();
    there.eventBus().consumer("maker", message -> message.reply("",
        new DeliveryOptions().addHeader("proxyaddr", UUID.randomUUID().toString())));
    RpcServer server = RpcServer.create(there)
        .bind(EventBusBridge.create(there, new BridgeOptions().deliver(BridgePermit.address("maker"))).service());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    EventBusBridge bridge = EventBusBridge.create(vertx, new BridgeOptions().forward(BridgePermit.address("maker")));
    RpcClient client = RpcClient.create(vertx);
    Waiting.await(bridge.forward(client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))));
    String object = Waiting.await(vertx.eventBus().request("maker", "x")).headers().get("proxyaddr");
    FAILS.set("removing maker");
    assertThat(Waiting.awaitFailure(bridge.close())).hasMessage("on purpose");
    awaitNoHandlers(object);
    Waiting.await(client.close());
    Waiting.await(there.close());
  }

  /**
   * Waits until no message finds anybody. Vert.x loses a message to an address whose last consumer leaves while it asks
   * the cluster manager who is there ({@code DefaultNodeSelector.registrationsUpdated} takes the entry away that {@code
   * succeed} looks for): it has neither a reply nor a failure until its timeout, so that the next one has to tell.
   */
  private static void awaitNoHandlers(String address) {
    Waiting.until(() -> {
      ReplyFailure failure = failure(address).failureType();
      assertThat(failure).isIn(ReplyFailure.NO_HANDLERS, ReplyFailure.TIMEOUT);
      return failure == ReplyFailure.NO_HANDLERS;
    });
  }

  private static ReplyException failure(String address) {
    DeliveryOptions soon = new DeliveryOptions().setSendTimeout(1000);
    return (ReplyException) Waiting.awaitFailure(vertx.eventBus().request(address, "x", soon));
  }
}
