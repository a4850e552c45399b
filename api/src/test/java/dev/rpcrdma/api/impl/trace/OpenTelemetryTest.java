// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Spans with OpenTelemetry's own SDK, through every kind of thread that a service runs on. */
class OpenTelemetryTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Desk", 0x20060095, 2, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("ask", 0, 0, ReplyBound.of(0))));

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
      .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
      .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance())).build();
  private final Vertx vertx = Vertx.builder().with(new VertxOptions())
      .withTracer(new OpenTelemetryTracingFactory(sdk)).build();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
    sdk.close();
  }

  /** Asks its caller back once, and so on its way makes a span within its own. */
  private final class Asking implements RpcService {

    private final boolean back;

    Asking(boolean back) {
      this.back = back;
    }

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      asked.incrementAndGet();
      Span.current().setAttribute("of.service", Thread.currentThread().getName());
      return back ? call.connection().call(RpcRequest.to(BINDING, 1).build()).map(done -> XdrEncoder.VOID)
          : Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  private List<SpanData> ended(int count) {
    Waiting.until(() -> spans.getFinishedSpanItems().size() >= count);
    return spans.getFinishedSpanItems();
  }

  private static SpanData find(List<SpanData> all, SpanKind kind, String parent) {
    return all.stream().filter(span -> span.getKind() == kind && span.getParentSpanId().equals(parent)).findFirst()
        .orElseThrow(() -> new AssertionError(kind + " below " + parent + " in " + all));
  }

  @ParameterizedTest
  @EnumSource(value = ThreadingModel.class, names = {"EVENT_LOOP", "WORKER", "VIRTUAL_THREAD"})
  @DisplayName("A trace goes from a caller to its service, and back to the caller's own")
  void bothWays(ThreadingModel threads) {
    assumeTrue(threads != ThreadingModel.VIRTUAL_THREAD || ((VertxInternal) vertx).isVirtualThreadAvailable(),
        "This JDK has no virtual threads");
    RpcServerVerticle served = new RpcServerVerticle(new RpcServerOptions().setTracingPolicy(TracingPolicy.PROPAGATE),
        SocketAddress.inetSocketAddress(0, RpcBed.HOST), server -> server.bind(new Asking(true)));
    Waiting.await(vertx.deployVerticle(served, new DeploymentOptions().setThreadingModel(threads)));
    RpcClientVerticle calling = new RpcClientVerticle(new RpcClientOptions().setTracingPolicy(TracingPolicy.ALWAYS),
        SocketAddress.inetSocketAddress(served.server().actualPort(), RpcBed.HOST), channel -> {
          channel.bind(new Asking(false));
          return channel.connect().compose(connection -> channel.call(RpcRequest.to(BINDING, 1).build()));
        });
    Waiting.await(vertx.deployVerticle(calling, new DeploymentOptions().setThreadingModel(threads)));
    assertThat(asked).hasValue(2);
    // Those of the announcement are ended, too: it begins a trace of its own.
    List<SpanData> all = ended(6).stream().filter(span -> span.getName().equals("Desk/ask")).toList();
    SpanData made = find(all, SpanKind.CLIENT, "0000000000000000");
    SpanData answered = find(all, SpanKind.SERVER, made.getSpanId());
    SpanData back = find(all, SpanKind.CLIENT, answered.getSpanId());
    SpanData last = find(all, SpanKind.SERVER, back.getSpanId());
    assertThat(List.of(made, answered, back, last)).allSatisfy(span -> {
      assertThat(span.getTraceId()).isEqualTo(made.getTraceId());
      assertThat(span.getEvents()).as("exceptions").isEmpty();
      assertThat(span.getAttributes().get(AttributeKey.stringKey("rpc.system.name"))).isEqualTo("onc_rpc");
      assertThat(span.getAttributes().get(AttributeKey.stringKey("onc_rpc.program.name"))).isEqualTo("Desk");
      assertThat(span.getAttributes().get(AttributeKey.stringKey("onc_rpc.version"))).isEqualTo("2");
      assertThat(span.getAttributes().get(AttributeKey.stringKey("onc_rpc.procedure.name"))).isEqualTo("ask");
      assertThat(span.getAttributes().get(AttributeKey.stringKey("onc_rpc.procedure.number"))).isEqualTo("1");
      assertThat(span.getAttributes().get(AttributeKey.stringKey("network.peer.address"))).isEqualTo(RpcBed.HOST);
    });
    assertThat(answered.getAttributes().get(AttributeKey.stringKey("of.service"))).as("its thread, in its span")
        .isNotNull();
  }

  @Test
  @DisplayName("The span of a call that fails says so")
  void failed() {
    RpcServer server = RpcServer.create(vertx).bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return BINDING;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        return Future.failedFuture(new IllegalStateException("on purpose"));
      }
    });
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    RpcChannel channel = RpcClient.create(vertx, new RpcClientOptions().setTracingPolicy(TracingPolicy.ALWAYS))
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.awaitFailure(channel.call(RpcRequest.to(BINDING, 1).build()));
    Waiting.until(() -> spans.getFinishedSpanItems().stream().filter(span -> span.getName().equals("Desk/ask"))
        .count() == 2);
    assertThat(spans.getFinishedSpanItems().stream().filter(span -> span.getName().equals("Desk/ask")))
        .allMatch(span -> span.getEvents().stream().anyMatch(event -> event.getName().equals("exception")));
  }
}
