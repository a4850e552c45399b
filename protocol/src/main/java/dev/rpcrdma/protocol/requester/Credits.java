// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;

/**
 * What this end may send on one connection: a message for each credit that the peer grants, and with an XID for each
 * free slot. One credit until the first reply, then what the peer grants, never more than requested. A
 * message takes its credit from the moment its memory is exposed until its answer comes, however late: giving a call up
 * does not give the credit back.
 */
final class Credits {

  private final ConnectionCore core;
  private final XidSlots slots;
  /** Calls, and messages of OPTIONAL header types. */
  private final InFlight inFlight;
  private int granted = 1;

  Credits(ConnectionCore core, XidSlots slots) {
    this.core = core;
    this.slots = slots;
    this.inFlight = new InFlight(slots);
  }

  int granted() {
    return granted;
  }

  InFlight inFlight() {
    return inFlight;
  }

  XidSlots slots() {
    return slots;
  }

  /** C-03: a grant of zero reads as one. R-024: never more than was asked for. */
  void grant(int credits) {
    granted = Math.max(1, (int) Math.min(Integer.toUnsignedLong(credits), core.settings().creditsRequested()));
  }

  /**
   * Whether one more message may be sent that takes a Receive of the peer. Of a connection that is at its end none may:
   * each call that waits would ask for memory in its turn, which a device refuses that is asked for too much.
   */
  boolean available() {
    return core.open() && !core.exposures().ending()
        && inFlight.size() < Math.min(granted, core.settings().creditsRequested());
  }

  /**
   * Whether there is a slot for a call. One that was sent before has its own. Protected ones leave one to the call that
   * makes their context: those that are refused, and wait for another context, keep their slots.
   *
   * @param others calls that are to have slots, too
   */
  boolean slotFor(OutboundCall call, int others) {
    return call.hasXid() || slots.available() > others + (call.head().protector().isPresent() ? 1 : 0);
  }
}
