// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What is done before a server stops to accept connections, in a limited time. From any thread. */
final class PreCloseHook {

  private static final Logger LOG = LoggerFactory.getLogger(PreCloseHook.class);

  private final EventLoop loop;
  /** Guarded by this. */
  private final List<Supplier<? extends Future<?>>> actions = new ArrayList<>();
  /** Guarded by this. */
  private boolean begun;
  /** Guarded by this: the limits of its time. */
  private final List<ScheduledFuture<?>> limits = new ArrayList<>();
  /** Guarded by this: what comes after it; null before it is said, and once that has begun. */
  private Runnable next;

  PreCloseHook(EventLoop loop) {
    this.loop = loop;
  }

  /** Takes something to do, unless it has begun. */
  synchronized boolean add(Supplier<? extends Future<?>> action) {
    return !begun && actions.add(action);
  }

  /**
   * Begins.
   *
   * @param nanos how long it may take
   * @param then is run once, at once if there is nothing to do
   */
  void say(long nanos, Runnable then) {
    List<Supplier<? extends Future<?>>> all;
    synchronized (this) {
      all = List.copyOf(actions);
      begun = true;
      next = then;
    }
    if (all.isEmpty()) {
      end();
      return;
    }
    limit(nanos);
    Future.join(all.stream().map(PreCloseHook::begin).toList()).onComplete(done -> end());
  }

  private static Future<?> begin(Supplier<? extends Future<?>> action) {
    try {
      return action.get().onFailure(PreCloseHook::failed);
    } catch (Throwable e) {
      failed(e);
      return Future.succeededFuture();
    }
  }

  private static void failed(Throwable cause) {
    LOG.warn("What was to be done before a server closes has failed", cause);
  }

  /** Lets it take no longer than this from now on, if it has begun. */
  void limit(long nanos) {
    try {
      synchronized (this) {
        if (next != null) {
          limits.add(loop.schedule(this::end, nanos, TimeUnit.NANOSECONDS));
        }
      }
    } catch (RejectedExecutionException e) {
      // After the end of Vert.x there is no time left.
      end();
    }
  }

  private void end() {
    Runnable then;
    synchronized (this) {
      limits.forEach(limit -> limit.cancel(false));
      limits.clear();
      then = next;
      next = null;
    }
    if (then != null) {
      then.run();
    }
  }
}
