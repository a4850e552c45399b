// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.service.bridge.BridgeOptions;
import dev.rpcrdma.service.bridge.BridgePermit;
import dev.rpcrdma.service.bridge.EventBusBridge;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.Doubling;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Registrations, bridges and calls of an event bus whose Vert.x instance is closed. */
class ClosedVertxTest {

  private static final RpcCaller PEER = new RpcCaller() {
    @Override
    public <T> Future<T> call(RpcRequest<T> request) {
      return Future.failedFuture("no peer");
    }
  };

  private final Vertx vertx = Vertx.vertx();

  /** Fails if {@code BusEndpoint.open} throws what its event loop throws. */
  @Test
  @DisplayName("Registering a service fails its future")
  void register() {
    RpcServiceBinder binder = new RpcServiceBinder(vertx).setAddress("service");
    Waiting.await(vertx.close());
    assertClosed(binder.register(Bare.class, new Doubling()));
  }

  private static void assertClosed(Future<?> future) {
    assertThat(Waiting.awaitFailure(future)).isInstanceOf(RpcClosedException.class).hasMessage("Vert.x is closed");
  }

  /** Fails if {@code BusEndpoint.close} or {@code BusEndpoint.shutdown} throws what its event loop throws. */
  @Test
  @DisplayName("A registration of it ends")
  void close() {
    List<RpcRegistration> all = List.of(registration(), registration());
    Waiting.await(vertx.close());
    Waiting.await(all.get(0).close());
    Waiting.await(all.get(1).shutdown(Duration.ofMillis(1)));
    Waiting.await(all.get(1).close());
  }

  private RpcRegistration registration() {
    return Waiting.await(new RpcServiceBinder(vertx).setAddress("service").register(Bare.class, new Doubling()));
  }

  /** Fails if {@code Forwarder.open} throws what the event bus throws. */
  @Test
  @DisplayName("Forwarding over a bridge fails its future")
  void forward() {
    BridgeOptions options = new BridgeOptions().forward(BridgePermit.address("there"));
    EventBusBridge before = EventBusBridge.create(vertx, options);
    Waiting.await(before.forward(PEER));
    Waiting.await(vertx.close());
    assertClosed(before.forward(PEER));
    assertThat(before.snapshot().peers()).isEqualTo(1);
    Waiting.await(before.close());
    EventBusBridge behind = EventBusBridge.create(vertx, options);
    assertClosed(behind.forward(PEER));
    Waiting.await(behind.close());
  }

  /** Fails if {@code EventBusChannelImpl.call} or {@code close} throws what its event loop throws. */
  @Test
  @DisplayName("Calls of a channel fail their futures, and it ends")
  void channel() {
    EventBusChannel before = EventBusChannel.create(vertx, "service");
    Waiting.await(vertx.close());
    assertThat(Waiting.awaitFailure(before.proxy(Bare.class).increment(1))).isInstanceOf(RpcClosedException.class);
    Waiting.await(before.close());
    EventBusChannel behind = EventBusChannel.create(vertx, "service").bind(Bare.class, new Doubling());
    assertThat(Waiting.awaitFailure(behind.proxy(Bare.class).increment(1))).isInstanceOf(RpcClosedException.class);
    Waiting.await(behind.close());
  }
}
