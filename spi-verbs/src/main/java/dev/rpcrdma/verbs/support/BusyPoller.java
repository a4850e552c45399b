// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps an event loop awake while {@link PollingPolicy} wants it: there is always a task to do, so that
 * the loop asks its selector what is ready and does not wait for it. All else that the loop has to do is
 * done as ever. One for each loop, whatever connections it has.
 */
public final class BusyPoller {

  /** Most that are looked at by themselves in each turn of a loop that is kept awake. */
  private static final int MOST_LOOKED_AT = 64;

  /** Something that the loop's selector need not tell of while the loop looks for itself. */
  public interface Source {

    /**
     * Looks whether something has come.
     *
     * @return false if nothing will come any more, so that it is looked at no more
     */
    boolean look();

    /** The loop looks no more: from now on this source has to tell it. */
    void rest();
  }

  private static final FastThreadLocal<BusyPoller> POLLERS = new FastThreadLocal<>();

  private final EventLoop loop;
  private final PollingPolicy policy = new PollingPolicy();
  private final Runnable look = this::look;
  private final Runnable lookNext = this::lookNext;
  /** A look is scheduled. */
  private boolean looking;
  /** Who has wanted it last. */
  private Object wantedBy;
  private List<Source> sources = new ArrayList<>();

  private BusyPoller(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * Something has arrived, or was sent and may be answered soon. On the loop.
   *
   * @param by what it has arrived at, such as a connection
   * @param window for how long to look for more, in nanoseconds
   */
  public static void moved(EventLoop loop, Object by, long window) {
    BusyPoller poller = POLLERS.get();
    if (poller == null) {
      poller = new BusyPoller(loop);
      POLLERS.set(poller);
    }
    poller.moved(by, window);
  }

  private void moved(Object by, long window) {
    boolean begins = policy.moved(System.nanoTime(), window);
    if (policy.isPolling()) {
      wantedBy = by;
    }
    // What was found may be followed by something else before the look that was due.
    if (begins && !looking) {
      looking = afterThisIteration();
    }
  }

  /**
   * What was looked for has come. The loop stays awake if others have wanted it since; who has wanted it
   * before, and still does, asks again with the next that comes. On the loop.
   *
   * @param by as told before
   */
  public static void found(Object by) {
    BusyPoller poller = POLLERS.get();
    if (poller != null && poller.wantedBy == by) {
      poller.policy.found();
    }
  }

  /**
   * Has a source looked at in each turn for as long as the loop is kept awake. On the loop.
   *
   * @param source not one that is looked at already
   * @return false if the loop is not kept awake, or looks at so many that this one has to tell it
   */
  public static boolean lookAt(Source source) {
    BusyPoller poller = POLLERS.get();
    if (poller == null || !poller.looking || !poller.policy.isPolling()
        || poller.sources.size() >= MOST_LOOKED_AT) {
      return false;
    }
    poller.sources.add(source);
    return true;
  }

  /** How often the loop that asks has begun to be kept awake. */
  public static long begun() {
    BusyPoller poller = POLLERS.get();
    return poller == null ? 0 : poller.policy.begun();
  }

  /** Whether the loop that asks is being kept awake. */
  public static boolean isPolling() {
    BusyPoller poller = POLLERS.get();
    return poller != null && poller.policy.isPolling();
  }

  /**
   * A task that makes itself anew would be done over and over within one iteration of the loop, which
   * would never look. It is the tail of each iteration that makes it for the next.
   */
  private boolean afterThisIteration() {
    if (loop instanceof SingleThreadEventLoop && !loop.isShuttingDown()) {
      ((SingleThreadEventLoop) loop).executeAfterEventLoopIteration(lookNext);
      return true;
    }
    return false;
  }

  private void lookNext() {
    loop.execute(look);
  }

  private void look() {
    looking = policy.goesOn(System.nanoTime());
    if (looking) {
      lookAtSources();
      looking = afterThisIteration();
    }
    if (!looking) {
      wantedBy = null;
      List<Source> last = sources;
      sources = new ArrayList<>();
      last.forEach(Source::rest);
    }
  }

  /** What is found may add sources, which are looked at in the next turn. */
  private void lookAtSources() {
    for (int i = sources.size() - 1; i >= 0; i--) {
      if (!sources.get(i).look()) {
        sources.remove(i);
      }
    }
  }
}
