// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.endpoint;

import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.InteractionMetrics;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.net.endpoint.ServerInteraction;

/** A server, with what its load balancer counts of it. Equal to itself alone: a resolver may list a server twice. */
final class BalancedServer implements ServerEndpoint {

  private final Object server;
  private final String key;
  private final ServerPlace place;
  private final String protocol;
  private final InteractionMetrics<?> metrics;
  private final Runnable used;

  /**
   * A server that nobody has called.
   *
   * @param server what the resolver calls it
   * @param protocol null if the resolver does not say
   * @param used called when it is
   */
  BalancedServer(Object server, String key, SocketAddress address, String protocol, InteractionMetrics<?> metrics,
      Runnable used) {
    this.server = server;
    this.key = key;
    this.place = ServerPlace.of(address);
    this.protocol = protocol;
    this.metrics = metrics;
    this.used = used;
  }

  @Override
  public Object unwrap() {
    return server;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public SocketAddress address() {
    return place.address();
  }

  ServerPlace place() {
    return place;
  }

  @Override
  public String protocolId() {
    return protocol;
  }

  @Override
  public InteractionMetrics<?> metrics() {
    return metrics;
  }

  @Override
  public ServerInteraction newInteraction() {
    used.run();
    return Counted.begin(metrics);
  }

  @Override
  public String toString() {
    return String.valueOf(server);
  }

  private record Counted<M>(InteractionMetrics<M> metrics, M request) implements ServerInteraction {

    static <M> Counted<M> begin(InteractionMetrics<M> metrics) {
      return new Counted<>(metrics, metrics.initiateRequest());
    }

    @Override
    public void reportRequestBegin() {
      metrics.reportRequestBegin(request);
    }

    @Override
    public void reportRequestEnd() {
      metrics.reportRequestEnd(request);
    }

    @Override
    public void reportResponseBegin() {
      metrics.reportResponseBegin(request);
    }

    @Override
    public void reportResponseEnd() {
      metrics.reportResponseEnd(request);
    }

    @Override
    public void reportFailure(Throwable failure) {
      metrics.reportFailure(request, failure);
    }
  }
}
