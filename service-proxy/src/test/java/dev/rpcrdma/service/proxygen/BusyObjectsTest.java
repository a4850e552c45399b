// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.service.eventbus.EventBusChannel;
import dev.rpcrdma.service.eventbus.EventBusChannelOptions;
import dev.rpcrdma.service.eventbus.RpcRegistration;
import dev.rpcrdma.service.eventbus.RpcServiceBinder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects whose thread is busy while callers of their methods time out. */
class BusyObjectsTest {

  private static final String ADDRESS = "everything";

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> executed = new LinkedBlockingQueue<>();
  private final Semaphore goesOn = new Semaphore(0);
  /** Calls that were made, which a test makes again although their proxy is closed. */
  private final BlockingQueue<RpcRequest<?>> made = new LinkedBlockingQueue<>();
  private RpcRegistration registration;
  private EventBusChannel channel;
  private Session patient;
  private Session hasty;

  /** Session that blocks its thread in the method {@code begin}. */
  private final class Blocking implements Session {

    @Override
    public Future<String> begin() {
      executed.add("begin");
      goesOn.acquireUninterruptibly();
      return Future.succeededFuture("begun");
    }

    @Override
    public Future<String> insert(String name, JsonObject data) {
      executed.add(name);
      return Future.succeededFuture(name);
    }

    @Override
    public Session note(String text) {
      executed.add(text);
      return this;
    }

    @Override
    public Future<String> notes() {
      return Future.succeededFuture("");
    }

    /** Returns this object under another id. */
    @Override
    public Future<Session> nested(String name) {
      return Future.succeededFuture(this);
    }

    @Override
    public Future<Void> close() {
      executed.add("close");
      return Future.succeededFuture();
    }
  }

  /** Has a worker make two objects, and another thread serve the calls of them. */
  @BeforeEach
  void occupy() {
    Everything service = (Everything) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {Everything.class}, (self, method, arguments) -> Future.succeededFuture(new Blocking()));
    RpcServiceBinder binder = new RpcServiceBinder(vertx).setAddress(ADDRESS);
    BlockingQueue<RpcRegistration> registered = new LinkedBlockingQueue<>();
    Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return binder.register(Everything.class, service).onSuccess(registered::add);
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)));
    channel = EventBusChannel.create(vertx, ADDRESS);
    patient = Waiting.await(channel.proxy(Everything.class).connect(""));
    EventBusChannel shortly =
        EventBusChannel.create(vertx, ADDRESS, new EventBusChannelOptions().setCallTimeout(Duration.ofMillis(200)));
    hasty = Waiting.await(shortly.proxy(Everything.class).connect(""));
    shortly.addCallInterceptor(CallInterceptor.options((request, options) -> {
      made.add(request);
      return options;
    }));
    registration = Waiting.await(binder.register(Everything.class, service));
    Waiting.await(Waiting.next(registered).close());
  }

  @AfterEach
  void close() {
    goesOn.release(100);
    Waiting.await(vertx.close());
  }

  /** Waits until the services' end knows that a caller has gone: it hears of it later than the caller. */
  private void dropped() {
    Waiting.until(() -> registration.calls() == 1);
  }

  /** Fails if {@code HandlerCall.invoke} runs the method of an object without {@code CallInService.begin}. */
  @Test
  @DisplayName("A method of an object whose caller times out while the object's thread is busy is not executed")
  void timedOut() {
    Future<String> first = patient.begin();
    assertThat(Waiting.next(executed)).isEqualTo("begin");
    assertThat(Waiting.awaitFailure(hasty.insert("in vain", new JsonObject()))).isInstanceOf(RpcTimeoutException.class);
    dropped();
    goesOn.release();
    Waiting.await(first);
    Waiting.await(patient.insert("last", new JsonObject()));
    assertThat(executed).containsExactly("last");
  }

  /** Fails if {@code ServedObjects.take} removes the object before its closing method begins. */
  @Test
  @DisplayName("An object whose closing call is dropped is still there, and a later one closes it")
  void closedInVain() {
    Future<String> first = patient.begin();
    assertThat(Waiting.next(executed)).isEqualTo("begin");
    assertThat(Waiting.awaitFailure(hasty.close())).isInstanceOf(RpcTimeoutException.class);
    dropped();
    goesOn.release();
    Waiting.await(first);
    assertThat(executed).isEmpty();
    RpcRequest<?> close = Waiting.next(made);
    Waiting.await(channel.call(close));
    assertThat(executed).containsExactly("close");
    assertThat(Waiting.awaitFailure(channel.call(close))).hasMessageContaining("There is no such Session");
  }

  /** Fails if {@code HandlerCall.invokeHere} does not ask whether the object is there. */
  @Test
  @DisplayName("Two calls that close an object while its thread is busy close it once")
  void closedTwice() {
    Future<String> first = patient.begin();
    assertThat(Waiting.next(executed)).isEqualTo("begin");
    Waiting.awaitFailure(hasty.close());
    dropped();
    RpcRequest<?> close = Waiting.next(made);
    Future<?> one = channel.call(close);
    Future<?> two = channel.call(close);
    Waiting.until(() -> channel.calls() == 3);
    goesOn.release();
    Waiting.await(first);
    Waiting.await(one);
    assertThat(Waiting.awaitFailure(two)).hasMessageContaining("There is no such Session");
    assertThat(executed).containsExactly("close");
  }
}
