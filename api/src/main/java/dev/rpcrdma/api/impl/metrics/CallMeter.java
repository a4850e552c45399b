// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.fabric.Counters;
import java.util.function.LongSupplier;

/**
 * Watches the calls of one end to one remote, and those that it serves, on one event loop. An end that nobody watches
 * has none, so that its calls cost a look at a null.
 */
public final class CallMeter {

  /** Null if there is no backend. */
  private final VertxCallMetrics metrics;
  /** Null if nobody gathers statistics. */
  private final LoopStatistics statistics;
  /** Null if there is no backend, or the end is no server. */
  private final ServiceMetrics services;

  CallMeter(VertxCallMetrics metrics, LoopStatistics statistics, ServiceMetrics services) {
    this.metrics = metrics;
    this.statistics = statistics;
    this.services = services;
  }

  /** A call is about to be made; on the loop. */
  public CallObservation begin(RpcRequest<?> request, long now) {
    return new CallObservation(request, metrics, statistics, now);
  }

  /**
   * A call is about to be served; on the loop.
   *
   * @param time that of the connection, on its loop
   */
  public ServiceObservation serve(UpperLayerBinding binding, ProcedureBinding procedure, long arrivedAt, long now,
      LongSupplier time) {
    return new ServiceObservation(services, statistics, binding, procedure.name(), arrivedAt, now, time);
  }

  /** A connection is up; on the loop. */
  public void connected(Counters counters) {
    if (metrics != null) {
      metrics.connected();
    }
    if (statistics != null) {
      statistics.connected(counters);
    }
  }

  /** It has ended. */
  public void disconnected(Counters counters) {
    if (metrics != null) {
      metrics.disconnected();
    }
    if (statistics != null) {
      statistics.disconnected(counters);
    }
  }

  /** Calls were sent again. */
  public void replayed(long calls) {
    if (statistics != null) {
      statistics.replayed(calls);
    }
  }

  /** There will be no more calls. */
  public void close() {
    if (metrics != null) {
      metrics.close();
    }
  }
}
