// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import java.util.concurrent.atomic.LongAdder;

/** How the revocations of one device have ended. From any thread. */
public final class Revocations {

  private final LongAdder alone = new LongAdder();
  private final LongAdder fenced = new LongAdder();
  private final LongAdder ended = new LongAdder();

  /** None yet. */
  public Revocations() {}

  /** Deregistering was enough. */
  void deregistered() {
    alone.increment();
  }

  /** A fence has shown that nothing is still to be sent. */
  void fenced() {
    fenced.increment();
  }

  /** The connection has ended before. */
  void ended() {
    ended.increment();
  }

  /**
   * Describes them.
   *
   * @return for people
   */
  public String describe() {
    return "on the whole device " + alone.sum() + " by deregistering alone, " + fenced.sum() + " by a fence, "
        + ended.sum() + " by the end of their connection";
  }
}
