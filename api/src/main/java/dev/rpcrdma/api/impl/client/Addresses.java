// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.impl.endpoint.EndpointCache;
import io.netty.channel.EventLoop;
import io.vertx.core.Completable;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.Address;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** What a client knows of addresses, which its resolver says; what has not been asked for lately is forgotten. */
final class Addresses {

  private static final Logger LOG = LoggerFactory.getLogger(Addresses.class);
  /** How long an address is known that nobody calls and no channel has a server of. */
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** How often is looked for those, and for servers that have left. */
  private static final long CHECK_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final EventLoop loop;
  private final LoadBalancer balancer;
  private final EndpointResolver<?, ?, ?, ?> resolver;
  private final EndpointCache<?, ?, ?> endpoints;
  private final Set<ResolvedChannel> channels = ConcurrentHashMap.newKeySet();
  /** Guarded by this; null while there is no channel, and after stop. */
  private ScheduledFuture<?> timer;
  /** Guarded by this. */
  private boolean stopped;

  Addresses(Vertx vertx, EventLoop loop, RpcClientImpl.Routing routing) {
    this.loop = loop;
    this.balancer = routing.balancer();
    this.resolver = routing.resolver().endpointResolver(vertx);
    this.endpoints = EndpointCache.of(resolver, balancer, IDLE_NANOS, System::nanoTime);
  }

  LoadBalancer balancer() {
    return balancer;
  }

  /** Whether the resolver takes an address. */
  boolean resolves(Address address) {
    return endpoints.resolves(address);
  }

  /** Asks for the servers of an address; may throw whatever the resolver throws. */
  void lookUp(Address address, Completable<Endpoint> answer) {
    endpoints.lookUp(address, answer);
  }

  /** A channel is told from now on when it is time to look for servers that have left. */
  void add(ResolvedChannel channel) {
    channels.add(channel);
    synchronized (this) {
      if (timer == null && !stopped) {
        timer = loop.scheduleWithFixedDelay(this::check, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  void remove(ResolvedChannel channel) {
    channels.remove(channel);
  }

  private void check() {
    endpoints.forgetIdle();
    channels.forEach(ResolvedChannel::check);
  }

  /** The client is being closed: the timer does not outlive it. */
  synchronized void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  /** No channel is left. */
  void close() {
    endpoints.close();
    try {
      resolver.close();
    } catch (Throwable e) {
      LOG.warn("The address resolver could not be closed", e);
    }
  }
}
