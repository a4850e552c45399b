// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

/**
 * When an event loop looks for more instead of going to sleep. It takes times and gives decisions.
 *
 * <p>A loop that sleeps has to be woken: the peer pays for a signal to another processor, and the message
 * waits for that one to come back, which on one machine is most of the time of a small call. A loop that
 * looks wastes a processor while nothing comes. So it looks for a while, the window, after something has
 * arrived or was sent; and if nothing comes of that, it has looked in vain, which it may do after one
 * message in {@value #SHARE}.
 *
 * <p>What it may is saved up and spent in a row: a loop that has spent all rests until half of the savings
 * are there again. Two sides that both sleep find out in this way that they need not: the first one that
 * looks has its answer within the window, though the peer has to wake for it, and goes on; the other one
 * finds the waits even shorter when it looks in its turn.
 */
final class PollingPolicy {

  /** One message in so many may be looked after in vain. */
  static final int SHARE = 64;

  /** So many looks in vain can be saved up. */
  static final int SAVED = 20;

  private boolean polling;
  private long begun;
  private long until;
  /** What may be spent, in parts of a look in vain. */
  private int savings;
  private boolean resting;

  /**
   * Something has arrived, or was sent and may be answered soon.
   *
   * @param now the time
   * @param window for how long to look; of two windows the one that ends later counts
   * @return whether polling begins with this; {@link #goesOn} tells when it ends
   */
  boolean moved(long now, long window) {
    savings = Math.min(savings + 1, SAVED * SHARE);
    if (polling) {
      until = until - (now + window) > 0 ? until : now + window;
      return false;
    }
    if (resting && savings < SAVED * SHARE / 2) {
      return false;
    }
    resting = false;
    polling = true;
    begun++;
    until = now + window;
    return true;
  }

  /** What was looked for has come, and nothing else is expected: polling ends, and was not in vain. */
  void found() {
    polling = false;
  }

  /**
   * The loop has looked, and its other tasks have been done.
   *
   * @param now the time
   * @return whether it looks again; else polling has ended
   */
  boolean goesOn(long now) {
    if (!polling) {
      return false;
    }
    if (until - now > 0) {
      return true;
    }
    polling = false;
    savings -= SHARE;
    resting = savings <= 0;
    return false;
  }

  /** How often polling has begun. */
  long begun() {
    return begun;
  }

  /** Whether polling has begun and not ended. */
  boolean isPolling() {
    return polling;
  }
}
