// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcStatistics;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;

/** Who watches the calls of one client and one server. */
public enum Watched {
  /** Nobody. */
  NOT,
  /** Statistics by procedure and phase. */
  STATISTICS,
  /** Statistics, and a backend of Vert.x's metrics that counts. */
  METRICS,
  /** OpenTelemetry, whose spans go nowhere when they have ended. */
  SPANS;

  Vertx vertx(VertxOptions options) {
    return switch (this) {
      case NOT, STATISTICS -> Vertx.vertx(options);
      case METRICS -> Vertx.builder().with(options.setMetricsOptions(new MetricsOptions().setEnabled(true)))
          .withMetrics(any -> new CountingMetrics()).build();
      case SPANS -> Vertx.builder().with(options).withTracer(new OpenTelemetryTracingFactory(
          OpenTelemetrySdk.builder().setTracerProvider(SdkTracerProvider.builder().build())
              .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance())).build())).build();
    };
  }

  private boolean counted() {
    return this == STATISTICS || this == METRICS;
  }

  private TracingPolicy policy() {
    return this == SPANS ? TracingPolicy.ALWAYS : TracingPolicy.IGNORE;
  }

  RpcServer server(Vertx vertx) {
    RpcServer.RpcServerBuilder builder =
        RpcServer.builder(vertx).with(new RpcServerOptions().setTracingPolicy(policy()));
    return counted() ? builder.withStatistics(RpcStatistics.create()).build() : builder.build();
  }

  RpcClient client(Vertx vertx, RpcClientOptions options) {
    RpcClient.RpcClientBuilder builder =
        RpcClient.builder(vertx).with(new RpcClientOptions(options).setTracingPolicy(policy()));
    return counted() ? builder.withStatistics(RpcStatistics.create()).build() : builder.build();
  }
}
