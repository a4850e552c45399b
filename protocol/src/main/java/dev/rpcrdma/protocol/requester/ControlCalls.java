// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.MetadataBlock;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Calls of this library's own program that a connection makes by itself, to a peer that takes metadata: GIVE_UP and
 * LEAVING.
 *
 * <p><b>Credit.</b> Each end grants one credit for them beside those for other calls, from the beginning, so that no
 * call that holds its credit can keep them back. At most one of them is without reply. GIVE_UP names all calls that
 * were given up since the last one, so that many cancellations take few messages.
 *
 * <p><b>XIDs.</b> The peer answers them at once and remembers none, so they take no slot.
 */
final class ControlCalls {

  private static final byte[] NO_TAGS = {};

  private final ConnectionCore core;
  private final XidSlots xids;
  /** Calls that the peer is still to hear of, the oldest first. */
  private final Set<AbandonedCall> givenUp = new LinkedHashSet<>();
  /** Whether LEAVING is still to be sent. */
  private boolean leaving;
  /** Null if no call is without reply. */
  private ControlCall unanswered;

  ControlCalls(ConnectionCore core, XidSlots xids) {
    this.core = core;
    this.xids = xids;
  }

  /** Tells whether the peer knows these calls. */
  boolean known() {
    return core.settings().metadata();
  }

  /** Tells the peer that nobody waits for the reply to a call. */
  void giveUp(AbandonedCall call) {
    if (known()) {
      givenUp.add(call);
      pump();
    }
  }

  /** Forgets a call that has its reply. */
  void answered(AbandonedCall call) {
    if (!givenUp.isEmpty()) {
      givenUp.remove(call);
    }
  }

  /** Tells the peer, which takes metadata, that this end is about to go. */
  void leave() {
    leaving = true;
    pump();
  }

  private void pump() {
    if (unanswered != null || !core.open()) {
      return;
    }
    if (leaving) {
      leaving = false;
      unanswered = new ControlCall(ControlProcedures.LEAVING, List.of());
    } else if (!givenUp.isEmpty()) {
      unanswered = new ControlCall(ControlProcedures.GIVE_UP, takeGivenUp());
    } else {
      return;
    }
    core.outbox().submit(unanswered);
  }

  private List<AbandonedCall> takeGivenUp() {
    List<AbandonedCall> taken = new ArrayList<>();
    Iterator<AbandonedCall> all = givenUp.iterator();
    while (all.hasNext() && taken.size() < ControlProcedures.MAX_XIDS) {
      taken.add(all.next());
      all.remove();
    }
    return taken;
  }

  boolean knows(int xid) {
    return unanswered != null && unanswered.sent && unanswered.xid == xid;
  }

  /**
   * Takes the reply to one of these calls.
   *
   * @param payload Payload stream of an inline reply
   */
  void replied(ByteBuffer payload) {
    List<AbandonedCall> confirmed = isSuccess(payload) ? unanswered.calls : List.of();
    end();
    confirmed.forEach(AbandonedCall::confirmed);
  }

  private static boolean isSuccess(ByteBuffer payload) {
    try {
      return ReplyHeader.decode(XdrReader.owning(payload, ItemSource.NONE)) instanceof ReplyHeader.Accepted accepted
          && accepted.status() == AcceptStatus.SUCCESS;
    } catch (XdrException e) {
      return false;
    }
  }

  /** Ends a call whose answer says nothing of the calls that it names. */
  void refused() {
    end();
  }

  private void end() {
    unanswered = null;
    pump();
  }

  /** Forgets everything: the connection is lost. */
  void abandon() {
    givenUp.clear();
    leaving = false;
    unanswered = null;
  }

  /** One call on its way, or without reply. */
  private final class ControlCall implements Transmission {

    private final int xid = xids.next();
    private final int procedure;
    private final List<AbandonedCall> calls;
    private boolean sent;

    ControlCall(int procedure, List<AbandonedCall> calls) {
      this.procedure = procedure;
      this.calls = calls;
    }

    @Override
    public int encode(ByteBuffer target) {
      sent = true;
      // each call says how many credits this end would like.
      RawHeader.write(target, xid, core.settings().creditsRequested(), RawHeader.RDMA_MSG);
      ChunkLists.EMPTY.write(target);
      CallHeader.write(target, xid, ControlProcedures.PROGRAM, ControlProcedures.VERSION, procedure, OpaqueAuth.NONE);
      if (procedure == ControlProcedures.GIVE_UP) {
        target.putInt(calls.size());
        calls.forEach(call -> target.putInt(call.xid()));
      }
      MetadataBlock.writeTags(target, NO_TAGS);
      return target.position();
    }
  }
}
