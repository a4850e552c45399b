// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.wire.Metadata;
import io.vertx.core.Context;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/** The span of a call that is served, from when its service is called until that has its results. */
public final class ServerSpan {

  private final VertxTracer<?, ?> tracer;
  private final Context context;
  private final Object span;

  private ServerSpan(VertxTracer<?, ?> tracer, Context context, Object span) {
    this.tracer = tracer;
    this.context = context;
    this.span = span;
  }

  /**
   * Begins it, on the context that the service is called on, of which nobody else has a part.
   *
   * @param tracer of its Vert.x
   * @param context of the service
   * @param policy whether there shall be one
   * @param binding the program's
   * @param call the call's head
   * @param metadata what came with the call
   * @param peer who calls
   * @return null if the tracer has none for it
   */
  public static ServerSpan begin(VertxTracer<?, ?> tracer, Context context, TracingPolicy policy,
      UpperLayerBinding binding, CallHeader call, Metadata metadata,
      SocketAddress peer) {
    String name = binding.procedure(call.procedure()).map(ProcedureBinding::name)
        .orElseGet(() -> Integer.toUnsignedString(call.procedure()));
    CallTags tags = new CallTags(binding.name(), call.version(), call.procedure(), name, peer);
    Map<String, String> carrier = new LinkedHashMap<>(metadata.headers());
    if (!metadata.traceParent().isEmpty()) {
      carrier.put("traceparent", metadata.traceParent());
    }
    if (!metadata.traceState().isEmpty()) {
      carrier.put("tracestate", metadata.traceState());
    }
    Object span = Tracing.ask(tracer, any -> any.receiveRequest(context, SpanKind.RPC, policy, tags,
        tags.operation(), carrier.entrySet(), CallTags.SERVER));
    return span == null ? null : new ServerSpan(tracer, context, span);
  }

  /**
   * Ends it, on the same context.
   *
   * @param results of the service; null if it has failed
   * @param failure why it has failed; null if it has not
   */
  public void end(Object results, Throwable failure) {
    Tracing.ask(tracer, any -> {
      // A tracer asks for attributes of what is there: of a failure if there are no results.
      any.sendResponse(context, failure == null ? results : failure, span, failure, CallTags.outcome(failure));
      return null;
    });
  }
}
