package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;

/** A call in its service, which is watched. */
public final class ServiceObservation {

  private final ServiceMetrics metrics;
  private final LoopStatistics statistics;
  private final Object token;
  private final UpperLayerBinding binding;
  private final String procedure;
  private final long arrivedAt;
  private final long servedAt;

  ServiceObservation(ServiceMetrics metrics, LoopStatistics statistics, UpperLayerBinding binding, String procedure,
      long arrivedAt, long servedAt) {
    this.metrics = metrics;
    this.statistics = statistics;
    this.binding = binding;
    this.procedure = procedure;
    this.arrivedAt = arrivedAt;
    this.servedAt = servedAt;
    this.token = metrics == null ? null : metrics.begin();
  }

  /** The service has answered, on whatever thread; or nobody waits for it any more. */
  public void end(boolean success) {
    if (metrics != null) {
      metrics.end(token);
    }
    if (statistics == null) {
      return;
    }
    long now = System.nanoTime();
    if (statistics.loop().inEventLoop()) {
      count(success, now);
    } else {
      statistics.loop().execute(() -> count(success, now));
    }
  }

  private void count(boolean success, long now) {
    ProcedureCalls calls = statistics.of(CallSide.RESPONDER, binding.name(), binding.version(), procedure);
    calls.ended(success, now - arrivedAt);
    calls.add(CallPhase.ARRIVAL, servedAt - arrivedAt);
    calls.add(CallPhase.SERVICE, now - servedAt);
  }
}
