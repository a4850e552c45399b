// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.service.fixture.OrderEvents;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A channel of the event bus, and whoever answers it. */
class EventBusChannelTest {

  private static final String ADDRESS = "errands";

  private final Vertx vertx = Vertx.vertx();
  private final ErrandBoy boy = new ErrandBoy();
  private final BlockingQueue<Message<Object>> messages = new LinkedBlockingQueue<>();
  private final EventBusChannel channel = EventBusChannel.create(vertx, ADDRESS);
  private final Errands errands = channel.proxy(Errands.class);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void answer(Handler<Message<Object>> answer) {
    Waiting.await(vertx.eventBus().<Object>consumer(ADDRESS, message -> {
      messages.add(message);
      answer.handle(message);
    }).completion());
  }

  private RpcRegistration serve() {
    return Waiting.await(new RpcServiceBinder(vertx).setAddress(ADDRESS).register(Errands.class, boy));
  }

  private static DeliveryOptions status(String status) {
    return new DeliveryOptions().addHeader("rpcrdma:accept-stat", status);
  }

  @Test
  @DisplayName("A call is a message of these bytes and headers")
  void wire() {
    answer(message -> message.reply(Buffer.buffer(new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 'b', 0, 0, 0}), status("0")));
    Errands mine = channel.setToken("t").proxy(Errands.class, CallOptions.DEFAULT.withHeader("tenant", "blue")
        .withTimeout(Duration.ofSeconds(9)).withCredentials(new AuthSys(0, "d", 1, 2, List.of()).toAuth()));
    assertThat(Waiting.await(mine.echo("a"))).isEqualTo("b");
    Message<Object> message = Waiting.next(messages);
    assertThat(((Buffer) message.body()).getBytes()).containsExactly(0, 0, 0, 1, 'a', 0, 0, 0);
    Map<String, String> headers = new TreeMap<>();
    message.headers().forEach(headers::put);
    assertThat(Integer.parseInt(headers.remove("rpcrdma:millis"))).isBetween(1, 9001);
    assertThat(headers.remove("rpcrdma:channel")).hasSize(36);
    assertThat(headers.remove("rpcrdma:xid")).matches("[0-9]+");
    assertThat(headers).isEqualTo(Map.of("auth-token", "t", "tenant", "blue", "rpcrdma:program", "537264152",
        "rpcrdma:version", "1", "rpcrdma:procedure", "1", "rpcrdma:name", "Errands/echo",
        "rpcrdma:credential", "1 AAAAAAAAAAFkAAAAAAAAAQAAAAIAAAAA"));
  }

  private void assertFails(Handler<Message<Object>> answer, Class<? extends RpcException> type) {
    answer(answer);
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOfSatisfying(type,
        e -> assertThat(e.maybeExecuted()).isTrue()).hasMessageContaining("Errands/echo");
  }

  @Test
  @DisplayName("A reply of somebody else is none")
  void foreignReplies() {
    // Each registration gets a message in turn.
    assertFails(message -> message.reply("text"), RpcTransportException.class);
  }

  @Test
  @DisplayName("A Buffer alone is no reply")
  void foreignBuffer() {
    assertFails(message -> message.reply(Buffer.buffer(new byte[12])), RpcTransportException.class);
  }

  @Test
  @DisplayName("Results are in a Buffer")
  void resultsInText() {
    assertFails(message -> message.reply("text", status("0")), RpcTransportException.class);
  }

  @Test
  @DisplayName("Large results are in a Buffer, too")
  void largeResultsInText() {
    assertFails(message -> message.reply("text", status("0").addHeader("rpcrdma:large", "2000000")),
        RpcTransportException.class);
  }

  @Test
  @DisplayName("There is no accept_stat 6")
  void unknownStatus() {
    assertFails(message -> message.reply(Buffer.buffer(), status("6")), RpcTransportException.class);
  }

  @Test
  @DisplayName("PROG_MISMATCH says what is served")
  void mismatchWithoutVersions() {
    assertFails(message -> message.reply(Buffer.buffer(), status("2")), RpcTransportException.class);
  }

  @Test
  @DisplayName("A failure of somebody else's handler is told as it is")
  void recipientFailure() {
    assertFails(message -> message.fail(5, "not me"), RpcTransportException.class);
  }

  @Test
  @DisplayName("Results that are none are told apart")
  void garbage() {
    assertFails(message -> message.reply(Buffer.buffer("??"), status("0")), RpcDecodingException.class);
  }

  @Test
  @DisplayName("An auth_stat that nobody knows is a refusal")
  void unknownAuthStatus() {
    answer(message -> message.reply(Buffer.buffer(), new DeliveryOptions().addHeader("rpcrdma:auth-stat", "99")));
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.FAILED));
  }

  @Test
  @DisplayName("Without an answer a call ends with its time, and a late one is dropped")
  void noAnswer() {
    answer(message -> { });
    Errands hurried = channel.proxy(Errands.class, CallOptions.DEFAULT.withTimeout(Duration.ofMillis(50)));
    assertThat(Waiting.awaitFailure(hurried.echo("a"))).isInstanceOf(RpcTimeoutException.class);
    Waiting.next(messages).reply(Buffer.buffer(new byte[] {0, 0, 0, 0, 0, 0, 0, 0}), status("0"));
    Waiting.until(() -> channel.calls() == 0);
  }

  @Test
  @DisplayName("A call that is cancelled is told of to whoever may serve it")
  void cancelling() {
    answer(message -> { });
    BlockingQueue<MultiMap> cancelled = new LinkedBlockingQueue<>();
    for (int i = 0; i < 2; i++) {
      Waiting.await(vertx.eventBus().consumer("rpcrdma:cancel:" + ADDRESS, message -> cancelled.add(message.headers()))
          .completion());
    }
    Cancellation cancellation = Cancellation.create();
    Future<String> call =
        channel.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation)).echo("a");
    MultiMap sent = Waiting.next(messages).headers();
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    for (int i = 0; i < 2; i++) {
      MultiMap told = Waiting.next(cancelled);
      assertThat(told.get("rpcrdma:channel")).isEqualTo(sent.get("rpcrdma:channel"));
      assertThat(told.get("rpcrdma:xid")).isEqualTo(sent.get("rpcrdma:xid"));
    }
  }

  @Test
  @DisplayName("Headers of the event bus's own are not sent")
  void headersOfVertx() {
    answer(message -> { });
    Errands mine = channel.proxy(Errands.class, CallOptions.DEFAULT.withHeader("__vertx.credit", "1"));
    assertThat(Waiting.awaitFailure(mine.echo("a"))).isInstanceOf(RpcEncodingException.class)
        .hasMessageContaining("__vertx.credit");
    assertThat(messages).isEmpty();
  }

  @Test
  @DisplayName("One call too many is not sent")
  void maxCalls() {
    serve();
    EventBusChannel narrow =
        EventBusChannel.create(vertx, ADDRESS, new EventBusChannelOptions().setMaxCalls(1));
    Cancellation cancellation = Cancellation.create();
    Future<Void> first =
        narrow.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation)).never();
    assertThat(Waiting.awaitFailure(narrow.proxy(Errands.class).echo("a"))).isInstanceOfSatisfying(
        RpcResourceException.class, e -> assertThat(e.maybeExecuted()).isFalse());
    cancellation.cancel();
    Waiting.awaitFailure(first);
    assertThat(Waiting.await(narrow.proxy(Errands.class).echo("a"))).isEqualTo("a");
    assertThat(narrow.calls()).isZero();
  }

  @Test
  @DisplayName("A channel that is closed lets calls finish, and takes no more")
  void closing() {
    Promise<Message<Object>> begun = Promise.promise();
    answer(begun::tryComplete);
    Future<String> call = errands.echo("a");
    Message<Object> message = Waiting.await(begun.future());
    Future<Void> closed = channel.close();
    assertThat(Waiting.awaitFailure(errands.echo("b"))).isInstanceOfSatisfying(RpcClosedException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(closed.isComplete()).isFalse();
    message.reply(Buffer.buffer(new byte[] {0, 0, 0, 0, 0, 0, 0, 0}), status("0"));
    assertThat(Waiting.await(call)).isEmpty();
    Waiting.await(closed);
    Waiting.await(channel.close());
    assertThatThrownBy(() -> channel.bind(ErrandEvents.class, value -> null)).isInstanceOf(RpcClosedException.class);
  }

  @Test
  @Tag("slow")
  @DisplayName("A call that is never answered does not keep a channel open")
  void closingWithoutAnswer() {
    answer(message -> { });
    Future<String> call = errands.echo("a");
    Waiting.next(messages);
    Waiting.await(channel.close());
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcClosedException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
  }

  @Test
  @DisplayName("After the end of Vert.x calls fail, too")
  void endOfVertx() {
    serve();
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
    Waiting.await(vertx.close());
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOf(RpcClosedException.class);
    assertThat(Waiting.awaitFailure(EventBusChannel.create(vertx, ADDRESS).proxy(Errands.class).echo("a")))
        .isInstanceOf(RpcClosedException.class);
  }

  private boolean decodedByWorker(String text) {
    RpcRequest<Boolean> request = RpcRequest.to(TransportContract.BINDING, 1)
        .arguments(writer -> writer.string(text)).results(reader -> {
          reader.int32();
          assertThat(reader.string(text.length())).isEqualTo(text);
          return Context.isOnWorkerThread();
        }).build();
    return Waiting.await(channel.call(request));
  }

  @Test
  @DisplayName("A worker reads what is large")
  void large() {
    serve();
    assertThat(decodedByWorker("small")).isFalse();
    assertThat(decodedByWorker("x".repeat(2 * 1024 * 1024))).isTrue();
  }

  @Test
  @DisplayName("Outcomes come on the caller's context")
  void contexts() {
    serve();
    Context context = vertx.getOrCreateContext();
    for (String text : List.of("small", "x".repeat(2 * 1024 * 1024))) {
      Promise<Context> outcome = Promise.promise();
      context.runOnContext(go -> errands.echo(text).onComplete(done -> outcome.complete(Vertx.currentContext())));
      assertThat(Waiting.await(outcome.future())).isSameAs(context);
    }
  }

  @Test
  @DisplayName("Each channel serves what is bound to it, behind interceptors of both ends")
  void callbacks() {
    Waiting.await(new RpcServiceBinder(vertx).setAddress(ADDRESS).addCallInterceptor(
        CallInterceptor.options((request, options) -> options.withHeader("from", "the service")))
        .register(Errands.class, boy));
    EventBusChannel other = EventBusChannel.create(vertx, ADDRESS);
    for (EventBusChannel each : List.of(channel, other)) {
      each.addServiceInterceptor((call, next) -> {
        call.attributes().put("seen", call.headers());
        return next.handle(call);
      });
      each.bind(OrderEvents.class, order -> Future.succeededFuture());
      each.bind(ErrandEvents.class, value -> {
        boy.heard.add(RpcCall.current().attributes().toString());
        return Future.succeededFuture(each == channel ? value : -value);
      });
      assertThatThrownBy(() -> each.bind(ErrandEvents.class, value -> null))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> each.addServiceInterceptor((call, next) -> next.handle(call)))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(Waiting.await(errands.ask(3))).isEqualTo(3);
    assertThat(Waiting.await(other.proxy(Errands.class).ask(3))).isEqualTo(-3);
    assertThat(Waiting.next(boy.heard)).isEqualTo("{seen={from=the service}}");
  }

  @Test
  @DisplayName("A peer that is gone is not called")
  void peerIsGone() {
    Promise<RpcCaller> peer = Promise.promise();
    Waiting.await(new RpcServiceBinder(vertx).setAddress(ADDRESS).addInterceptor((call, next) -> {
      peer.tryComplete(call.peer());
      return next.handle(call);
    }).register(Errands.class, boy));
    channel.bind(ErrandEvents.class, value -> Future.succeededFuture(value + 1));
    Waiting.await(errands.echo("a"));
    ErrandEvents events = Waiting.await(peer.future()).proxy(ErrandEvents.class);
    assertThat(Waiting.await(events.asked(1))).isEqualTo(2);
    Waiting.await(channel.close());
    assertThat(Waiting.awaitFailure(events.asked(1))).isInstanceOfSatisfying(RpcConnectException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
  }
}
