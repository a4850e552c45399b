// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.message.ErrorTransmission;

/**
 * Answers to what cannot be served as a call: RDMA_ERROR, and messages of OPTIONAL header types. They cost whoever
 * provokes them nothing, and are bounded like replies.
 */
final class CheapAnswers {

  private final ConnectionCore core;

  CheapAnswers(ConnectionCore core) {
    this.core = core;
  }

  /** Answers a message that cannot be processed, in the way its fault demands. */
  void fault(int xid, int version, Fault fault) {
    switch (fault.answer()) {
      case NOTHING -> core.counters().discarded++;
      case ERR_VERS, ERR_CHUNK -> submit(new ErrorTransmission(core, xid, version, fault));
      default -> throw new IllegalStateException("No such answer: " + fault.answer());
    }
  }

  /** B-052, R-156: what is cheap to provoke does not wait in greater number than replies would. */
  void submit(Transmission answer) {
    if (!congested()) {
      core.outbox().submit(answer);
    }
  }

  /**
   * Ends the connection if more waits to be sent than answers to all calls that were granted, twice, and
   * this end's own calls: a call is in flight until its reply has left, and a peer that takes no
   * replies could have any number of them made.
   */
  boolean congested() {
    ConnectionSettings settings = core.settings();
    if (core.outbox().waiting() <= 2 * settings.creditsGranted() + settings.creditsRequested()) {
      return false;
    }
    core.fail("The peer provokes answers faster than it takes them");
    return true;
  }
}
