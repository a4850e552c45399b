// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans of calls, of both ends and in both directions. */
class TracingTest {

  private static final String OPERATION = "0x20060096/ASK";
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(0x20060096, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("ASK", 0, 0, ReplyBound.of(0)).asIdempotent()));

  private final RecordingTracer tracer = new RecordingTracer();
  private Vertx vertx;
  private RpcChannel channel;
  private volatile Function<RpcCall, Future<XdrEncoder>> service =
      call -> Future.succeededFuture(XdrEncoder.VOID);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void open(VertxTracer<?, ?> with, TracingPolicy policy, boolean metadata) {
    vertx = Vertx.builder().with(new VertxOptions().setTracingOptions(new TracingOptions()))
        .withTracer(options -> with).build();
    RpcService asked = new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return BINDING;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        return service.apply(call);
      }
    };
    RpcServer server = RpcServer.builder(vertx).with(new RpcServerOptions().setTracingPolicy(policy)).build();
    server.bind(asked);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    channel = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setTracingPolicy(policy).setMetadata(metadata)).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    channel.bind(asked);
    Waiting.await(channel.connect());
    allEnded();
    forget();
  }

  private void forget() {
    tracer.begun.clear();
    tracer.ended.clear();
    tracer.endTags.clear();
  }

  private static RpcRequest<Void> ask() {
    return RpcRequest.to(BINDING, 1).build();
  }

  private void allEnded() {
    Waiting.until(() -> tracer.ended.keySet().containsAll(tracer.begun.stream().map(span -> span.id()).toList()));
  }

  @Test
  @DisplayName("A call has a span at its caller, and a part of it where it is served, with the attributes of ONC RPC")
  void linked() {
    open(tracer, TracingPolicy.ALWAYS, true);
    Waiting.await(channel.call(ask()));
    allEnded();
    RecordingTracer.Span client = tracer.begun.get(0);
    RecordingTracer.Span server = tracer.begun.get(1);
    assertThat(tracer.begun).hasSize(2);
    assertThat(client.kind()).isEqualTo("client");
    assertThat(server.kind()).isEqualTo("server");
    assertThat(server.parent()).isEqualTo(client.id());
    assertThat(client.operation()).isEqualTo(server.operation()).isEqualTo(OPERATION);
    Map<String, String> call = Map.of("rpc.system.name", "onc_rpc", "rpc.method", OPERATION,
        "onc_rpc.program.name", "0x20060096",
        "onc_rpc.version", "1", "onc_rpc.procedure.name", "ASK", "onc_rpc.procedure.number", "1",
        "network.peer.address", RpcBed.HOST);
    assertThat(client.tags()).containsAllEntriesOf(call).containsEntry("server.address", RpcBed.HOST)
        .containsEntry("server.port", client.tags().get("network.peer.port")).hasSize(call.size() + 3);
    assertThat(server.tags()).containsAllEntriesOf(call).hasSize(call.size() + 1);
    RpcConnection connection = Waiting.await(channel.connect());
    assertThat(client.tags().get("network.peer.port")).isEqualTo("" + connection.remoteAddress().port());
    assertThat(server.tags().get("network.peer.port")).isEqualTo("" + connection.localAddress().port());
    assertThat(tracer.ended).containsEntry(client.id(), "ok").containsEntry(server.id(), "ok");
  }

  @ParameterizedTest(name = "in the reverse direction: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("What a service calls is a part of the span that it is served in")
  void nested(boolean reverse) {
    open(tracer, TracingPolicy.ALWAYS, true);
    service = call -> {
      service = inner -> Future.succeededFuture(XdrEncoder.VOID);
      RpcCaller to = reverse ? call.connection() : channel;
      return to.call(ask()).map(done -> XdrEncoder.VOID);
    };
    Waiting.await(channel.call(ask()));
    allEnded();
    assertThat(tracer.begun).extracting(RecordingTracer.Span::kind)
        .containsExactly("client", "server", "client", "server");
    for (int i = 1; i < 4; i++) {
      assertThat(tracer.begun.get(i).parent()).isEqualTo(tracer.begun.get(i - 1).id());
    }
  }

  @Test
  @DisplayName("Headers of tracers come to the service beside those of the caller")
  void headers() {
    open(tracer, TracingPolicy.ALWAYS, true);
    Map<?, ?>[] seen = new Map<?, ?>[1];
    service = call -> {
      seen[0] = call.headers();
      return Future.succeededFuture(XdrEncoder.VOID);
    };
    Waiting.await(channel.call(RpcRequest.to(BINDING, 1)
        .options(CallOptions.DEFAULT.withHeader("tenant", "blue")).build()));
    assertThat(seen[0]).isEqualTo(Map.of("tenant", "blue", "baggage", "k=v"));
    String most = "x".repeat(1008 - 4 - 28 - 3 - 1 - 4);
    Waiting.await(channel.call(RpcRequest.to(BINDING, 1)
        .options(CallOptions.DEFAULT.withHeader("t", most)).build()));
    assertThat(seen[0]).as("the caller's are there, the tracer's have no room").isEqualTo(Map.of("t", most));
    allEnded();
    assertThat(tracer.begun.get(3).parent()).as("the trace goes on").isEqualTo(tracer.begun.get(2).id());
  }

  @Test
  @DisplayName("Spans end with what became of the call, also if it times out or its service fails")
  void failures() {
    open(tracer, TracingPolicy.ALWAYS, true);
    service = call -> Future.failedFuture(new IllegalStateException("on purpose"));
    Waiting.awaitFailure(channel.call(ask()));
    allEnded();
    assertThat(tracer.ended.values()).containsExactlyInAnyOrder("RpcRejectedException", "IllegalStateException");
    assertThat(tracer.endTags.values()).containsExactlyInAnyOrder(
        Map.of("error.type", "dev.rpcrdma.api.RpcRejectedException"),
        Map.of("error.type", "java.lang.IllegalStateException"));
    forget();
    Promise<XdrEncoder> results = Promise.promise();
    AtomicBoolean served = new AtomicBoolean();
    service = call -> {
      served.set(true);
      return results.future();
    };
    // A call that has no time left is not served.
    for (Duration timeout = Duration.ofMillis(20); !served.get(); timeout = timeout.multipliedBy(2)) {
      Waiting.awaitFailure(channel.call(
          RpcRequest.to(BINDING, 1).options(CallOptions.DEFAULT.withTimeout(timeout)).build()));
    }
    // Though the service never answers.
    allEnded();
    tracer.begun.forEach(span -> assertThat(tracer.ended.get(span.id()))
        .isEqualTo(span.kind().equals("client") ? "RpcTimeoutException" : "RpcCancelledException"));
    assertThat(tracer.begun).extracting(RecordingTracer.Span::kind).contains("client", "server");
  }

  /** Goes on writing headers from another thread when it has answered, until it is told to stop. */
  private static final class Late extends Failing {

    private final List<Thread> writers = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    Late() {
      super(4);
    }

    @Override
    public <R> Object sendRequest(Context context, SpanKind kind, TracingPolicy policy, R request, String operation,
        BiConsumer<String, String> headers, TagExtractor<R> tags) {
      CountDownLatch busy = new CountDownLatch(1000);
      Thread writer = new Thread(() -> {
        for (int i = 0; !stopped; i++) {
          headers.accept("x" + i % 100_000, "late");
          busy.countDown();
        }
      }, "late tracer");
      writers.add(writer);
      writer.start();
      Waiting.await(busy);
      return this;
    }
  }

  @Test
  @DisplayName("A tracer that writes from another thread, and does not stop, changes no call")
  void anotherThread() throws InterruptedException {
    Late late = new Late();
    try (LoggedMessages logged = new LoggedMessages("dev.rpcrdma.api.impl.trace.Tracing")) {
      open(late, TracingPolicy.ALWAYS, true);
      for (int i = 0; i < 3; i++) {
        Waiting.await(channel.call(ask()));
      }
      assertThat(logged.all()).isEmpty();
      late.writers.forEach(writer -> assertThat(writer.isAlive()).isTrue());
    } finally {
      late.stopped = true;
      for (Thread writer : late.writers) {
        writer.join();
      }
    }
  }

  @Test
  @DisplayName("A trace context that the caller has given goes on if the tracer has none")
  void ownTraceContext() {
    String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    Failing silent = new Failing(4);
    open(silent, TracingPolicy.ALWAYS, true);
    CallOptions options = CallOptions.DEFAULT.withMetadata(new Metadata(parent, "vendor=1", Map.of()));
    Waiting.await(channel.call(RpcRequest.to(BINDING, 1).options(options).build()));
    assertThat(silent.carried).containsEntry("traceparent", parent).containsEntry("tracestate", "vendor=1");
  }

  @Test
  @DisplayName("Nothing is traced if the policy says so, nor by itself if it is only passed on")
  void policies() {
    open(tracer, TracingPolicy.PROPAGATE, true);
    Waiting.await(channel.call(ask()));
    assertThat(tracer.begun).isEmpty();
  }

  @Test
  @DisplayName("A peer that takes no metadata serves the call, in a trace of its own")
  void withoutMetadata() {
    open(tracer, TracingPolicy.ALWAYS, false);
    Waiting.await(channel.call(ask()));
    allEnded();
    assertThat(tracer.begun).extracting(RecordingTracer.Span::parent).containsExactly(0, 0);
  }

  /** Fails at one of the four things that it is asked for. */
  private static class Failing implements VertxTracer<Object, Object> {

    private final int when;
    private final AtomicInteger failures = new AtomicInteger();
    /** What came to where a call is served. */
    private final Map<String, String> carried = new ConcurrentHashMap<>();

    Failing(int when) {
      this.when = when;
    }

    private Object answer(int what) {
      if (what == when) {
        failures.incrementAndGet();
        throw new NoClassDefFoundError("thrown by the tracer, on purpose");
      }
      return this;
    }

    @Override
    public <R> Object sendRequest(Context context, SpanKind kind, TracingPolicy policy, R request, String operation,
        BiConsumer<String, String> headers, TagExtractor<R> tags) {
      headers.accept("traceparent", "no trace parent");
      headers.accept("no name", "\n");
      return answer(0);
    }

    @Override
    public <R> void receiveResponse(Context context, R response, Object span, Throwable failure,
        TagExtractor<R> tags) {
      answer(1);
    }

    @Override
    public <R> Object receiveRequest(Context context, SpanKind kind, TracingPolicy policy, R request,
        String operation, Iterable<Map.Entry<String, String>> headers, TagExtractor<R> tags) {
      headers.forEach(header -> carried.put(header.getKey(), header.getValue()));
      return answer(2);
    }

    @Override
    public <R> void sendResponse(Context context, R response, Object span, Throwable failure, TagExtractor<R> tags) {
      answer(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  @DisplayName("A tracer that fails, or says what cannot cross, changes no call, and is told of once")
  void failing(int when) {
    try (LoggedMessages logged = new LoggedMessages("dev.rpcrdma.api.impl.trace.Tracing")) {
      Failing failing = new Failing(when);
      open(failing, TracingPolicy.ALWAYS, true);
      for (int i = 0; i < 5; i++) {
        Waiting.await(channel.call(ask()));
      }
      assertThat(logged.all()).hasSize(when == 4 ? 0 : 1);
      assertThat(failing.failures.get()).as("it is asked no more").isEqualTo(when == 4 ? 0 : 1);
    }
  }
}
