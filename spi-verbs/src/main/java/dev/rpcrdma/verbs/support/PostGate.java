// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import io.netty.channel.EventLoop;

/**
 * What the consumer of a queue pair may post: Receives from its setup on, all once it is connected, as much as both
 * queues hold while they are flushed, nothing afterwards. On the owning loop, which is checked.
 */
public final class PostGate {

  private enum Phase {
    SETUP, CONNECTED, FLUSHING, OVER
  }

  private final EventLoop loop;
  private Phase phase = Phase.SETUP;
  private int left;

  /**
   * That of a queue pair which is being set up.
   *
   * @param loop that owns it
   */
  public PostGate(EventLoop loop) {
    this.loop = loop;
  }

  /** The queue pair is up. */
  public void connected() {
    phase = Phase.CONNECTED;
  }

  /**
   * What is posted is being flushed. A handler that posts anew for each must not keep the end from coming.
   *
   * @param most how much may be posted until the end
   */
  public void flushing(int most) {
    phase = Phase.FLUSHING;
    left = most;
  }

  /** The queue pair has ended. */
  public void over() {
    phase = Phase.OVER;
  }

  /**
   * Checks that something may be asked of the queue pair.
   *
   * @param duringSetup whether it may be asked before the queue pair is up
   * @throws IllegalStateException if not, or on another thread
   */
  public void check(boolean duringSetup) {
    if (!loop.inEventLoop()) {
      throw new IllegalStateException("Not on the event loop that owns the queue pair");
    }
    if (phase == Phase.OVER) {
      throw refused("disconnected");
    }
    if (phase == Phase.SETUP && !duringSetup) {
      throw refused("not connected: only Receives can be posted");
    }
  }

  /**
   * Counts something that is posted, behind all other checks.
   *
   * @throws IllegalStateException if the queue pair is being flushed, and no more is taken
   */
  public void count() {
    if (phase == Phase.FLUSHING && left-- <= 0) {
      throw refused("disconnected");
    }
  }

  private static IllegalStateException refused(String state) {
    return new IllegalStateException("The queue pair is " + state);
  }
}
