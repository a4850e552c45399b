// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.serviceproxy.ServiceBinder;
import io.vertx.serviceproxy.ServiceException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The objects that the calls of one service have made, and that are called by their ids: 122 random bits, which only
 * who has made an object learns. An object goes when it is closed, or has not been called for as long as {@link
 * ServiceBinder} keeps one. Safe for all threads.
 */
public final class ServedObjects {

  /** The failure code of a call of an object that is not there. */
  static final int GONE = -1;
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(ServiceBinder.DEFAULT_CONNECTION_TIMEOUT);
  private static final long CHECK_MILLIS = TimeUnit.SECONDS.toMillis(10);
  private static final int MOST = 10_000;
  private static final Logger LOG = LoggerFactory.getLogger(ServedObjects.class);

  private static final class Entry {

    private final Object object;
    private final Runnable closer;
    private long lastCalled;

    Entry(Object object, Runnable closer, long lastCalled) {
      this.object = object;
      this.closer = closer;
      this.lastCalled = lastCalled;
    }
  }

  /** Those that were called last are last. Guarded by this. */
  private final Map<UUID, Entry> objects = new LinkedHashMap<>(16, 0.75f, true);
  private boolean watching;

  /** Creates a table without objects. */
  public ServedObjects() {}

  /**
   * Adds what a call has made, and writes its id.
   *
   * @param out the results
   * @param object what was made
   * @param closer closes it when it has not been called for long
   * @param <T> its interface
   * @throws ServiceException if there are too many
   */
  public <T> void write(ValueWriter out, T object, Consumer<T> closer) {
    Identifiers.writeUUID(out, add(object, () -> closer.accept(object), System.nanoTime()), "object");
  }

  synchronized UUID add(Object object, Runnable closer, long now) {
    if (objects.size() >= MOST) {
      throw new ServiceException(GONE, "The service has " + MOST + " objects that nobody has closed");
    }
    UUID id = UUID.randomUUID();
    objects.put(id, new Entry(object, closer, now));
    watch();
    return id;
  }

  /**
   * An object that is called.
   *
   * @param id its id
   * @param type its interface
   * @param <T> its interface
   * @return null if there is none
   */
  public synchronized <T> T find(UUID id, Class<T> type) {
    Entry entry = objects.get(id);
    if (entry == null || !type.isInstance(entry.object)) {
      return null;
    }
    entry.lastCalled = System.nanoTime();
    return type.cast(entry.object);
  }

  /**
   * An object whose last call this is.
   *
   * @param id its id
   * @param type its interface
   * @param <T> its interface
   * @return null if there is none
   */
  public synchronized <T> T take(UUID id, Class<T> type) {
    T object = find(id, type);
    if (object != null) {
      objects.remove(id);
    }
    return object;
  }

  /** Closes those that were not called for long; true if there are others. */
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
      }
      more = !objects.isEmpty();
    }
    expired.forEach(ServedObjects::close);
    return more;
  }

  private static void close(Entry entry) {
    try {
      entry.closer.run();
    } catch (Throwable e) {
      LOG.warn("An object that was not used for long could not be closed", e);
    }
  }

  /** Looks after the objects on the context that has made the first of them, as long as there are any. */
  private void watch() {
    Context context = Vertx.currentContext();
    if (watching || context == null) {
      return;
    }
    watching = true;
    context.owner().setTimer(CHECK_MILLIS, timer -> {
      boolean more = expire(System.nanoTime());
      synchronized (this) {
        watching = false;
        if (more) {
          watch();
        }
      }
    });
  }
}
