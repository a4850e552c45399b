package dev.rpcrdma.siw.tcp;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Keeps an event loop awake while {@link PollingPolicy} wants it: there is always a task to do, so that
 * the loop asks its selector what is ready and does not wait for it. All else that the loop has to do is
 * done as ever. One for each loop, whatever connections it has.
 */
final class BusyPoller {

  private static final FastThreadLocal<BusyPoller> POLLERS = new FastThreadLocal<>();

  private final EventLoop loop;
  private final PollingPolicy policy = new PollingPolicy();
  private final Runnable look = this::look;
  private final Runnable lookNext = this::lookNext;

  private BusyPoller(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * Something has arrived, or was sent and may be answered soon. On the loop.
   *
   * @param window for how long to look for more, in nanoseconds
   */
  static void moved(EventLoop loop, long window) {
    BusyPoller poller = POLLERS.get();
    if (poller == null) {
      poller = new BusyPoller(loop);
      POLLERS.set(poller);
    }
    if (poller.policy.moved(System.nanoTime(), window)) {
      poller.afterThisIteration();
    }
  }

  /** Whether the loop that asks is being kept awake. */
  static boolean isPolling() {
    BusyPoller poller = POLLERS.get();
    return poller != null && poller.policy.isPolling();
  }

  /**
   * A task that makes itself anew would be done over and over within one iteration of the loop, which
   * would never look. It is the tail of each iteration that makes it for the next.
   */
  private void afterThisIteration() {
    if (loop instanceof SingleThreadEventLoop && !loop.isShuttingDown()) {
      ((SingleThreadEventLoop) loop).executeAfterEventLoopIteration(lookNext);
    }
  }

  private void lookNext() {
    loop.execute(look);
  }

  private void look() {
    if (policy.goesOn(System.nanoTime())) {
      afterThisIteration();
    }
  }
}
