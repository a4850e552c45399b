package dev.rpcrdma.siw.tcp;

/**
 * When an event loop looks for more instead of going to sleep. It takes times and gives decisions.
 *
 * <p>A loop that sleeps has to be woken: the peer pays for a signal to another processor, and the message
 * waits for that one to come back, which on one machine is most of the time of a small call. A loop that
 * looks wastes a processor while nothing comes. So it looks for a while, a window, after something has
 * arrived or was sent, within a budget:
 *
 * <ul>
 *   <li>A wait of up to half of the window is free. It is what a side sees that looks while the other one
 *       sleeps: so it goes on, the other one sees still shorter waits when it looks in its turn, and then
 *       both do.
 *   <li>Longer ones, and those in vain, may take one part in {@value #SHARE} of all time; some of it can
 *       be saved up.
 * </ul>
 */
final class PollingPolicy {

  /** One part in so many of the time may be waited at a loss. */
  static final int SHARE = 20;

  /** So many windows can be saved up. */
  private static final int SAVED = 20;

  private boolean polling;
  /** When the present wait began. */
  private long since;
  private long until;
  /** Time that may still be waited at a loss. */
  private long budget;
  private long budgetTime;

  /**
   * Begins with a full budget.
   *
   * @param now the time
   * @param window for how long to look
   */
  PollingPolicy(long now, long window) {
    budget = SAVED * window;
    budgetTime = now;
  }

  /**
   * Something has arrived, or was sent and may be answered soon.
   *
   * @param now the time
   * @param window for how long to look; of two windows the one that ends later counts
   * @return whether polling begins with this; {@link #goesOn} tells when it ends
   */
  boolean moved(long now, long window) {
    budget = Math.min(SAVED * window, budget + (now - budgetTime) / SHARE);
    budgetTime = now;
    if (polling) {
      charge(now, window);
      since = now;
      until = until - (now + window) > 0 ? until : now + window;
      return false;
    }
    if (budget <= 0) {
      return false;
    }
    polling = true;
    since = now;
    until = now + window;
    return true;
  }

  private void charge(long now, long window) {
    long waited = now - since;
    if (waited > window / 2) {
      budget -= waited;
    }
  }

  /** Whether polling has begun and not ended. */
  boolean isPolling() {
    return polling;
  }

  /**
   * The loop has looked, and its other tasks have been done.
   *
   * @param now the time
   * @return whether it looks again; else polling has ended
   */
  boolean goesOn(long now) {
    if (budget > 0 && until - now > 0) {
      return true;
    }
    polling = false;
    budget -= now - since;
    return false;
  }
}
