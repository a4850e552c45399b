// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.xdr.XdrReader;

/** A call that a test has in place of a channel's connection. */
public record LineCall(OutboundCall call) {

  /** Sends it at once, with the XID that it has. */
  public int send(XidSlots slots) {
    call.takeXid(slots);
    return call.xid();
  }

  /** Its reply has come. */
  public void reply(XdrReader results) {
    call.endXid();
    call.call().outcome(new Outcome.Reply(results, Outcome.UNKNOWN));
  }

  /** A rejection has come. */
  public void reject() {
    call.endXid();
    call.call().outcome(new Outcome.Rejected(null, Outcome.UNKNOWN));
  }

  /** There will be no reply. */
  public void fail(Outcome.Kind kind) {
    call.endXid();
    call.call().outcome(new Outcome.Failed(kind, "", kind == Outcome.Kind.CANCELLED));
  }

  /** The connection has ended. */
  public void lose(boolean maybeExecuted) {
    call.call().outcome(new Outcome.Failed(Outcome.Kind.CONNECTION_LOST, "cut", maybeExecuted));
  }
}
