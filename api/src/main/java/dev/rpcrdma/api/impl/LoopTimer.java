package dev.rpcrdma.api.impl;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One timer for all deadlines of a connection. It is armed for the earliest of them, and not moved
 * when that goes away: firing for nothing now and then is cheaper than moving it with each call.
 */
final class LoopTimer {

  private final EventLoop loop;
  private final Runnable action;
  private ScheduledFuture<?> armed;
  private long armedFor = Long.MAX_VALUE;

  LoopTimer(EventLoop loop, Runnable action) {
    this.loop = loop;
    this.action = action;
  }

  /** Makes sure that the action runs at that time of {@link System#nanoTime()}, or before. */
  void arm(long deadline) {
    if (deadline == Long.MAX_VALUE || armed != null && armedFor - deadline <= 0) {
      return;
    }
    cancel();
    armedFor = deadline;
    armed = loop.schedule(() -> {
      armed = null;
      action.run();
    }, Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  void cancel() {
    if (armed != null) {
      armed.cancel(false);
      armed = null;
    }
  }
}
