// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.binding.Replay;
import java.util.Objects;

/**
 * How a channel behaves. Times are in nanoseconds.
 *
 * @param replay which calls are sent again
 * @param maxWaiting how many calls may wait for a connection
 * @param attempts how often in a row connecting is tried after a loss, before all that waits fails; 0
 *     for no limit
 * @param firstDelay the wait after the first failed attempt; it doubles with each that follows
 * @param maxDelay the longest wait
 * @param patience how long calls wait for a peer that was lost, whatever the attempts; {@link Long#MAX_VALUE} for as
 *     long as each has time
 */
public record ChannelSettings(
    Replay replay, int maxWaiting, int attempts, long firstDelay, long maxDelay, long patience) {

  /**
   * Those of a channel whose calls wait for as long as each has time.
   *
   * @param replay which calls are sent again
   * @param maxWaiting how many calls may wait for a connection
   * @param attempts how often in a row connecting is tried
   * @param firstDelay the wait after the first failed attempt
   * @param maxDelay the longest wait
   */
  public ChannelSettings(Replay replay, int maxWaiting, int attempts, long firstDelay, long maxDelay) {
    this(replay, maxWaiting, attempts, firstDelay, maxDelay, Long.MAX_VALUE);
  }

  /** Checks the ranges. */
  public ChannelSettings {
    Objects.requireNonNull(replay, "replay");
    if (maxWaiting < 1 || attempts < 0 || firstDelay < 1 || maxDelay < firstDelay
        || patience < 1) {
      throw new IllegalArgumentException("A channel's limits are out of range");
    }
  }
}
