// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/**
 * What connections carried, those that have ended included.
 *
 * @param connections how many are up
 * @param connectionsEnded how many were
 * @param callsSent calls that were sent, repetitions included
 * @param callsServed calls that were answered
 * @param replays calls that were sent again over another connection
 * @param messages in which forms, and how much
 * @param polls how often an event loop has begun to stay awake for what was to come
 */
public record TrafficStatistics(long connections, long connectionsEnded, long callsSent, long callsServed,
    long replays, MessageStatistics messages, long polls) {

  /** Nothing. */
  public static final TrafficStatistics NONE = new TrafficStatistics(0, 0, 0, 0, 0, MessageStatistics.NONE, 0);

  /**
   * Both together.
   *
   * @param other more
   * @return a sum
   */
  public TrafficStatistics plus(TrafficStatistics other) {
    return new TrafficStatistics(connections + other.connections, connectionsEnded + other.connectionsEnded,
        callsSent + other.callsSent, callsServed + other.callsServed, replays + other.replays,
        messages.plus(other.messages), polls + other.polls);
  }
}
