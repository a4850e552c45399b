// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** A tracer that remembers its spans, and which of them is current on a context. */
final class RecordingTracer implements VertxTracer<RecordingTracer.Span, RecordingTracer.Span> {

  /** A span; its trace goes on over the wire. */
  record Span(int id, int parent, String kind, String operation, Map<String, String> tags) {

    String traceParent() {
      return "00-%032x-%016x-01".formatted(1, id);
    }
  }

  final List<Span> begun = new CopyOnWriteArrayList<>();
  /** By the span's number: what it ended with. */
  final Map<Integer, String> ended = new ConcurrentHashMap<>();
  /** By the span's number: the attributes of its end. */
  final Map<Integer, Map<String, String>> endTags = new ConcurrentHashMap<>();
  private final Map<Context, Span> current = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();

  private <R> Span begin(int parent, String kind, String operation, R request, TagExtractor<R> tags) {
    Span span = new Span(ids.incrementAndGet(), parent, kind, operation, tags.extract(request));
    begun.add(span);
    return span;
  }

  @Override
  public <R> Span sendRequest(Context context, SpanKind kind, TracingPolicy policy, R request, String operation,
      BiConsumer<String, String> headers, TagExtractor<R> tags) {
    Span parent = current.get(context);
    if (policy == TracingPolicy.IGNORE || policy == TracingPolicy.PROPAGATE && parent == null) {
      return null;
    }
    Span span = begin(parent == null ? 0 : parent.id, "client", operation, request, tags);
    headers.accept("traceparent", span.traceParent());
    headers.accept("tracestate", "a=" + span.id);
    headers.accept("baggage", "k=v");
    return span;
  }

  @Override
  public <R> void receiveResponse(Context context, R response, Span span, Throwable failure, TagExtractor<R> tags) {
    endTags.put(span.id, tags.extract(response));
    end(span, failure);
  }

  private void end(Span span, Throwable failure) {
    String before = ended.put(span.id, failure == null ? "ok" : failure.getClass().getSimpleName());
    if (before != null) {
      throw new AssertionError("Ended twice: " + span);
    }
  }

  @Override
  public <R> Span receiveRequest(Context context, SpanKind kind, TracingPolicy policy, R request, String operation,
      Iterable<Map.Entry<String, String>> headers, TagExtractor<R> tags) {
    if (!((ContextInternal) context).isDuplicate()) {
      throw new AssertionError("Others have a part of that context");
    }
    int parent = 0;
    for (Map.Entry<String, String> header : headers) {
      if (header.getKey().equals("traceparent")) {
        parent = Integer.parseUnsignedInt(header.getValue().split("-")[2], 16);
      }
    }
    if (policy == TracingPolicy.IGNORE || policy == TracingPolicy.PROPAGATE && parent == 0) {
      return null;
    }
    Span span = begin(parent, "server", operation, request, tags);
    current.put(context, span);
    return span;
  }

  @Override
  public <R> void sendResponse(Context context, R response, Span span, Throwable failure, TagExtractor<R> tags) {
    if (!current.remove(context, span)) {
      throw new AssertionError("Not current on that context: " + span);
    }
    endTags.put(span.id, tags.extract(response));
    end(span, failure);
  }
}
