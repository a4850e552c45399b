// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

/**
 * How long a peer may be silent. Times are in nanoseconds.
 *
 * @param idleNanos after so long without a message it is asked for a sign of life
 * @param answerNanos so long it may take to give one
 */
public record Liveness(long idleNanos, long answerNanos) {

  /** As long as it likes. */
  public static final Liveness UNLIMITED = new Liveness(Long.MAX_VALUE, Long.MAX_VALUE);
}
