// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.endpoint;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.Address;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.ServerEndpoint;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** One answer of a resolver, or the wait for it. */
final class CachedEndpoint<A extends Address, S, D> {

  private static final Logger LOG = LoggerFactory.getLogger(CachedEndpoint.class);

  private final A address;
  private final AtomicLong used;
  /** Belongs to no context: who asks later has the answer at once. */
  private final Promise<Answer<D>> promise = Promise.promise();

  /**
   * Asks nobody yet.
   *
   * @param used when somebody asked for it or called one of its servers last, in the cache's time
   */
  CachedEndpoint(A address, AtomicLong used) {
    this.address = address;
    this.used = used;
  }

  AtomicLong used() {
    return used;
  }

  boolean isKnown() {
    return promise.future().succeeded();
  }

  /** Whether to ask nobody else: the answer is valid, or on its way. */
  boolean isUsable(EndpointResolver<A, S, D, ServerList> resolver) {
    Future<Answer<D>> answer = promise.future();
    return !answer.isComplete() || answer.succeeded() && resolver.isValid(answer.result().state);
  }

  void whenKnown(Completable<Endpoint> answer) {
    promise.future().<Endpoint>map(known -> known).onComplete(answer);
  }

  /**
   * Asks the resolver.
   *
   * @param before an answer that is no longer valid; null if there is none
   * @return fails if the resolver does, or if this is {@linkplain #end ended} first
   */
  Future<?> resolve(EndpointResolver<A, S, D, ServerList> resolver, CachedEndpoint<A, S, D> before,
      EndpointBuilder<ServerList, S> builder) {
    Future<D> state;
    try {
      state = before != null && before.isKnown() ? again(resolver, before, builder) : first(resolver, builder);
    } catch (Throwable e) {
      // Errors too: nobody else would end the wait of all who ask.
      state = Future.failedFuture(e);
    }
    state.onComplete((found, failure) -> {
      if (failure != null) {
        promise.tryFail(failure);
      } else if (!promise.tryComplete(new Answer<>(resolver, found))) {
        dispose(resolver, found);
      }
    });
    return promise.future();
  }

  private Future<D> first(EndpointResolver<A, S, D, ServerList> resolver, EndpointBuilder<ServerList, S> builder) {
    return Objects.requireNonNull(resolver.resolve(address, builder), "The address resolver has answered null");
  }

  /** By what is known, if the resolver can do that. */
  private Future<D> again(EndpointResolver<A, S, D, ServerList> resolver, CachedEndpoint<A, S, D> before,
      EndpointBuilder<ServerList, S> builder) {
    D state = before.promise.future().result().state;
    Future<D> refreshed;
    try {
      refreshed = resolver.refresh(address, state);
    } catch (Throwable e) {
      refreshed = Future.failedFuture(e);
    }
    if (refreshed != null) {
      return refreshed.onFailure(failure -> dispose(resolver, state));
    }
    dispose(resolver, state);
    return first(resolver, builder);
  }

  /**
   * Disposes of the answer, now or when it comes; who waits for it waits no longer. For one that has been removed from
   * the cache.
   *
   * @param why what those who wait are told
   */
  void end(EndpointResolver<A, S, D, ServerList> resolver, Throwable why) {
    if (!promise.tryFail(why) && isKnown()) {
      dispose(resolver, promise.future().result().state);
    }
  }

  private static <D> void dispose(EndpointResolver<?, ?, D, ?> resolver, D state) {
    try {
      resolver.dispose(state);
    } catch (Throwable e) {
      LOG.warn("The address resolver has failed to dispose of an answer", e);
    }
  }

  /** The servers that the resolver knows at the moment, since its answers may change by themselves. */
  private static final class Answer<D> implements Endpoint {

    private final EndpointResolver<?, ?, D, ServerList> resolver;
    private final D state;

    Answer(EndpointResolver<?, ?, D, ServerList> resolver, D state) {
      this.resolver = resolver;
      this.state = state;
    }

    @Override
    public List<ServerEndpoint> servers() {
      return resolver.endpoint(state).servers();
    }

    @Override
    public Set<String> protocols() {
      return resolver.endpoint(state).protocols();
    }

    @Override
    public ServerEndpoint selectServer(Predicate<ServerEndpoint> filter, String key) {
      return resolver.endpoint(state).select(filter, key);
    }
  }
}
