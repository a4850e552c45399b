// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How services are registered on the event bus, and bounded. */
class EventBusServingTest {

  private static final String ADDRESS = "errands";

  private final Vertx vertx = Vertx.vertx();
  private final ErrandBoy boy = new ErrandBoy();
  private final RpcServiceBinder binder = new RpcServiceBinder(vertx).setAddress(ADDRESS);
  private final EventBusChannel channel = EventBusChannel.create(vertx, ADDRESS);
  private final Errands errands = channel.proxy(Errands.class);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("A registration that is closed lets calls finish, and takes no more")
  void closing() {
    RpcRegistration registration = Waiting.await(binder.register(Errands.class, boy));
    assertThat(registration.address()).isEqualTo(ADDRESS);
    Cancellation cancellation = Cancellation.create();
    Future<Void> call =
        channel.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation)).never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    assertThat(registration.calls()).isOne();
    Future<Void> closed = registration.close();
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOf(RpcConnectException.class);
    assertThat(closed.isComplete()).isFalse();
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    Waiting.await(closed);
    Waiting.await(registration.close());
    assertThat(registration.calls()).isZero();
  }

  @Test
  @DisplayName("Closing waits no longer than a service may take")
  void closingWithoutAnswer() {
    RpcRegistration registration =
        Waiting.await(binder.setTimeout(Duration.ofMillis(100)).register(Errands.class, boy));
    Future<Void> call = errands.never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    Waiting.await(registration.close());
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcRejectedException.class);
  }

  @Test
  @DisplayName("A shutdown gives up what takes longer")
  void shutdown() {
    RpcRegistration registration = Waiting.await(binder.register(Errands.class, boy));
    Future<Void> call = errands.never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    Future<Void> closed = registration.close();
    Waiting.await(registration.shutdown(Duration.ofMillis(1)));
    Waiting.await(closed);
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
    assertThatThrownBy(() -> registration.shutdown(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("One call too many is refused, and was not executed")
  void maxCalls() {
    RpcRegistration registration = Waiting.await(binder.setMaxCalls(1).register(Errands.class, boy));
    Cancellation cancellation = Cancellation.create();
    channel.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation)).never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOfSatisfying(RpcResourceException.class, e -> {
      assertThat(e.maybeExecuted()).isFalse();
      assertThat(e).hasMessageContaining("Errands/echo").hasMessageContaining("maxCalls");
    });
    cancellation.cancel();
    Waiting.until(() -> registration.calls() == 0);
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
  }

  /** Keeps its calls, whatever becomes of their callers. */
  private static final class Clerk implements Orders {

    final BlockingQueue<Promise<Long>> placed = new LinkedBlockingQueue<>();

    @Override
    public Future<Long> place(String article, int count) {
      Promise<Long> promise = Promise.promise();
      placed.add(promise);
      return promise.future();
    }

    @Override
    public Future<List<String>> find(String prefix) {
      return Future.succeededFuture(List.of());
    }
  }

  /** Fails if {@code HostedCall} ends an execution when its call is given up, or never. */
  @Test
  @DisplayName("Calls that were cancelled count as long as their service executes them")
  void cancelledCallsCount() {
    Clerk clerk = new Clerk();
    Waiting.await(binder.setMaxCalls(1).register(Orders.class, clerk));
    Cancellation cancellation = Cancellation.create();
    Future<Long> call = channel.proxy(Orders.class, CallOptions.DEFAULT.withCancellation(cancellation)).place("tea", 1);
    Promise<Long> executing = Waiting.next(clerk.placed);
    cancellation.cancel();
    Waiting.awaitFailure(call);
    Orders orders = channel.proxy(Orders.class);
    for (int i = 0; i < 3; i++) {
      assertThat(Waiting.awaitFailure(orders.find(""))).isInstanceOf(RpcResourceException.class);
    }
    executing.complete(1L);
    Waiting.until(() -> Waiting.outcome(orders.find("")) == null);
  }

  @Test
  @DisplayName("Callers hear why a service has failed if that is asked for")
  void debugInfo() {
    Waiting.await(binder.setIncludeDebugInfo(true).register(Errands.class, boy));
    ServiceException failed = (ServiceException) Waiting.awaitFailure(errands.fail("failed"));
    assertThat(failed.failureCode()).isEqualTo(-1);
    assertThat(failed).hasMessage("on purpose");
    JsonObject info = failed.getDebugInfo();
    assertThat(info.getString("causeName")).isEqualTo("java.lang.IllegalStateException");
    assertThat(info.getString("causeMessage")).isEqualTo("on purpose");
    assertThat(info.getJsonArray("causeStackTrace").getString(0)).contains("ErrandBoy.fail");
    assertThat(((ServiceException) Waiting.awaitFailure(errands.fail("thrown"))).failureCode()).isEqualTo(500);
    assertThat(((ServiceException) Waiting.awaitFailure(errands.fail("service"))).failureCode()).isEqualTo(7);
    assertThat(((RpcRejectedException) Waiting.awaitFailure(errands.fail("status"))).acceptStatus())
        .contains(AcceptStatus.PROC_UNAVAIL);
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
  }

  /** Fails if {@code HandlerCall.failure} writes a {@code ServiceException} whatever the program says of failures. */
  @Test
  @DisplayName("Callers of a program without failures hear SYSTEM_ERR, even if debug info is asked for")
  void debugInfoOfBareProgram() {
    Waiting.await(binder.setIncludeDebugInfo(true).register(Bare.class, new Bare() {
      @Override
      public Future<Integer> increment(int value) {
        return Future.failedFuture(new IllegalStateException("on purpose"));
      }

      @Override
      public Future<Void> nothing() {
        throw new ServiceException(7, "on purpose");
      }
    }));
    Bare bare = channel.proxy(Bare.class);
    for (Future<?> call : List.of(bare.increment(1), bare.nothing())) {
      assertThat(((RpcRejectedException) Waiting.awaitFailure(call)).acceptStatus()).contains(AcceptStatus.SYSTEM_ERR);
    }
  }

  /** An exception of an application that answers no question. */
  private static final class SilentException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no message");
    }

    @Override
    public String toString() {
      return "silent";
    }
  }

  /** Fails if {@code DebugInfo.failure} lets an exception out, or if {@code HandlerCall.failure} sends another one. */
  @Test
  @DisplayName("A failure of which no debug info can be made is what it is without")
  void noDebugInfo() {
    boy.failure = new SilentException();
    BlockingQueue<Throwable> sent = new LinkedBlockingQueue<>();
    Waiting.await(binder.setIncludeDebugInfo(true)
        .addInterceptor((call, next) -> next.handle(call).onFailure(sent::add)).register(Errands.class, boy));
    for (String how : List.of("given", "given and thrown")) {
      assertThat(Waiting.awaitFailure(errands.fail(how))).isInstanceOfSatisfying(RpcRejectedException.class,
          e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
      assertThat(Waiting.next(sent) == boy.failure).isTrue();
    }
  }

  @Test
  @DisplayName("Programs without a union have SYSTEM_ERR all the same")
  void debugInfoOfBarePrograms() {
    Bare bare = new Bare() {
      @Override
      public Future<Integer> increment(int value) {
        return Future.failedFuture("on purpose");
      }

      @Override
      public Future<Void> nothing() {
        return Future.succeededFuture();
      }
    };
    Waiting.await(binder.setIncludeDebugInfo(true).register(Bare.class, bare));
    assertThat(Waiting.awaitFailure(channel.proxy(Bare.class).increment(1)))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
    Waiting.await(channel.proxy(Bare.class).nothing());
  }

  @Test
  @DisplayName("A token that is refused is AUTH_ERROR, whatever becomes of its verifier")
  void refusedTokens() {
    Waiting.await(binder.withTokens((token, connection) -> switch (token) {
      case "thrown" -> throw new IllegalStateException("on purpose");
      case "null" -> null;
      case "good" -> Future.succeededFuture(new RpcUser("alice"));
      default -> Future.failedFuture("on purpose");
    }).register(Errands.class, boy));
    for (String token : List.of("thrown", "null", "failed")) {
      channel.setToken(token);
      assertThat(Waiting.awaitFailure(errands.look("user"))).isInstanceOfSatisfying(RpcRejectedException.class,
          e -> assertThat(e.authStatus()).contains(AuthStatus.BADCRED));
    }
    Errands alice = channel.proxy(Errands.class, CallOptions.DEFAULT.withHeader("auth-token", "good"));
    assertThat(Waiting.await(alice.look("user"))).isEqualTo("alice");
    Errands ofThisCall = channel.proxy(Errands.class, CallOptions.DEFAULT.withToken("good"));
    assertThat(Waiting.await(ofThisCall.look("user"))).isEqualTo("alice");
    channel.setToken("g" + "ood");
    assertThat(Waiting.await(errands.look("user"))).isEqualTo("alice");
  }

  @Test
  @DisplayName("Several services are at one address")
  void severalServices() {
    Waiting.await(binder.register(
        List.of(binder.service(Errands.class, boy), binder.service(Orders.class, new OrderDesk())), true));
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
    assertThat(Waiting.await(channel.proxy(Orders.class).place("tea", 1))).isOne();
    assertThatThrownBy(() -> binder.register(
        List.of(binder.service(Errands.class, boy), binder.service(Errands.class, boy)), true))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Errands");
  }

  @Test
  @DisplayName("What a binder is told has to make sense")
  void wrongSettings() {
    assertThatThrownBy(() -> new RpcServiceBinder(vertx).register(Errands.class, boy))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("address");
    assertThatThrownBy(() -> binder.setTimeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> binder.setTimeout(Duration.ofDays(2))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> binder.setMaxCalls(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> binder.register(Errands.class, null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  @DisplayName("There is no connection")
  void noConnection() {
    binder.addInterceptor((call, next) -> {
      assertThatThrownBy(call::connection).isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("peer()");
      assertThat(RpcCall.current()).isSameAs(call);
      return next.handle(call);
    });
    Waiting.await(binder.register(Errands.class, boy));
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
  }

  /** Registers on its own context. */
  private final class Registering extends VerticleBase {
    private Context own;

    @Override
    public Future<?> start() {
      own = Vertx.currentContext();
      return binder.register(Errands.class, boy);
    }
  }

  @ParameterizedTest
  @EnumSource(value = ThreadingModel.class, names = {"EVENT_LOOP", "WORKER"})
  @DisplayName("A service runs on duplicates of the context it was registered on, until that ends")
  void contexts(ThreadingModel threads) {
    Registering verticle = new Registering();
    String deployment = Waiting.await(
        vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(threads)));
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
    assertThat(boy.context.deploymentID()).isEqualTo(deployment);
    assertThat(boy.context).isNotSameAs(verticle.own);
    assertThat(boy.context.threadingModel()).isEqualTo(threads);
    Waiting.await(vertx.undeploy(deployment));
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOf(RpcConnectException.class);
  }

  /** Holds its worker until it is let go. */
  private static final class Holding implements Bare {
    private final Promise<Void> begun = Promise.promise();
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile boolean inVain;

    @Override
    public Future<Integer> increment(int value) {
      begun.tryComplete();
      Waiting.await(go);
      return Future.succeededFuture(value + 1);
    }

    @Override
    public Future<Void> nothing() {
      inVain = true;
      return Future.succeededFuture();
    }
  }

  @Test
  @DisplayName("Calls to a worker that is busy are given up, and never begun")
  void busyWorker() {
    Holding holding = new Holding();
    Promise<RpcRegistration> registered = Promise.promise();
    Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return binder.register(Bare.class, holding).onComplete(registered);
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)));
    Future<Integer> held = channel.proxy(Bare.class).increment(1);
    Waiting.await(holding.begun.future());
    Cancellation cancellation = Cancellation.create();
    Future<Void> second =
        channel.proxy(Bare.class, CallOptions.DEFAULT.withCancellation(cancellation)).nothing();
    Future<Void> third =
        channel.proxy(Bare.class, CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50))).nothing();
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(second)).isInstanceOf(RpcCancelledException.class);
    Waiting.awaitFailure(third);
    Waiting.until(() -> Waiting.await(registered.future()).calls() == 1);
    holding.go.countDown();
    assertThat(Waiting.await(held)).isEqualTo(2);
    // Comes behind both.
    assertThat(Waiting.await(channel.proxy(Bare.class).increment(2))).isEqualTo(3);
    assertThat(holding.inVain).isFalse();
  }
}
