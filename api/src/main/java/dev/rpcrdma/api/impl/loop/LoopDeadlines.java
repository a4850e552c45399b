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

  /** A timer that is so late was held up: by the suspension of a machine or process, or by a blocked loop. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** What has come meanwhile is read first: answers lie in sockets, and peers wait for Reads. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Guarded by itself. */
  private static final Map<EventLoop, LoopDeadlines> ALL = new WeakHashMap<>();

  /** Weak, since this is what the map keeps for it. */
  private final WeakReference<EventLoop> loop;
  private final Deadlines deadlines = new Deadlines(this::setTimer);
  /** Null while it is not set. */
  private ScheduledFuture<?> timer;
  private long timerDeadline;
  /** Whether deadlines wait for what has come while the process was stopped, and until when. */
  private boolean grace;
  private long graceUntil;

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
    schedule(deadline);
  }

  private void schedule(long deadline) {
    timerDeadline = deadline;
    timer = loop.get().schedule(this::fire, Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  private void fire() {
    timer = null;
    long now = System.nanoTime();
    if (!grace && now - timerDeadline > LATE_NANOS) {
      graceUntil = now + GRACE_NANOS;
      grace = true;
    }
    // Once: a loop that is held up again and again has deadlines all the same.
    grace &= now - graceUntil < 0;
    if (grace) {
      schedule(graceUntil);
      return;
    }
    try {
      deadlines.advance(now);
    } finally {
      // Also after an exception: the others are of other connections.
      if (deadlines.next() != Long.MAX_VALUE) {
        setTimer(deadlines.next());
      }
    }
  }
}
