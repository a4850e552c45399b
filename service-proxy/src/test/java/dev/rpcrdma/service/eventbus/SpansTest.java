// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Spans of calls over the event bus. */
class SpansTest {

  @Test
  @DisplayName("A call and what it calls are one trace, and messages have no spans of their own")
  void oneTrace() {
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    Vertx vertx = Vertx.builder().withTracer(new OpenTelemetryTracingFactory(OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance())).build())).build();
    Waiting.await(new RpcServiceBinder(vertx).setAddress("errands").register(Errands.class, new ErrandBoy()));
    EventBusChannel channel = EventBusChannel.create(vertx, "errands",
        new EventBusChannelOptions().setTracingPolicy(TracingPolicy.ALWAYS));
    channel.bind(ErrandEvents.class, Future::succeededFuture);
    assertThat(Waiting.await(channel.proxy(Errands.class).ask(5))).isEqualTo(5);
    Waiting.until(() -> spans.getFinishedSpanItems().size() >= 4);
    Waiting.await(vertx.close());
    List<SpanData> all = spans.getFinishedSpanItems();
    assertThat(all).extracting(span -> span.getKind() + " " + span.getName()).containsExactlyInAnyOrder(
        "CLIENT Errands/ask", "SERVER Errands/ask", "CLIENT ErrandEvents/asked", "SERVER ErrandEvents/asked");
    assertThat(all).extracting(SpanData::getTraceId).containsOnly(all.get(0).getTraceId());
  }
}
