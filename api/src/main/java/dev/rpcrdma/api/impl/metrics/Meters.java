package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import io.netty.channel.EventLoop;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.function.LongSupplier;

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
  public static Meters of(VertxInternal vertx, StatisticsImpl statistics, String name) {
    VertxMetrics backend = vertx.metrics();
    return backend == null && statistics == null ? null : new Meters(backend, statistics, name);
  }

  /** Watches the calls to a remote. */
  public CallMeter calls(EventLoop loop, SocketAddress remote, int mostCredits) {
    return new CallMeter(backend == null ? null : CallMetrics.of(backend, remote, name, mostCredits),
        statistics == null ? null : statistics.of(loop));
  }

  /** The server listens; what it serves is counted from now on by the backend, too. */
  public void listening(SocketAddress address) {
    services = ServiceMetrics.of(backend, SERVICES, name.isEmpty() ? address.toString() : name, -1);
  }

  /**
   * A call is about to be served.
   *
   * @param time that of the connection, on its loop
   */
  public ServiceObservation serve(EventLoop loop, UpperLayerBinding binding, ProcedureBinding procedure,
      long arrivedAt, long now, LongSupplier time) {
    return new ServiceObservation(services, statistics == null ? null : statistics.of(loop), binding,
        procedure.name(), arrivedAt, now, time);
  }

  /** It is closed. */
  public void close() {
    if (services != null) {
      services.close();
    }
  }
}
