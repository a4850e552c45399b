// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.shareddata.Shareable;
import io.vertx.serviceproxy.ServiceBinder;
import io.vertx.serviceproxy.ServiceException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Objects of one program and one Vert.x instance. Safe for all threads. */
final class ObjectTable implements Shareable {

  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(ServiceBinder.DEFAULT_CONNECTION_TIMEOUT);
  static final long CHECK_MILLIS = TimeUnit.SECONDS.toMillis(10);
  /** Objects of all peers. A peer that is alone has half as many. */
  static final int MOST = 20_000;
  private static final Logger LOG = LoggerFactory.getLogger(ObjectTable.class);

  /** Object that callers know by an id. */
  static final class Entry {

    private final Object object;
    /** Context that made the object, on which its methods are called. */
    private final Context context;
    /** Closes the object; what it returns may be a future. */
    private final Supplier<Object> closer;
    /** Peer whose call made the object. */
    private final String peer;
    /** Time of the last call, in nanoTime. */
    private long lastCalled;

    Entry(Object object, Context context, Supplier<Object> closer, String peer, long lastCalled) {
      this.object = object;
      this.context = context;
      this.closer = closer;
      this.peer = peer;
      this.lastCalled = lastCalled;
    }

    Object object() {
      return object;
    }

    Context context() {
      return context;
    }

    /** Closes the object on its context; on the current one if the threads of its context are closed. */
    void close() {
      try {
        context.runOnContext(own -> run());
      } catch (RejectedExecutionException e) {
        run();
      }
    }

    private void run() {
      try {
        if (closer.get() instanceof Future<?> closed) {
          closed.onFailure(Entry::notClosed);
        }
      } catch (Throwable e) {
        notClosed(e);
      }
    }

    private static void notClosed(Throwable cause) {
      LOG.warn("An object that no caller uses could not be closed", cause);
    }
  }

  /** Context of the timer, which belongs to no verticle. */
  private final Context own;
  private final long checkMillis;
  /** Entries in the order of their last calls. Guarded by this. */
  private final Map<UUID, Entry> objects = new LinkedHashMap<>();
  /** Numbers of objects. Guarded by this. */
  private final PeerShares shares = new PeerShares(MOST);
  /** Whether a timer runs. Guarded by this. */
  private boolean watching;

  /**
   * Creates a table without objects.
   *
   * @param vertx the instance whose objects these are
   * @param checkMillis time between two searches for idle objects
   */
  ObjectTable(Vertx vertx, long checkMillis) {
    this.own = Contexts.newEventLoop(vertx);
    this.checkMillis = checkMillis;
  }

  /**
   * Adds an object, or closes it if there is no room.
   *
   * @param entry the object
   * @return the id of the object
   * @throws ServiceException if its peer has too many objects
   */
  UUID add(Entry entry) {
    int number;
    synchronized (this) {
      if (shares.add(entry.peer)) {
        UUID id = UUID.randomUUID();
        objects.put(id, entry);
        watch();
        return id;
      }
      number = shares.number(entry.peer);
    }
    entry.close();
    throw new ServiceException(ServedObjects.TOO_MANY, "The service has " + number + " objects of "
        + (entry.peer.isEmpty() ? "the event bus" : entry.peer) + ", which has to close some of them first");
  }

  /** Returns the object of this id and type; null if there is none. */
  synchronized Entry find(UUID id, Class<?> type) {
    Entry entry = objects.get(id);
    if (entry == null || !type.isInstance(entry.object)) {
      return null;
    }
    // Only a call that finds its object changes the order.
    objects.remove(id);
    objects.put(id, entry);
    entry.lastCalled = System.nanoTime();
    return entry;
  }

  /** Removes the object of this id and type and returns it; null if there is none. */
  synchronized Entry take(UUID id, Class<?> type) {
    Entry entry = find(id, type);
    if (entry != null) {
      objects.remove(id);
      shares.remove(entry.peer);
    }
    return entry;
  }

  /**
   * Closes the objects that are idle for too long.
   *
   * @param now time in nanoTime
   * @return whether objects are left
   */
  boolean expire(long now) {
    List<Entry> expired = new ArrayList<>();
    boolean more;
    synchronized (this) {
      Iterator<Entry> each = objects.values().iterator();
      while (each.hasNext()) {
        Entry entry = each.next();
        if (now - entry.lastCalled < IDLE_NANOS) {
          break;
        }
        expired.add(entry);
        each.remove();
        shares.remove(entry.peer);
      }
      more = !objects.isEmpty();
    }
    expired.forEach(Entry::close);
    return more;
  }

  /** Sets the timer that looks for idle objects, unless it runs. Its context outlives each verticle. */
  private synchronized void watch() {
    if (watching) {
      return;
    }
    watching = true;
    Contexts.setTimer(own, checkMillis, timer -> {
      synchronized (this) {
        // From now on, who adds an object sets the next timer.
        watching = false;
      }
      if (expire(System.nanoTime())) {
        watch();
      }
    });
  }
}
