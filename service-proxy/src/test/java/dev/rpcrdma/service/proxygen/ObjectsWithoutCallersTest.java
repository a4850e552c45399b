// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.service.eventbus.EventBusChannel;
import dev.rpcrdma.service.eventbus.EventBusChannelOptions;
import dev.rpcrdma.service.eventbus.RpcServiceBinder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.serviceproxy.ServiceException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects that a service makes and that no caller gets. */
class ObjectsWithoutCallersTest {

  private static final int MOST = 10_000;

  private final Vertx vertx = Vertx.vertx();
  private final EverythingImpl service = new EverythingImpl();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code HandlerCall.make} does not close the object for which the table has no room. */
  @Test
  @DisplayName("The object above the bound is closed, and its caller hears of the bound; a closed object makes room")
  void tooMany() {
    Waiting.await(new RpcServiceBinder(vertx).setAddress("everything").register(Everything.class, service));
    Everything proxy = EventBusChannel.create(vertx, "everything").proxy(Everything.class);
    List<Future<Session>> sessions = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      sessions.add(proxy.connect(Integer.toString(i)));
    }
    sessions.forEach(Waiting::await);
    assertThat(Waiting.awaitFailure(proxy.connect("more"))).isInstanceOfSatisfying(ServiceException.class,
        e -> assertThat(e.failureCode()).isEqualTo(429)).hasMessageContaining("10000 objects of the event bus");
    assertThat(Waiting.next(service.closed)).isEqualTo("more");
    Waiting.await(sessions.get(7).result().close());
    assertThat(Waiting.next(service.closed)).isEqualTo("7");
    assertThat(Waiting.await(Waiting.await(proxy.connect("again")).begin())).isEqualTo("again begun");
    assertThat(service.closed).isEmpty();
  }

  /** Fails if {@code ServedObjects.add} adds an object whose caller waits no longer. */
  @Test
  @DisplayName("An object that is made when its caller has given up is closed")
  void abandoned() {
    Everything slow = (Everything) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {Everything.class}, (self, method, arguments) -> {
          Promise<Session> late = Promise.promise();
          RpcCall.current().abandonHandler(gone -> late.complete(new SessionImpl("late", service.closed)));
          return late.future();
        });
    Waiting.await(new RpcServiceBinder(vertx).setAddress("slow").register(Everything.class, slow));
    EventBusChannel channel =
        EventBusChannel.create(vertx, "slow", new EventBusChannelOptions().setCallTimeout(Duration.ofMillis(100)));
    assertThat(Waiting.awaitFailure(channel.proxy(Everything.class).connect("any")))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(Waiting.next(service.closed)).isEqualTo("late");
  }
}
