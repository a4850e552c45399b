// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import dev.rpcrdma.protocol.time.Deadlines;
import io.netty.channel.EventLoop;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The deadlines of all machines of an event loop, and one timer for them. The timer is set for the earliest, and
 * stays when that goes away: firing for nothing now and then costs less than moving it with each call.
 */
public final class LoopDeadlines {

  /** Guarded by itself. */
  private static final Map<EventLoop, LoopDeadlines> ALL = new WeakHashMap<>();

  /** Weak, since this is what the map keeps for it. */
  private final WeakReference<EventLoop> loop;
  private final Deadlines deadlines = new Deadlines(this::setTimer);
  /** Null while it is not set. */
  private ScheduledFuture<?> timer;
  private long timerDeadline;

  private LoopDeadlines(EventLoop loop) {
    this.loop = new WeakReference<>(loop);
  }

  /**
   * Those of an event loop.
   *
   * @param loop the only thread that may use them
   * @return always the same for the same loop; times are those of {@link System#nanoTime()}
   */
  public static Deadlines of(EventLoop loop) {
    synchronized (ALL) {
      return ALL.computeIfAbsent(loop, LoopDeadlines::new).deadlines;
    }
  }

  private void setTimer(long deadline) {
    if (timer != null) {
      if (timerDeadline - deadline <= 0) {
        return;
      }
      timer.cancel(false);
    }
    timerDeadline = deadline;
    timer = loop.get().schedule(this::fire, Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  private void fire() {
    timer = null;
    try {
      deadlines.advance(System.nanoTime());
    } finally {
      // Also after an exception: the others are of other connections.
      if (deadlines.next() != Long.MAX_VALUE) {
        setTimer(deadlines.next());
      }
    }
  }
}
