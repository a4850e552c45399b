// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import io.vertx.core.Future;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The servers of one address as they were said last, used on while they are asked for again. Thread-safe.
 *
 * @param <E> the endpoint that core makes of them
 */
final class RefreshedServers<E> {

  private static final Logger LOG = LoggerFactory.getLogger(RefreshedServers.class);
  /** Until who has not answered is asked again. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** For how long after their time servers are used that nobody has called meanwhile. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * What was answered.
   *
   * @param servers in the order that load balancers see
   * @param life how long it is good for
   * @param part of a part alone: those of them that are servers whatever the others are, which are as they were known;
   *     null if all is answered
   */
  record Answer(List<ServerPlace> servers, Duration life, List<ServerPlace> part) {

    /** One of which nothing is missing. */
    Answer(List<ServerPlace> servers, Duration life) {
      this(servers, life, null);
    }

    /** What is known by it to who knew others before; null if nobody did. */
    List<ServerPlace> after(List<ServerPlace> known) {
      if (part == null || known == null) {
        return servers;
      }
      return ServerPlace.distinct(Stream.concat(known.stream(), part.stream()));
    }
  }

  private final String source;
  private final String name;
  private final EndpointBuilder<E, SocketAddress> builder;
  private final Supplier<Future<Answer>> query;
  private final LongSupplier clock;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile List<ServerPlace> servers;
  private volatile E endpoint;
  private volatile long end;
  private volatile boolean disposed;

  /**
   * Those of a first answer.
   *
   * @param source who answers, as messages call it
   * @param query asks again
   * @param clock in nanoseconds
   */
  RefreshedServers(String source, String name, EndpointBuilder<E, SocketAddress> builder,
      Supplier<Future<Answer>> query, LongSupplier clock, Answer first) {
    this.source = source;
    this.name = name;
    this.builder = builder;
    this.query = query;
    this.clock = clock;
    use(first);
  }

  /** A load balancer may throw. */
  private Void used(Answer answer) {
    use(answer);
    return null;
  }

  private void use(Answer answer) {
    List<ServerPlace> now = answer.after(servers);
    if (!now.equals(servers)) {
      // Only then: load balancers forget what they know of those before.
      endpoint = ServerKeys.build(builder, now);
      servers = now;
    }
    end = clock.getAsLong() + answer.life().toNanos();
  }

  /** What is known, which is asked for again if its time is over. */
  E endpoint() {
    if (!disposed && clock.getAsLong() - end >= 0 && asking.compareAndSet(false, true)) {
      ask().map(this::used).onComplete((done, failure) -> {
        if (failure != null) {
          LOG.warn(source + " does not say which servers " + name + " has; those known last are used", failure);
          end = clock.getAsLong() + RETRY_NANOS;
        }
        asking.set(false);
      });
    }
    return endpoint;
  }

  private Future<Answer> ask() {
    try {
      return query.get();
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  /** Whether it was asked for lately, so that it is as new as it can be. */
  boolean isValid() {
    return clock.getAsLong() - end < LATE_NANOS || asking.get();
  }

  void dispose() {
    disposed = true;
  }
}
