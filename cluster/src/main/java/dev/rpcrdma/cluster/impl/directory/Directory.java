// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.cluster.ClusterDirectory;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The shell round a {@link ClusterPicture}: reads the map from time to time, when there is word of a change, and when
 * it is asked; one reading at a time. On an event loop of its own choice; from any thread.
 */
public final class Directory implements ClusterDirectory, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Directory.class);

  /** How long a reading may take. */
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** How long one without an answer is waited for before there is another: each may hold a worker of Vert.x. */
  private static final long ABANDONED_NANOS = TimeUnit.MINUTES.toNanos(1);
  /** From one reading to the next at least, however many changes there are. */
  private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LEAST_FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Context owner;
  private final Context own;
  private final EventLoop loop;
  private final ClusterMap map;
  private final long refreshNanos;
  /** What is known; null before it is read for the first time. */
  private volatile Listing listing;
  /** Of the loop, as all below. */
  private final ClusterPicture picture = new ClusterPicture();
  /** Entries that cannot be understood, each of which is told of once. */
  private final Set<String> told = new HashSet<>();
  /** Who hears of the next reading. */
  private final List<Promise<Listing>> waiting = new ArrayList<>();
  /** Who hears of the reading that is under way. */
  private final List<Promise<Listing>> hearing = new ArrayList<>();
  private MessageConsumer<?> changes;
  /** The reading that is under way; null if none is. */
  private Future<Map<String, Object>> reading;
  /** The last one that was begun, whatever is made of its answer. */
  private Future<?> asked = Future.succeededFuture();
  private long began = System.nanoTime() - BETWEEN_NANOS;
  /** There was a change since it began. */
  private boolean changed;
  private boolean failing;
  private ScheduledFuture<?> next;
  private boolean closed;

  Directory(Context owner, DirectoryOptions options, ClusterMap map) {
    this.owner = owner;
    this.own = Contexts.newEventLoop(owner.owner());
    this.loop = Contexts.eventLoop(own);
    this.map = map;
    this.refreshNanos = options.refresh().toNanos();
    Contexts.addCloseHook(owner, this);
    own.runOnContext(go -> begin(options.map()));
  }

  /** See {@link ClusterDirectory#open(Vertx, DirectoryOptions)}. */
  public static Directory open(Vertx vertx, DirectoryOptions options) {
    return new Directory(Contexts.unwrap(vertx.getOrCreateContext()), options, new SharedDataMap(vertx, options.map()));
  }

  private void begin(String name) {
    if (!closed) {
      changes = new Changes(owner.owner(), name).hear(this::changed);
      readNow();
    }
  }

  // What is known

  @Override
  public List<ClusterServer> servers() {
    Listing known = listing;
    return known == null ? List.of() : known.servers();
  }

  @Override
  public Optional<Duration> age() {
    Listing known = listing;
    return known == null ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - known.readAt()));
  }

  @Override
  public boolean isFresh() {
    Listing known = listing;
    return known != null && System.nanoTime() - known.readAt() < Math.max(3 * refreshNanos, LEAST_FRESH_NANOS);
  }

  /** What is known; null if nothing is. */
  Listing listing() {
    return listing;
  }

  @Override
  public Future<List<ClusterServer>> refresh() {
    Promise<List<ClusterServer>> promise = CallerContext.promise(owner);
    read().map(Listing::servers).onComplete(promise);
    return promise.future();
  }

  /** As {@link #refresh}, of a reading that begins after this; belongs to no context. */
  Future<Listing> read() {
    Promise<Listing> promise = Promise.promise();
    return LoopCalls.ask(loop, promise.future(), () -> {
      if (closed) {
        promise.fail(new RpcClosedException("The directory of the cluster is closed"));
        return;
      }
      waiting.add(promise);
      readSoon();
    });
  }

  // Reading

  private void changed() {
    changed = true;
    readSoon();
  }

  private void readSoon() {
    if (reading == null && !closed) {
      readLater(Math.max(0, BETWEEN_NANOS - (System.nanoTime() - began)));
    }
  }

  private void readLater(long nanos) {
    if (next != null) {
      next.cancel(false);
    }
    next = later(this::readNow, nanos);
  }

  private void readNow() {
    if (closed || reading != null) {
      return;
    }
    if (next != null) {
      next.cancel(false);
    }
    hearing.addAll(waiting);
    waiting.clear();
    changed = false;
    if (!asked.isComplete() && System.nanoTime() - began < ABANDONED_NANOS) {
      done(null, new TimeoutException("The cluster has not answered when it was asked last"));
      return;
    }
    began = System.nanoTime();
    Future<Map<String, Object>> answer = map.entries();
    asked = answer;
    reading = answer;
    later(() -> answered(answer, null, new TimeoutException("The cluster does not answer")), READ_NANOS);
    answer.onComplete((entries, failure) -> {
      try {
        LoopCalls.run(loop, () -> answered(answer, entries, failure));
      } catch (RejectedExecutionException e) {
        LOG.debug("An answer of the cluster comes after the end of Vert.x", e);
      }
    });
  }

  private void answered(Future<?> of, Map<String, Object> entries, Throwable failure) {
    if (reading == of) {
      reading = null;
      done(entries, failure);
    }
  }

  private void done(Map<String, Object> entries, Throwable failure) {
    if (closed) {
      return;
    }
    if (failure == null) {
      use(entries);
    } else {
      picture.failed();
      if (!failing) {
        LOG.warn("The cluster does not say which servers there are; those known last are used until it does", failure);
      }
      failing = true;
    }
    if (changed || !waiting.isEmpty()) {
      readSoon();
    } else {
      readLater(refreshNanos);
    }
    List<Promise<Listing>> all = List.copyOf(hearing);
    hearing.clear();
    all.forEach(each -> {
      if (failure == null) {
        each.tryComplete(listing);
      } else {
        each.tryFail(failure);
      }
    });
  }

  private void use(Map<String, Object> entries) {
    if (failing) {
      LOG.info("The cluster says again which servers there are");
      failing = false;
    }
    Map<String, ServerEntry> understood = new HashMap<>();
    told.retainAll(entries.keySet());
    entries.forEach((instance, value) -> {
      try {
        understood.put(instance, EntryText.read(instance, value));
        told.remove(instance);
      } catch (IllegalArgumentException e) {
        if (told.add(instance)) {
          LOG.warn("The entry " + instance + " of the cluster's servers is skipped: " + Causes.message(e)
              + ". Said once for each entry");
        }
      }
    });
    ClusterPicture.Change change = picture.read(understood, System.nanoTime());
    if (LOG.isDebugEnabled() && !(change.came().isEmpty() && change.left().isEmpty())) {
      LOG.debug("Servers of the cluster have come: " + change.came() + ", and left: " + change.left());
    }
    listing = picture.listing();
  }

  /** Null if there is no later: Vert.x has ended. */
  private ScheduledFuture<?> later(Runnable action, long nanos) {
    try {
      return loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }

  // The end

  @Override
  public Future<Void> close() {
    Promise<Void> ended = CallerContext.promise(owner);
    Contexts.removeCloseHook(owner, this);
    return LoopCalls.ask(loop, ended.future(), () -> end(ended), Future::succeededFuture);
  }

  private void end(Promise<Void> ended) {
    closed = true;
    if (next != null) {
      next.cancel(false);
    }
    waiting.addAll(hearing);
    waiting.forEach(each -> each.tryFail(new RpcClosedException("The directory of the cluster is closed")));
    waiting.clear();
    // The cluster is told that nobody listens; that may take as long as it likes to.
    later(ended::tryComplete, READ_NANOS);
    (changes == null ? Future.<Void>succeededFuture() : changes.unregister()).onComplete(any -> ended.tryComplete());
    changes = null;
  }

  @Override
  public void close(Completable<Void> completion) {
    close().onComplete(completion);
  }
}
