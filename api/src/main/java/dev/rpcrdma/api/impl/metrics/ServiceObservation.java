// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/** A call in its service, which is watched. */
public final class ServiceObservation {

  private final ServiceMetrics metrics;
  private final LoopStatistics statistics;
  private final Object token;
  private final LongSupplier time;
  private final UpperLayerBinding binding;
  private final String procedure;
  private final long arrivedAt;
  private final long servedAt;
  /** Real, for those that are timed; 0 for others. */
  private final long began;

  ServiceObservation(ServiceMetrics metrics, LoopStatistics statistics, UpperLayerBinding binding, String procedure,
      long arrivedAt, long servedAt, LongSupplier time) {
    this.time = time;
    this.metrics = metrics;
    this.statistics = statistics;
    this.binding = binding;
    this.procedure = procedure;
    this.arrivedAt = arrivedAt;
    this.servedAt = servedAt;
    this.began = statistics != null && statistics.timesNext() ? System.nanoTime() : 0;
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
    long took = began == 0 ? -1 : System.nanoTime() - began;
    if (statistics.loop().inEventLoop()) {
      count(success, took, time.getAsLong());
      return;
    }
    try {
      statistics.loop().execute(() -> count(success, took, time.getAsLong()));
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it what it has counted.
    }
  }

  private void count(boolean success, long took, long now) {
    ProcedureCalls calls = statistics.of(CallSide.RESPONDER, binding.name(), binding.version(), procedure);
    calls.ended(success, now - arrivedAt);
    calls.add(CallPhase.ARRIVAL, servedAt - arrivedAt);
    if (took >= 0) {
      calls.add(CallPhase.SERVICE, took);
    }
  }
}
