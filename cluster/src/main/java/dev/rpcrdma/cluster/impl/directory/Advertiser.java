// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.ClusterProgram;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.verbs.support.LogRateLimit;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Puts a server's entry into the map, again and again, one put after the other. On an event loop of its own choice;
 * from any thread.
 *
 * <p>It is taken back by an entry that says so, and not by removing it: readers remember that, so that no put that
 * arrives late lists the server again. The entry is removed when the server has closed, or goes by its time.
 */
public final class Advertiser implements ClusterAdvertisement {

  private static final Logger LOG = LoggerFactory.getLogger(Advertiser.class);

  private final ClusterMap map;
  private final Changes changes;
  private final RpcServer server;
  private final AdvertisementOptions options;
  private final EventLoop loop;
  private final String instance = UUID.randomUUID().toString();
  private final String node;
  private final String host;
  private final int port;
  private final long ttlNanos;
  private final Promise<Void> withdrawn = Promise.promise();
  /** Of the loop. */
  private final LogRateLimit pace = new LogRateLimit(System.nanoTime());
  /** Of the loop: the last put, whose outcome is known within a third of the time to live. */
  private Future<Void> put = Future.succeededFuture();
  /** Of the loop. */
  private long sequence;
  /** Of the loop: when to put again; null while that is done. */
  private ScheduledFuture<?> next;
  /** Of the loop: it is being taken back, or was. */
  private boolean leaving;
  /** Set on the loop. */
  private volatile boolean published;

  Advertiser(Vertx vertx, RpcServer server, AdvertisementOptions options, SocketAddress reached,
      ClusterMap map) {
    this.map = map;
    this.changes = new Changes(vertx, options.map());
    this.server = server;
    this.options = options;
    this.loop = Contexts.eventLoop(Contexts.newEventLoop(vertx));
    this.node = VertxParts.clusterManager(vertx) == null ? "" : VertxParts.clusterManager(vertx).getNodeId();
    this.host = reached.host();
    this.port = reached.port();
    this.ttlNanos = options.ttl().toNanos();
  }

  /** See {@link ClusterAdvertisement#publish(Vertx, RpcServer, AdvertisementOptions)}. */
  public static Future<ClusterAdvertisement> publish(Vertx vertx, RpcServer server, AdvertisementOptions options) {
    return publish(vertx, server, options, new SharedDataMap(vertx, options.map()));
  }

  static Future<ClusterAdvertisement> publish(Vertx vertx, RpcServer server, AdvertisementOptions options,
      ClusterMap map) {
    Context context = vertx.getOrCreateContext();
    Promise<ClusterAdvertisement> promise = Contexts.promise(context);
    server.snapshot().onComplete((snapshot, failure) -> {
      try {
        SocketAddress listens = failure != null ? null : snapshot.address().orElse(null);
        if (listens == null) {
          throw new IllegalStateException("The server does not listen: it is published when listen() has completed",
              failure);
        }
        Advertiser advertiser =
            new Advertiser(vertx, server, options, ReachedAddress.of(vertx, options, listens), map);
        server.beforeClose(advertiser::leave);
        advertiser.begin().onComplete(tried -> promise.complete(advertiser));
      } catch (Throwable e) {
        promise.fail(e);
      }
    });
    return promise.future();
  }

  @Override
  public String instance() {
    return instance;
  }

  @Override
  public boolean isPublished() {
    return published;
  }

  // Putting

  /** Completes when it was tried for the first time, or needs not to be any more. */
  private Future<Void> begin() {
    Promise<Void> tried = Promise.promise();
    return LoopCalls.ask(loop, tried.future(), () -> beat(tried));
  }

  private void beat(Promise<Void> tried) {
    next = null;
    if (leaving) {
      tried.tryComplete();
      return;
    }
    long began = System.nanoTime();
    put = put(false).onComplete((done, failure) -> {
      boolean news = !published && failure == null;
      published = failure == null;
      if (news) {
        changes.tell();
      } else if (failure != null) {
        warn("A server at " + host + ":" + port + " cannot be made known in the cluster"
            + (leaving ? "" : "; it is tried again"), failure);
      }
      tried.tryComplete();
      if (!leaving) {
        long pause = failure == null ? Math.max(0, ttlNanos / 3 - (System.nanoTime() - began)) : ttlNanos / 10;
        next = later(() -> beat(tried), pause);
      }
    });
  }

  private Future<Void> put(boolean draining) {
    List<ClusterProgram> programs = server.bindings().stream()
        .map(binding -> new ClusterProgram(binding.name(), binding.program(), binding.version())).toList();
    ClusterServer said = new ClusterServer(instance, node, server.devices(), host, port, programs,
        server.connectionCount(), OptionalInt.of(server.callCount()), draining);
    String entry = EntryText.write(new ServerEntry(said, ++sequence, ttlNanos));
    return attempt(() -> map.put(instance, entry, options.ttl().toMillis()));
  }

  /** Heard on the loop, within a third of the time to live. */
  private Future<Void> attempt(Supplier<Future<Void>> what) {
    Promise<Void> outcome = Promise.promise();
    ScheduledFuture<?> limit = later(() -> outcome.tryFail(new TimeoutException("The cluster does not answer")),
        ttlNanos / 3);
    what.get().onComplete(answer -> run(() -> {
      if (limit != null) {
        limit.cancel(false);
      }
      if (answer.succeeded()) {
        outcome.tryComplete();
      } else {
        outcome.tryFail(answer.cause());
      }
    }));
    return outcome.future();
  }

  private void warn(String message, Throwable cause) {
    if (pace.due(System.nanoTime())) {
      LOG.warn(message, cause);
    } else {
      LOG.debug(message, cause);
    }
  }

  // Taking back

  @Override
  public Future<Void> withdraw() {
    return LoopCalls.ask(loop, withdrawn.future(), this::beginToLeave);
  }

  private void beginToLeave() {
    if (!leaving) {
      leaving = true;
      if (next != null) {
        next.cancel(false);
      }
      later(withdrawn::tryComplete, ttlNanos / 3);
      long end = System.nanoTime() + ttlNanos;
      put.onComplete(any -> takeBack(end));
    }
  }

  /** Until the entry has gone by its time, if nothing helps. */
  private void takeBack(long end) {
    put(true).onComplete((done, failure) -> {
      if (failure == null) {
        published = false;
        changes.tell();
        withdrawn.tryComplete();
      } else {
        boolean again = System.nanoTime() - end < 0;
        warn("A server at " + host + ":" + port + " cannot be taken back from the cluster; "
            + (again ? "it is tried again" : "its entry goes by its time"), failure);
        if (again) {
          later(() -> takeBack(end), ttlNanos / 10);
        }
      }
    });
  }

  /** The server is about to close. */
  private Future<Void> leave() {
    server.close().onComplete(closed -> map.remove(instance)
        .onFailure(e -> LOG.debug("The entry of a server that has closed goes by its time", e)));
    Promise<Void> left = Promise.promise();
    withdraw().onComplete(known -> run(() -> {
      if (later(left::tryComplete, options.leave().toNanos()) == null) {
        left.tryComplete();
      }
    }));
    return left.future();
  }

  private void run(Runnable action) {
    try {
      LoopCalls.run(loop, action);
    } catch (RejectedExecutionException e) {
      LOG.debug("An answer of the cluster comes after the end of Vert.x", e);
    }
  }

  /** Null if there is no later: Vert.x has ended. */
  private ScheduledFuture<?> later(Runnable action, long nanos) {
    try {
      return loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }
}
