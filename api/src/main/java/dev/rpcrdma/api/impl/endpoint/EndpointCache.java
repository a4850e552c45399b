// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.endpoint;

import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Completable;
import io.vertx.core.net.Address;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What a resolver has said of addresses. Each is looked up once, by however many at a time, and anew when the resolver
 * says that its answer is no longer valid; one that nobody asks for or calls is forgotten, as a failure is. Thread-safe;
 * no code of the resolver is called with a lock held.
 *
 * @param <A> the addresses
 * @param <S> the resolver's servers
 * @param <D> what the resolver knows of an address
 */
public final class EndpointCache<A extends Address, S, D> {

  private static final String CLOSED = "The client is closed";

  private final EndpointResolver<A, S, D, ServerList> resolver;
  private final LoadBalancer balancer;
  private final long idleNanos;
  private final LongSupplier clock;
  private final Map<A, CachedEndpoint<A, S, D>> known = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private EndpointCache(EndpointResolver<A, S, D, ServerList> resolver, LoadBalancer balancer, long idleNanos,
      LongSupplier clock) {
    this.resolver = resolver;
    this.balancer = balancer;
    this.idleNanos = idleNanos;
    this.clock = clock;
  }

  /**
   * Knows nothing yet.
   *
   * @param resolver is not closed by this
   * @param idleNanos how long an address is known that nobody asks for or calls, and how long is waited for the resolver
   * @param clock in nanoseconds
   */
  @SuppressWarnings("unchecked") // A resolver takes any endpoint: it gets them from the builder that it is given.
  public static EndpointCache<?, ?, ?> of(EndpointResolver<?, ?, ?, ?> resolver, LoadBalancer balancer, long idleNanos,
      LongSupplier clock) {
    return new EndpointCache<>((EndpointResolver<Address, Object, Object, ServerList>) resolver, balancer, idleNanos,
        clock);
  }

  /** Whether the resolver takes an address. */
  public boolean resolves(Address address) {
    return resolver.tryCast(address) != null;
  }

  /**
   * Asks for the servers of an address.
   *
   * @param answer called at once if they are known; else by whoever completes the resolver's future
   */
  public void lookUp(Address address, Completable<Endpoint> answer) {
    A own = resolver.tryCast(address);
    if (own == null) {
      answer.fail(new IllegalArgumentException("The address resolver does not take " + Causes.text(address)));
      return;
    }
    if (closed) {
      answer.fail(new IllegalStateException(CLOSED));
      return;
    }
    while (true) {
      CachedEndpoint<A, S, D> found = known.get(own);
      if (found != null && found.isUsable(resolver)) {
        if (found.isKnown()) {
          found.used().set(clock.getAsLong());
        }
        found.whenKnown(answer);
        return;
      }
      AtomicLong used = found == null ? new AtomicLong() : found.used();
      // Before anybody else sees it, who would take it for one that nobody has used for long.
      used.set(clock.getAsLong());
      CachedEndpoint<A, S, D> next = new CachedEndpoint<>(own, used);
      boolean mine = found == null ? known.putIfAbsent(own, next) == null : known.replace(own, found, next);
      if (mine) {
        // All who ask for the address wait for this, and so it is no part of the call that a service has just now.
        Contexts.apart(() -> next.resolve(resolver, found,
            new ServerList.Builder<>(resolver, balancer, () -> used.set(clock.getAsLong()))))
            .onComplete((servers, failure) -> {
              if (failure == null) {
                used.set(clock.getAsLong());
              } else {
                known.remove(own, next);
              }
            });
        if (closed && known.remove(own, next)) {
          next.end(resolver, new IllegalStateException(CLOSED));
        }
        next.whenKnown(answer);
        return;
      }
    }
  }

  /** How many addresses are known, or asked for. */
  int size() {
    return known.size();
  }

  /** Forgets what nobody has asked for or called for so long, and waits no longer for what was not answered. */
  public void forgetIdle() {
    long now = clock.getAsLong();
    known.forEach((address, endpoint) -> {
      if (now - endpoint.used().get() >= idleNanos && known.remove(address, endpoint)) {
        endpoint.end(resolver, new TimeoutException("The address resolver has not answered for "
            + TimeUnit.NANOSECONDS.toSeconds(idleNanos) + " seconds"));
      }
    });
  }

  /** Forgets all; nothing is looked up any more. The resolver has to be closed afterwards. */
  public void close() {
    closed = true;
    known.forEach((address, endpoint) -> {
      if (known.remove(address, endpoint)) {
        endpoint.end(resolver, new IllegalStateException(CLOSED));
      }
    });
  }
}
