package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.fabric.Counters;

/**
 * Watches the calls of one end to one remote, on one event loop. An end that nobody watches has none, so that its calls
 * cost a look at a null.
 */
public final class CallMeter {

  /** Null if there is no backend. */
  private final CallMetrics metrics;
  /** Null if nobody gathers statistics. */
  private final LoopStatistics statistics;

  CallMeter(CallMetrics metrics, LoopStatistics statistics) {
    this.metrics = metrics;
    this.statistics = statistics;
  }

  /** A call is about to be made; on the loop. */
  public CallObservation begin(RpcRequest<?> request, long now) {
    return new CallObservation(request, metrics, statistics, now);
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
