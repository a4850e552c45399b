// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.metrics.StatisticsImpl;
import io.vertx.core.Future;

/**
 * Counts and times the calls of the clients and servers that are built with it, by procedure and side. Each event loop
 * counts for itself, without locks; a snapshot asks them all. Needs {@code org.hdrhistogram:HdrHistogram} on the class
 * path.
 *
 * <pre>{@code
 * RpcStatistics statistics = RpcStatistics.create();
 * RpcClient client = RpcClient.builder(vertx).withStatistics(statistics).build();
 * statistics.snapshot().onSuccess(System.out::println);
 * }</pre>
 *
 * <p>For Micrometer there is {@link dev.rpcrdma.api.micrometer.RpcMeterBinder}.
 */
public interface RpcStatistics {

  /**
   * Creates one, for any number of clients and servers.
   *
   * @return without anything in it
   */
  static RpcStatistics create() {
    return new StatisticsImpl();
  }

  /**
   * What there is now.
   *
   * @return of each event loop a consistent picture; loops that have ended are left out
   */
  Future<StatisticsSnapshot> snapshot();
}
