package dev.rpcrdma.siw.tcp;

/**
 * When an event loop looks for more instead of going to sleep. It takes times and gives decisions.
 *
 * <p>A loop that sleeps has to be woken: the peer pays for a signal to another processor, and the message
 * waits for that one to come back, which on one machine is most of the time of a small call. A loop that
 * looks wastes a processor if nothing comes. So it looks for a while after something has arrived, or was
 * sent; if nothing came of that, it lets some arrivals pass before it does so again: one at first, then
 * three, seven, and so on up to {@value #MOST_SKIPPED}. Where messages are far apart, next to nothing is
 * wasted; where they follow each other closely, both sides soon look.
 */
final class PollingPolicy {

  /** One arrival in so many and one is looked after in any case, since the times may have changed. */
  static final int MOST_SKIPPED = 63;

  private boolean polling;
  private long until;
  /** Whether something has arrived since polling began. */
  private boolean rewarded;
  private int skipNext;
  private int toSkip;

  /**
   * Something has arrived.
   *
   * @param now the time
   * @param window for how long to look; of two windows the one that ends later counts
   * @return whether polling begins with this; {@link #goesOn} tells when it ends
   */
  boolean arrived(long now, long window) {
    if (polling) {
      rewarded = true;
    }
    return moved(now, window);
  }

  /**
   * Something was sent, and may be answered soon.
   *
   * @param now the time
   * @param window for how long to look
   * @return whether polling begins with this
   */
  boolean sent(long now, long window) {
    return moved(now, window);
  }

  private boolean moved(long now, long window) {
    if (polling) {
      until = until - (now + window) > 0 ? until : now + window;
      return false;
    }
    if (toSkip > 0) {
      toSkip--;
      return false;
    }
    polling = true;
    rewarded = false;
    until = now + window;
    return true;
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
    if (until - now > 0) {
      return true;
    }
    polling = false;
    skipNext = rewarded ? 0 : Math.min(2 * skipNext + 1, MOST_SKIPPED);
    toSkip = skipNext;
    return false;
  }
}
