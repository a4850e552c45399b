// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcClientOptions;

/**
 * Whether a server that is not called, since it was not reached, is to be tried again: at once after the loss of a
 * connection, then after pauses that double. Written on one loop, read anywhere.
 */
final class Revival {

  private static final int MOST_DOUBLINGS = 30;

  private final long first;
  private final long longest;
  private volatile int failures;
  private volatile boolean down;
  private volatile boolean up;
  private volatile long due;

  Revival(RpcClientOptions options) {
    first = options.getReconnectDelay().toNanos();
    longest = Math.max(first, options.getMaxReconnectDelay().toNanos());
  }

  /** Whether there is a connection. */
  boolean isUp() {
    return up;
  }

  boolean isDown() {
    return down;
  }

  /** Whether the last thing that was tried is to make a connection, in vain. */
  boolean hasFailed() {
    return down && failures > 0;
  }

  boolean isDue(long now) {
    return down && now - due >= 0;
  }

  /** A connection is up. */
  void up() {
    failures = 0;
    down = false;
    up = true;
  }

  /** The connection is lost. */
  void lost(long now) {
    due = now;
    down = true;
    up = false;
  }

  /** No connection could be made. */
  void failed(long now) {
    int doublings = Math.min(failures++, MOST_DOUBLINGS);
    // Compared so, since what is doubled too often is negative.
    due = now + (first > longest >> doublings ? longest : first << doublings);
    down = true;
  }
}
