// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.ProcedureStatistics;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.StatisticsSnapshot;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/** The statistics of all event loops, each of which has its own. */
public final class StatisticsImpl implements RpcStatistics {

  /** Guarded by itself. */
  private final Map<EventLoop, LoopStatistics> loops = new HashMap<>();

  /** Those of an event loop. */
  public LoopStatistics of(EventLoop loop) {
    synchronized (loops) {
      return loops.computeIfAbsent(loop, LoopStatistics::new);
    }
  }

  @Override
  public Future<StatisticsSnapshot> snapshot() {
    List<LoopStatistics> all;
    synchronized (loops) {
      all = List.copyOf(loops.values());
    }
    List<Future<LoopStatistics.Copy>> copies = all.stream().map(StatisticsImpl::copy).toList();
    return Future.join(copies).transform(joined -> Future.succeededFuture(sum(copies)));
  }

  private static Future<LoopStatistics.Copy> copy(LoopStatistics statistics) {
    Promise<LoopStatistics.Copy> promise = Promise.promise();
    try {
      statistics.loop().execute(() -> promise.complete(statistics.copy()));
    } catch (RejectedExecutionException e) {
      promise.fail(e);
    }
    return promise.future();
  }

  private static StatisticsSnapshot sum(List<Future<LoopStatistics.Copy>> copies) {
    LoopStatistics.Copy all = new LoopStatistics.Copy();
    copies.stream().filter(Future::succeeded).forEach(copy -> all.add(copy.result()));
    List<ProcedureStatistics> procedures = new ArrayList<>();
    for (CallSide side : CallSide.values()) {
      all.procedures().values().stream().filter(calls -> calls.side() == side)
          .forEach(calls -> procedures.add(calls.toSnapshot()));
    }
    return new StatisticsSnapshot(List.copyOf(procedures), all.traffic());
  }
}
