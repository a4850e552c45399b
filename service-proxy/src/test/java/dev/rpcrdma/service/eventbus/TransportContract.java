// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an interface is over any transport. */
abstract class TransportContract {

  static final UpperLayerBinding BINDING = ServiceBinding.of(Errands.class).upperLayerBinding();
  private static final int SMALL = 100;
  private static final int LARGE = 3 * 1024 * 1024;

  /** What a test wants of both ends. */
  static final class Wanted {
    final List<ServiceInterceptor> guards = new ArrayList<>();
    final List<CallInterceptor> calls = new ArrayList<>();
    RpcAccess access = RpcAccess.ALL;
    TokenVerifier tokens;
    String token;
    Duration serviceTimeout = Duration.ofSeconds(60);
  }

  final Vertx vertx = Vertx.vertx();
  final ErrandBoy boy = new ErrandBoy();
  final Wanted wanted = new Wanted();
  RpcCaller channel;
  Errands errands;

  /** Serves, and makes a channel that has been used. */
  abstract RpcCaller open();

  /** Serves to the service. */
  abstract void bind(ErrandEvents events);

  /** A channel to where nobody is. */
  abstract RpcCaller nowhere();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  final void begin() {
    channel = open();
    errands = channel.proxy(Errands.class);
    boy.next = channel;
  }

  /** On a context, as payloads want it. */
  final <T> Future<T> onContext(Supplier<Future<T>> call) {
    return Future.future(promise -> vertx.runOnContext(go -> call.get().onComplete(promise)));
  }

