// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.net.SocketAddress;
import java.time.Duration;

/**
 * What was agreed for a connection, and what went on in it.
 *
 * @param agreed what was agreed when it was made
 * @param provider that it is made with
 * @param localAddress this end's
 * @param remoteAddress the other end's
 * @param age for how long it has been up
 * @param idle for how long nothing has come from the peer
 * @param calls of both directions
 * @param messages in which forms, and how much
 * @param memory that it holds
 */
public record ConnectionSnapshot(ConnectionAgreement agreed, String provider, SocketAddress localAddress,
    SocketAddress remoteAddress, Duration age, Duration idle, Calls calls, MessageStatistics messages,
    Memory memory) {

  /**
   * Calls of both directions.
   *
   * @param sent calls that this end made
   * @param pending of those, calls without an outcome
   * @param served calls of the peer that this end answered
   * @param serving calls of the peer that are being executed
   * @param creditsGranted how many calls the peer lets this end have in flight
   */
  public record Calls(long sent, long pending, long served, int serving, int creditsGranted) {}

  /**
   * Memory that a connection holds.
   *
   * @param exposures ranges that the peer can reach now
   * @param providedBytes of replies that wait to be pulled
   * @param bytesSetAside of the pool, held back because the peer may still write to it
   */
  public record Memory(int exposures, long providedBytes, long bytesSetAside) {}
}
