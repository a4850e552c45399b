// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.wire.Metadata;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The span of a call that is made, from when it is made until its outcome. */
public final class ClientSpan {

  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";

  private final VertxTracer<?, ?> tracer;
  private final Context caller;
  /** Null if the tracer has none for it. */
  private final Object span;
  private final Metadata metadata;

  private ClientSpan(VertxTracer<?, ?> tracer, Context caller, Object span, Metadata metadata) {
    this.tracer = tracer;
    this.caller = caller;
    this.span = span;
    this.metadata = metadata;
  }

  /**
   * Begins it, on the caller's thread.
   *
   * @param tracer of its Vert.x
   * @param caller who calls: where the tracer looks for the span which this one is a part of
   * @param policy whether there shall be one
   * @param request what is called
   * @param peer who is called; null if nobody can say
   * @return a span
   */
  public static ClientSpan begin(VertxTracer<?, ?> tracer, Context caller, TracingPolicy policy,
      RpcRequest<?> request, SocketAddress peer) {
    CallTags call = new CallTags(request.programName(), request.version(), request.procedure(),
        request.name(), peer);
    // A tracer may go on writing, from another thread, when it has answered.
    Map<String, String> carrier = new ConcurrentHashMap<>();
    Object span = Tracing.ask(tracer, any -> any.sendRequest(caller, SpanKind.RPC, policy, call, call.operation(),
        carrier::put, CallTags.CLIENT));
    return new ClientSpan(tracer, caller, span, metadata(request.options().metadata(), carrier));
  }

  /**
   * Leaves out what does not fit, or cannot cross: first what tracers say beside the trace context. A trace context
   * of the tracer's takes the place of the caller's own.
   *
   * @param own what the caller says
   * @param carrier what the tracer says
   */
  private static Metadata metadata(Metadata own, Map<String, String> carrier) {
    if (carrier.isEmpty()) {
      return own;
    }
    Map<String, String> others = new LinkedHashMap<>(carrier);
    String parent = own.traceParent();
    String state = own.traceState();
    String traced = others.getOrDefault(TRACE_PARENT, "");
    if (Metadata.isTraceParent(traced)) {
      parent = others.remove(TRACE_PARENT);
      state = Objects.requireNonNullElse(others.remove(TRACE_STATE), "");
    }
    others.putAll(own.headers());
    // All of it, or what is left when something does not fit or cannot cross.
    for (Supplier<Metadata> form : forms(parent, state, others, own)) {
      try {
        return form.get();
      } catch (IllegalArgumentException e) {
        // The next one is shorter.
      }
    }
    return own;
  }

  private static List<Supplier<Metadata>> forms(String parent, String state, Map<String, String> others,
      Metadata own) {
    return List.of(() -> new Metadata(parent, state, others), () -> new Metadata(parent, state, own.headers()),
        () -> new Metadata(parent, "", own.headers()));
  }

  /**
   * What goes with the call.
   *
   * @return what its caller says, and the tracer
   */
  public Metadata metadata() {
    return metadata;
  }

  /**
   * Ends it.
   *
   * @param outcome of the call
   */
  public void end(Future<?> outcome) {
    if (span != null) {
      Tracing.ask(tracer, any -> {
        any.receiveResponse(caller, outcome, span, outcome.cause(), CallTags.outcome(outcome.cause()));
        return null;
      });
    }
  }
}
