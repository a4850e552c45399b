// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Either end of the event bus is closed in the middle of a call. */
class ClosedCallersTest {

  private static final String ADDRESS = "errands";

  private final Vertx vertx = Vertx.vertx();
  private final ErrandBoy boy = new ErrandBoy();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code TransportCallerImpl.close} ends calls without {@code CallTransport.givenUp}. */
  @Test
  @DisplayName("A service hears that the channel is closed that has called it, so that nobody waits")
  void closedChannel() {
    Waiting.await(new RpcServiceBinder(vertx).setAddress(ADDRESS).register(Errands.class, boy));
    EventBusChannel channel = EventBusChannel.create(vertx, ADDRESS);
    Future<Void> call = channel.proxy(Errands.class).never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    Waiting.await(channel.close());
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcClosedException.class);
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
  }

  /** Registers on a context of its own. */
  private final class Registering extends VerticleBase {

    private final Promise<RpcRegistration> registered = Promise.promise();
    private Context own;

    @Override
    public Future<?> start() {
      own = Vertx.currentContext();
      return new RpcServiceBinder(vertx).setAddress(ADDRESS).register(Errands.class, boy).onComplete(registered);
    }
  }

  /**
   * Fails if {@code BusTransport.failed} takes each {@code TIMEOUT} for one: the event bus says so of messages that a
   * consumer discards, as it is closed.
   */
  @Test
  @DisplayName("A call that a registration has not looked at before it was closed was not executed")
  void discarded() {
    Registering service = new Registering();
    Waiting.await(vertx.deployVerticle(service));
    RpcRegistration registration = Waiting.await(service.registered.future());
    EventBusChannel channel = EventBusChannel.create(vertx, ADDRESS);
    BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    vertx.eventBus().addOutboundInterceptor(delivery -> {
      delivery.next();
      sent.add(delivery.message().address());
    });
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    service.own.runOnContext(busy -> {
      held.countDown();
      Waiting.await(go);
    });
    Waiting.await(held);
    Future<Void> closed = registration.close();
    Future<String> call = channel.proxy(Errands.class,
        CallOptions.DEFAULT.withTimeout(Duration.ofMinutes(10))).echo("a");
    assertThat(Waiting.next(sent)).isEqualTo(ADDRESS);
    go.countDown();
    Waiting.await(closed);
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcException.class, e -> {
      assertThat(boy.context).isNull();
      assertThat(e).hasMessageNotContaining("within the call's timeout");
      assertThat(e.maybeExecuted()).isFalse();
    });
  }

  /** Fails if {@code BusEndpoint.close} removes the close hook before the last call has ended. */
  @Test
  @DisplayName("The end of its context gives up calls of a registration that is closing already")
  void closingAndUndeployed() {
    Registering service = new Registering();
    String deployment = Waiting.await(vertx.deployVerticle(service));
    EventBusChannel.create(vertx, ADDRESS).proxy(Errands.class).never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    Waiting.await(service.registered.future()).close();
    vertx.undeploy(deployment);
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
  }

  /** Makes a call and does not wait for it. */
  private final class Calling extends VerticleBase {

    private final Promise<String> outcome = Promise.promise();
    private EventBusChannel channel;

    @Override
    public Future<?> start() {
      channel = EventBusChannel.create(vertx, ADDRESS);
      channel.proxy(Errands.class).echo("a").onComplete(outcome);
      return Future.succeededFuture();
    }
  }

  /**
   * Fails if {@code TransportCallerImpl} has the context of a verticle, with whose end the event bus forgets who waits
   * for a reply.
   */
  @ParameterizedTest
  @EnumSource(value = ThreadingModel.class, names = {"EVENT_LOOP", "WORKER"})
  @DisplayName("A call that is under way when its verticle is undeployed may finish")
  void callerUndeployed(ThreadingModel threads) {
    BlockingQueue<Message<Object>> messages = new LinkedBlockingQueue<>();
    Waiting.await(vertx.eventBus().<Object>consumer(ADDRESS, messages::add).completion());
    Calling verticle = new Calling();
    String deployment =
        Waiting.await(vertx.deployVerticle(verticle, new DeploymentOptions().setThreadingModel(threads)));
    Message<Object> message = Waiting.next(messages);
    Future<Void> undeployed = vertx.undeploy(deployment);
    Waiting.until(() -> Waiting.outcome(verticle.channel.call(RpcRequest.to(TransportContract.BINDING, 1)
        .arguments(out -> out.string("probe")).results(in -> 0)
        .options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50))).build())) instanceof RpcClosedException);
    message.reply(Buffer.buffer(new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 'b', 0, 0, 0}),
        new DeliveryOptions().addHeader("rpcrdma:accept-stat", "0"));
    assertThat(Waiting.await(verticle.outcome.future())).isEqualTo("b");
    Waiting.await(undeployed);
  }
}
