// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers and deadlines, from a caller through a service to what that calls. */
class MetadataOfServicesTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(0x20060097, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("ASK", 0, 0, ReplyBound.of(0)).asIdempotent()));

  private final BlockingQueue<RpcCall> calls = new LinkedBlockingQueue<>();
  private Function<RpcCall, Future<XdrEncoder>> service = call -> Future.succeededFuture(XdrEncoder.VOID);
  private RpcBed bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions());

  @AfterEach
  void close() {
    bed.close();
  }

  private void serve(RpcClientOptions options) {
    bed.close();
    bed = new RpcBed(new RpcServerOptions().setServiceTimeout(LONG), options);
    bed.server.bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return BINDING;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        calls.add(call);
        return service.apply(call);
      }
    });
  }

  private RpcCall call(CallOptions options) {
    Waiting.await(bed.channel.call(RpcRequest.to(BINDING, 1).options(options).build()));
    return calls.remove();
  }

  /** Calls until a timeout was long enough for the service to be called, and its caller has given up then. */
  private void giveUpWhenServed() {
    for (Duration timeout = Duration.ofMillis(20); calls.isEmpty(); timeout = timeout.multipliedBy(2)) {
      assertThat(Waiting.awaitFailure(bed.channel.call(RpcRequest.to(BINDING, 1)
          .options(CallOptions.DEFAULT.withTimeout(timeout)).build()))).isInstanceOf(RpcTimeoutException.class);
    }
  }

  @Test
  @DisplayName("Headers come to the service, by lower-case names")
  void headers() {
    serve(new RpcClientOptions());
    assertThat(call(CallOptions.DEFAULT).headers()).isEmpty();
    assertThat(call(CallOptions.DEFAULT.withHeader("Tenant", "Zürich").withHeader("a", "1").withHeader("A", "2"))
        .headers()).isEqualTo(Map.of("tenant", "Zürich", "a", "2"));
  }

  @Test
  @DisplayName("A peer that takes no metadata sees no headers, and the call is none the worse")
  void withoutMetadata() {
    serve(new RpcClientOptions().setMetadata(false));
    RpcCall call = call(CallOptions.DEFAULT.withHeader("tenant", "Zürich"));
    assertThat(call.headers()).isEmpty();
    assertThat(call.millisLeft()).isGreaterThan(LONG.minusMinutes(5).toMillis());
  }

  @Test
  @DisplayName("Headers that cannot cross are refused where they are made")
  void refused() {
    assertThatThrownBy(() -> CallOptions.DEFAULT.withHeader("no name", "1"))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'no name'");
    assertThatThrownBy(() -> CallOptions.DEFAULT.withHeader("a", "1\n2")).hasMessageContaining("control characters");
    assertThatThrownBy(() -> CallOptions.DEFAULT.withHeader("a", "x".repeat(1100)))
        .hasMessageContaining("a call has room for 1008");
  }

  @Test
  @DisplayName("A service knows how long its caller waits")
  void timeLeft() {
    serve(new RpcClientOptions());
    assertThat(call(CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(20))).millisLeft()).isBetween(1L, 20_000L);
  }

  @ParameterizedTest(name = "in the reverse direction: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("What a service calls ends when its own caller waits no longer, however long it might take")
  void nested(boolean reverse) {
    serve(new RpcClientOptions());
    bed.channel.bind(bed.service);
    BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    // Not answered before its caller has given up: what it calls may end first, as it has the same time.
    Promise<XdrEncoder> answered = Promise.promise();
    service = call -> {
      RpcCaller inner = reverse ? call.connection() : bed.channel;
      inner.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
          .options(CallOptions.DEFAULT.withTimeout(LONG)).build()).onFailure(failures::add);
      return answered.future();
    };
    giveUpWhenServed();
    assertThat(Waiting.next(failures)).isInstanceOf(RpcTimeoutException.class);
    answered.complete(XdrEncoder.VOID);
  }

  @Test
  @DisplayName("What a service calls when it has answered takes its own time")
  void afterwards() {
    serve(new RpcClientOptions());
    Promise<RpcCall> later = Promise.promise();
    service = call -> {
      Promise<XdrEncoder> answered = Promise.promise();
      answered.future().onComplete(done -> bed.vertx.setTimer(100, timer -> bed.channel.call(
          RpcRequest.to(BINDING, 1).options(CallOptions.DEFAULT.withTimeout(Duration.ofMinutes(10))).build())
          .onComplete(any -> later.complete(calls.poll()))));
      service = other -> Future.succeededFuture(XdrEncoder.VOID);
      answered.complete(XdrEncoder.VOID);
      return answered.future();
    };
    call(CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(20)));
    assertThat(Waiting.await(later.future()).millisLeft()).isGreaterThan(60_000);
  }

  @Test
  @DisplayName("A service whose caller has given up makes no calls any more")
  void tooLate() {
    serve(new RpcClientOptions());
    Promise<Throwable> failed = Promise.promise();
    service = call -> {
      Promise<XdrEncoder> never = Promise.promise();
      bed.vertx.setTimer(Math.max(1, call.millisLeft() + 5), timer -> bed.channel.call(EchoService.echo(new byte[1]))
          .onFailure(failed::tryComplete).onSuccess(any -> failed.tryFail("called")));
      return never.future();
    };
    giveUpWhenServed();
    assertThat(Waiting.await(failed.future())).isInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining("the call that is being served").hasMessageContaining("0x20060099");
  }
}
