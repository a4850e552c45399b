// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.net.Address;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What went on in a channel. One that consists of others, since its address stands for several servers or it has
 * several connections to one, is connected if one of them is; its counts are their sums.
 *
 * @param address that it was made for
 * @param provider that its connection is made with; empty without one
 * @param connected whether it has a connection now
 * @param since for how long it has had one, or none
 * @param lastFailure why the last attempt to connect failed, or the last connection ended; empty if neither
 *     has happened
 * @param connections how many connections it has had
 * @param callsPending its calls without an outcome
 * @param callsWaiting those of them that wait for a connection
 * @param replays its calls that were sent again after the loss of a connection
 * @param fallbacks how often it has gone on with another provider, since one had failed
 * @param parts those that it consists of: of an address that is resolved one for each server that was chosen, then of
 *     several connections one for each; empty if it is one connection after the other
 */
public record ChannelSnapshot(
    Address address, Optional<String> provider, boolean connected, Duration since,
    Optional<String> lastFailure, long connections, long callsPending, long callsWaiting, long replays,
    long fallbacks, List<ChannelSnapshot> parts) {

  /** Takes a copy of the parts. */
  public ChannelSnapshot {
    parts = List.copyOf(parts);
  }
}
