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
 */
public record ChannelSettings(
    Replay replay, int maxWaiting, int attempts, long firstDelay, long maxDelay) {

  /** Checks the ranges. */
  public ChannelSettings {
    Objects.requireNonNull(replay, "replay");
    if (maxWaiting < 1 || attempts < 0 || firstDelay < 1 || maxDelay < firstDelay) {
      throw new IllegalArgumentException("A channel's limits are out of range");
    }
  }
}
