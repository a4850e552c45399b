// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.VertxMetrics;

/** What one client or server is watched with. */
public final class Meters {

  private static final String SERVICES = "rpcrdma-services";

  private final VertxMetrics backend;
  private final StatisticsImpl statistics;
  private final String name;
  private volatile ServiceMetrics services;

  private Meters(VertxMetrics backend, StatisticsImpl statistics, String name) {
    this.backend = backend;
    this.statistics = statistics;
    this.name = name;
  }

  /**
   * Looks for whoever watches.
   *
   * @param statistics null if nobody wants any
   * @param name what the backend is to call it; may be empty
   * @return null if nobody watches
   */
  public static Meters of(Vertx vertx, StatisticsImpl statistics, String name) {
    VertxMetrics backend = VertxParts.metrics(vertx);
    return backend == null && statistics == null ? null : new Meters(backend, statistics, name);
  }

  /** Watches the calls to a remote. */
  public CallMeter calls(EventLoop loop, SocketAddress remote, int mostCredits) {
    return new CallMeter(backend == null ? null : VertxCallMetrics.of(backend, remote, name, mostCredits),
        statistics == null ? null : statistics.of(loop), services);
  }

  /** The server listens; what it serves is counted by the backend, too, by all meters made from now on. */
  public void listening(SocketAddress address) {
    services = ServiceMetrics.of(backend, SERVICES, name.isEmpty() ? address.toString() : name, -1);
  }

  /** It is closed. */
  public void close() {
    if (services != null) {
      services.close();
    }
  }
}