  final void assertRejected(Future<?> call, AcceptStatus status) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class, e -> {
      assertThat(e.acceptStatus()).contains(status);
      assertThat(e.maybeExecuted()).isTrue();
    });
  }

  private static boolean released(Payload payload) {
    try {
      payload.bytes();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static RpcRequest.Builder<Void> request(int program, int version, int procedure) {
    return RpcRequest.to(program, version, procedure).withoutBinding();
  }

  @Test
  @DisplayName("Results come back")
  void results() {
    begin();
    assertThat(Waiting.await(errands.echo("a ß"))).isEqualTo("a ß");
    assertThat(Waiting.await(errands.look("numbers"))).isEqualTo(0x20060018 + " 1 6");
  }

  @Test
  @DisplayName("A service exception crosses as it is")
  void serviceException() {
    begin();
    assertThat(Waiting.awaitFailure(errands.fail("service"))).isInstanceOfSatisfying(ServiceException.class, e -> {
      assertThat(e.failureCode()).isEqualTo(7);
      assertThat(e).hasMessage("no: ß");
      assertThat(e.getDebugInfo()).isEqualTo(new JsonObject().put("a", 1));
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"failed", "thrown", "error", "null"})
  @DisplayName("Other failures of a service are SYSTEM_ERR")
  void systemError(String how) {
    begin();
    assertRejected(errands.fail(how), AcceptStatus.SYSTEM_ERR);
    assertThat(Waiting.await(errands.echo("still there"))).isEqualTo("still there");
  }

  @Test
  @DisplayName("A service chooses a status")
  void status() {
    begin();
    assertRejected(errands.fail("status"), AcceptStatus.PROC_UNAVAIL);
  }

  @Test
  @DisplayName("What is not served is refused, and NULL is always there")
  void unavailable() {
    begin();
    int program = BINDING.program();
    assertRejected(channel.call(request(program, 1, 99).build()), AcceptStatus.PROC_UNAVAIL);
    assertRejected(channel.call(request(program, 2, 1).build()), AcceptStatus.PROG_MISMATCH);
    assertRejected(channel.call(request(0x20060099, 1, 1).build()), AcceptStatus.PROG_UNAVAIL);
    Waiting.await(channel.call(RpcRequest.to(program, 1, 0).build()));
  }

  @Test
  @DisplayName("Arguments that cannot be decoded are GARBAGE_ARGS")
  void garbage() {
    begin();
    assertRejected(channel.call(RpcRequest.to(BINDING, 1).arguments(writer -> writer.int32(77)).build()),
        AcceptStatus.GARBAGE_ARGS);
    assertRejected(channel.call(RpcRequest.to(BINDING, 3).arguments(writer -> writer.int32(77)).build()),
        AcceptStatus.GARBAGE_ARGS);
    assertThat(boy.heard).isEmpty();
  }

  @Test
  @DisplayName("Results that cannot be decoded are told apart from those that do not come")
  void decoding() {
    begin();
    Future<Long> wrong = channel.call(RpcRequest.to(BINDING, 6).arguments(writer -> writer.string("user"))
        .results(reader -> {
          reader.end();
          return 1L;
        }).build());
    assertThat(Waiting.awaitFailure(wrong)).isInstanceOfSatisfying(RpcDecodingException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
  }

  @Test
  @DisplayName("Arguments that cannot be encoded are not sent")
  void encoding() {
    begin();
    assertThat(Waiting.awaitFailure(errands.echo(null))).isInstanceOfSatisfying(RpcEncodingException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    Payload released = Payload.allocate(vertx, SMALL);
    released.release();
    assertThat(Waiting.awaitFailure(errands.sum(released))).isInstanceOf(RpcEncodingException.class);
    assertThat(boy.lent).isNull();
  }

  @Test
  @DisplayName("A call ends with its time, and its service hears")
  void timeout() {
    begin();
    for (Duration timeout = Duration.ofMillis(50); boy.heard.isEmpty(); timeout = timeout.multipliedBy(2)) {
      Errands hurried = channel.proxy(Errands.class, CallOptions.DEFAULT.withTimeout(timeout));
      assertThat(Waiting.awaitFailure(hurried.never())).isInstanceOfSatisfying(RpcTimeoutException.class,
          e -> assertThat(e.maybeExecuted()).isTrue());
    }
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
  }

  @Test
  @DisplayName("A service has only so much time")
  void serviceTimeout() {
    wanted.serviceTimeout = Duration.ofMillis(100);
    begin();
    assertRejected(errands.never(), AcceptStatus.SYSTEM_ERR);
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
  }

  @Test
  @DisplayName("A service knows how much time is left")
  void millisLeft() {
    begin();
    Errands hurried = channel.proxy(Errands.class, CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(9)));
    assertThat(Long.parseLong(Waiting.await(hurried.look("millis")))).isBetween(1L, 9000L);
    assertThat(Long.parseLong(Waiting.await(errands.look("millis")))).isBetween(9001L, 30_000L);
  }

  @Test
  @DisplayName("A call is cancelled at both ends")
  void cancelling() {
    begin();
    Cancellation cancellation = Cancellation.create();
    Errands mine = channel.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation));
    Future<Void> call = mine.never();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcCancelledException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
    assertThat(Waiting.awaitFailure(mine.never())).isInstanceOfSatisfying(RpcCancelledException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(boy.heard).isEmpty();
  }

  @Test
  @DisplayName("Calls of a service end with the call that they are parts of")
  void nested() {
    begin();
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = channel.proxy(Errands.class, CallOptions.DEFAULT.withCancellation(cancellation)).nest();
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    assertThat(List.of(Waiting.next(boy.heard), Waiting.next(boy.heard)))
        .containsExactlyInAnyOrder("abandoned", "RpcCancelledException");
  }

  @Test
  @DisplayName("Calls of a service have the time that is left")
  void nestedDeadline() {
    begin();
    for (Duration timeout = Duration.ofMillis(100); boy.heard.isEmpty(); timeout = timeout.multipliedBy(2)) {
      Errands hurried = channel.proxy(Errands.class, CallOptions.DEFAULT.withTimeout(timeout));
      assertThat(Waiting.awaitFailure(hurried.nest())).isInstanceOf(RpcTimeoutException.class);
    }
    List<String> all = new ArrayList<>();
    // What is begun is abandoned, and the nested call fails one way or the other, long before its own timeout.
    Waiting.until(() -> {
      boy.heard.drainTo(all);
      return all.contains("abandoned") && all.stream().anyMatch(each -> each.startsWith("Rpc"));
    });
  }

  @Test
  @DisplayName("Where nobody is, nothing is executed")
  void nobody() {
    assertThat(Waiting.awaitFailure(nowhere().proxy(Errands.class).echo("a")))
        .isInstanceOfSatisfying(RpcConnectException.class, e -> assertThat(e.maybeExecuted()).isFalse());
  }

  @Test
  @DisplayName("A service calls its caller back")
  void callbacks() {
    begin();
    bind(value -> {
      RpcCall call = RpcCall.current();
      return value < 0 ? Future.failedFuture(new ServiceException(3, "negative"))
          : call.peer().proxy(Errands.class).echo("x".repeat((int) value)).map(text -> 100L + text.length());
    });
    assertThat(Waiting.await(errands.ask(5))).isEqualTo(105);
    assertThat(Waiting.awaitFailure(errands.ask(-1))).isInstanceOfSatisfying(ServiceException.class,
        e -> assertThat(e.failureCode()).isEqualTo(3));
  }

  @Test
  @DisplayName("A caller that serves nothing is not called")
  void noCallbacks() {
    wanted.guards.add((call, next) -> next.handle(call).onFailure(e -> boy.heard.add(
        e instanceof RpcRejectedException rejected ? rejected.acceptStatus() + " " + rejected.maybeExecuted()
            : e.toString())));
    begin();
    assertRejected(errands.ask(1), AcceptStatus.SYSTEM_ERR);
    assertThat(Waiting.next(boy.heard)).isEqualTo("Optional[PROG_UNAVAIL] false");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SMALL, LARGE})
  @DisplayName("A payload is lent to the call, and to the service")
  void lentPayload(int length) {
    begin();
    Payload content = Payload.allocate(vertx, length);
    for (int i = 0; i < length; i++) {
      content.bytes().put(i, (byte) 1);
    }
    assertThat(Waiting.await(onContext(() -> errands.sum(content)))).isEqualTo(length);
    Waiting.until(() -> released(boy.lent));
    content.release();
    Waiting.until(() -> released(content));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SMALL, LARGE})
  @DisplayName("A payload that a service has retained is there for its reply")
  void retainedPayload(int length) {
    begin();
    Payload content = Payload.allocate(vertx, length);
    if (length > 0) {
      content.bytes().put(length - 1, (byte) 7);
    }
    Payload same = Waiting.await(onContext(() -> errands.same(content)));
    assertThat(same.toBuffer()).isEqualTo(content.toBuffer());
    content.release();
    same.release();
    Waiting.until(() -> released(same) && released(content));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SMALL, LARGE})
  @DisplayName("A result fills the caller's memory, and is a part of it")
  void targetOfResult(int length) {
    begin();
    Payload target = Payload.allocate(vertx, length + 1);
    Payload filled = Waiting.await(onContext(() -> errands.fill(length, target)));
    assertThat(filled.length()).isEqualTo(length);
    assertThat(target.bytes().get(length)).isZero();
    if (length > 0) {
      assertThat(target.bytes().get(length - 1)).isEqualTo((byte) 1);
    }
    Waiting.until(() -> released(boy.given));
    target.release();
    assertThat(released(filled)).isFalse();
    filled.release();
    Waiting.until(() -> released(target));
  }

  @Test
  @DisplayName("Large texts cross both ways")
  void largeText() {
    begin();
    String text = "ä".repeat(LARGE / 2);
    Errands roomy = channel.proxy(Errands.class, CallOptions.DEFAULT.withMaxReply(2 * LARGE));
    assertThat(Waiting.await(onContext(() -> roomy.echo(text)))).isEqualTo(text);
  }

  @Test
  @DisplayName("Headers cross, those of the application and no other")
  void headers() {
    begin();
    Errands mine = channel.proxy(Errands.class, CallOptions.DEFAULT.withHeader("Tenant", "blue").withHeader("x", ""));
    assertThat(Waiting.await(mine.look("headers"))).isEqualTo("{tenant=blue, x=}");
    assertThat(Waiting.await(errands.look("headers"))).isEqualTo("{}");
  }

  @Test
  @DisplayName("AUTH_SYS says who calls")
  void credentials() {
    begin();
    Errands mine = channel.proxy(Errands.class,
        CallOptions.DEFAULT.withCredentials(new AuthSys(0, "desk", 1000, 100, List.of()).toAuth()));
    assertThat(Waiting.await(mine.look("user"))).isEqualTo("uid:1000");
    assertThat(Waiting.await(errands.look("user"))).isEqualTo("nobody");
  }

  @Test
  @DisplayName("A token proves who calls")
  void tokens() {
    wanted.tokens = (token, connection) -> Future.succeededFuture(new RpcUser("owner of " + token));
    wanted.token = "t";
    wanted.guards.add(ServiceInterceptor.requireProvenUser());
    begin();
    assertThat(Waiting.await(errands.look("user"))).isEqualTo("owner of t");
  }

  /** Fails if {@code HostedCall} does not check access. */
  @Test
  @DisplayName("A service says whose calls it takes")
  void access() {
    wanted.access = RpcAccess.users();
    begin();
    Errands mine = channel.proxy(Errands.class,
        CallOptions.DEFAULT.withCredentials(new AuthSys(0, "desk", 1000, 100, List.of()).toAuth()));
    assertThat(Waiting.await(mine.look("user"))).isEqualTo("uid:1000");
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
  }

  /** Fails if {@code HostedCall} takes a rule that throws for a service that has failed. */
  @Test
  @DisplayName("A service that cannot say whose calls it takes takes none, and executes none")
  void brokenAccess() {
    wanted.access = user -> {
      throw new NoClassDefFoundError("on purpose");
    };
    begin();
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.FAILED));
  }

  @Test
  @DisplayName("Who proves nothing is refused where that is asked for")
  void noToken() {
    wanted.tokens = (token, connection) -> Future.succeededFuture(new RpcUser("owner of " + token));
    wanted.guards.add(ServiceInterceptor.requireProvenUser());
    begin();
    assertThat(Waiting.awaitFailure(errands.echo("a"))).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.authStatus()).contains(AuthStatus.TOOWEAK));
  }

  @Test
  @DisplayName("Interceptors of both ends stand in their order, and each call has attributes of its own")
  void interceptors() {
    wanted.calls.add(CallInterceptor.options((request, options) -> options.withHeader("order", "first")));
    wanted.calls.add(CallInterceptor.options((request, options) -> options.withHeader("order",
        options.headers().get("order") + " second")));
    wanted.guards.add((call, next) -> {
      call.attributes().merge("seen", call.headers().get("order"), (old, more) -> old + " again " + more);
      return next.handle(call);
    });
    wanted.guards.add((call, next) -> {
      call.attributes().merge("seen", " and guarded", (old, more) -> (String) old + more);
      return next.handle(call);
    });
    begin();
    for (int i = 0; i < 2; i++) {
      assertThat(Waiting.await(errands.look("attributes"))).isEqualTo("{seen=first second and guarded}");
    }
  }

  @Test
  @DisplayName("An interceptor that fails gives an answer all the same")
  void failingInterceptors() {
    wanted.guards.add((call, next) -> switch (call.headers().getOrDefault("how", "")) {
      case "thrown" -> throw new IllegalStateException("on purpose");
      case "error" -> throw new NoClassDefFoundError("on purpose");
      case "null" -> null;
      case "failed" -> Future.failedFuture(new IllegalStateException("on purpose"));
      default -> next.handle(call);
    });
    begin();
    for (String how : List.of("thrown", "error", "null", "failed")) {
      assertRejected(channel.proxy(Errands.class, CallOptions.DEFAULT.withHeader("how", how)).echo("a"),
          AcceptStatus.SYSTEM_ERR);
    }
    assertThat(Waiting.await(errands.echo("a"))).isEqualTo("a");
  }

  @Test
  @DisplayName("A call interceptor that fails fails its call")
  void failingCallInterceptor() {
    IllegalStateException failure = new IllegalStateException("on purpose");
    wanted.calls.add(new CallInterceptor() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
        if (request.options().headers().isEmpty()) {
          return next.call(request);
        }
        throw failure;
      }
    });
    begin();
    assertThat(Waiting.awaitFailure(channel.proxy(Errands.class, CallOptions.DEFAULT.withHeader("a", "b")).echo("a")))
        .isSameAs(failure);
  }

  @Test
  @DisplayName("Many calls are each answered once")
  void many() {
    begin();
    Set<String> answers = ConcurrentHashMap.newKeySet();
    List<Future<String>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(errands.echo("number " + i).onSuccess(answer -> assertThat(answers.add(answer)).isTrue()));
    }
    Waiting.await(Future.all(all));
    assertThat(answers).hasSize(500);
  }
}
