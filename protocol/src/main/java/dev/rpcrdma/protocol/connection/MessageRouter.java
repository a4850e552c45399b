// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.oncrpc.MessageHead;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.requester.Requester;
import dev.rpcrdma.protocol.responder.Responder;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Tells what a message is, and whose: replies and errors are the requester's, calls the responder's. What
 * cannot be decoded is answered, or discarded, as RFC 8166 §4.5 has it. Keeps nothing from one message to
 * the next.
 */
final class MessageRouter {

  private final ConnectionCore core;
  private final Requester requester;
  private final Responder responder;

  MessageRouter(ConnectionCore core, Requester requester, Responder responder) {
    this.core = core;
    this.requester = requester;
    this.responder = responder;
  }

  /** A message has come; see {@link ConnectionMachine#received}. */
  void received(ByteBuffer message, OptionalInt invalidated, long now) {
    int length = message.limit();
    if (length < RawHeader.LENGTH) {
      // no field of the message is used.
      discard(invalidated);
      return;
    }
    int xid = RawHeader.xid(message);
    if (RawHeader.version(message) != RawHeader.VERSION) {
      faultOrDiscard(xid, message, foreign(RawHeader.procedure(message)), invalidated);
      return;
    }
    switch (RawHeader.procedure(message)) {
      case RawHeader.RDMA_MSG -> message(xid, message, true, invalidated, now);
      case RawHeader.RDMA_NOMSG -> message(xid, message, false, invalidated, now);
      case RawHeader.RDMA_ERROR -> error(xid, message, invalidated);
      case RawHeader.RDMA_DONE -> done(xid, invalidated);
      case RawHeader.RDMA_MSGP -> faultOrDiscard(xid, message, Fault.OBSOLETE_PROCEDURE, invalidated);
      default -> extension(xid, message, invalidated);
    }
  }

  /** the procedure is where it is in all versions, and these two mean the same in all. */
  private static Fault foreign(int procedure) {
    return procedure == RawHeader.RDMA_ERROR || procedure == RawHeader.RDMA_DONE
        ? Fault.FOREIGN_NOTICE : Fault.UNSUPPORTED_VERSION;
  }

  private void extension(int xid, ByteBuffer message, OptionalInt invalidated) {
    if (invalidated.isPresent()) {
      invalidatedByNoReply();
      return;
    }
    int procedure = RawHeader.procedure(message);
    ByteBuffer body =
        message.slice(RawHeader.LENGTH, message.limit() - RawHeader.LENGTH).asReadOnlyBuffer();
    if (!requester.extension(xid, procedure, body)
        && !responder.extension(xid, procedure, body)) {
      faultOrDiscard(xid, message, Fault.BAD_HEADER, invalidated);
    }
  }

  private void message(int xid, ByteBuffer message, boolean inline, OptionalInt invalidated,
      long now) {
    if (message.limit() < RawHeader.SHORT_LENGTH) {
      // C-08.
      discard(invalidated);
      return;
    }
    ChunkLists lists;
    try {
      lists = ChunkLists.read(message.position(RawHeader.LENGTH), core.settings().limits());
    } catch (FaultException e) {
      if (!inline && e.fault() == Fault.UNREASONABLE_CHUNKS && unreasonable(xid, message, invalidated, now)) {
        return;
      }
      if (!inline) {
        requester.unreadable(xid);
      }
      fault(xid, RawHeader.VERSION, e.fault(), invalidated);
      return;
    }
    // From here on the message's position is where its payload begins.
    if (inline && !core.cutMetadata(message)) {
      return;
    }
    if (inline && MessageHead.cutShort(message)) {
      // what is too short for the head of an RPC message is used no more than what is too short for a header.
      discard(invalidated);
      return;
    }
    if (!inline && lists.positionZero().isPresent() && core.settings().largeReplies().pulls()
        && requester.knows(xid)) {
      // C-02: its first bytes are in its chunk.
      requester.longMessage(xid, RawHeader.credits(message), lists, invalidated, now);
      return;
    }
    switch (direction(lists, inline, message)) {
      case OncRpc.REPLY -> reply(xid, message, lists, inline, invalidated);
      case OncRpc.CALL -> call(xid, lists, inline, message, invalidated, now);
      default -> fault(xid, RawHeader.VERSION, Fault.BAD_HEADER, invalidated);
    }
  }

  /**
   * Takes a Long message whose lists are sound, but more than this end accepts. Where replies are pulled, and no call
   * waits for this one, the first bytes of the payload tell whether it is a call or a reply (C-02, R-269).
   *
   * @return false if the message is judged without them
   */
  private boolean unreasonable(int xid, ByteBuffer message, OptionalInt invalidated, long now) {
    if (!core.settings().largeReplies().pulls() || requester.waitsFor(xid) || invalidated.isPresent()) {
      return false;
    }
    try {
      ChunkLists lists = ChunkLists.read(message.position(RawHeader.LENGTH), WireLimits.NONE);
      if (lists.positionZero().isPresent()) {
        responder.unreasonable(xid, lists, now);
        return true;
      }
    } catch (FaultException e) {
      // The lists have another fault behind the limit.
    }
    return false;
  }

  /**
   * C-02: an inline message shows its msg_type. A Long one is a call if it brings a Position-Zero
   * Read chunk and is not a reply that waits to be pulled, and else a reply if it has a Reply chunk.
   */
  private static int direction(ChunkLists lists, boolean inline, ByteBuffer payload) {
    if (inline) {
      return payload.getInt(payload.position() + 4);
    }
    if (lists.positionZero().isPresent()) {
      return OncRpc.CALL;
    }
    // RDMA_NOMSG needs a list that carries the payload.
    return lists.replyChunk().isPresent() && lists.readChunks().isEmpty() ? OncRpc.REPLY : -1;
  }

  private void reply(int xid, ByteBuffer message, ChunkLists lists, boolean inline,
      OptionalInt invalidated) {
    if (inline && message.getInt(message.position()) != xid) {
      requester.badReply(xid, "its XID differs from the header's", invalidated);
    } else {
      requester.reply(xid, RawHeader.credits(message), lists, inline, message, invalidated);
    }
  }

  private void call(int xid, ChunkLists lists, boolean inline, ByteBuffer payload,
      OptionalInt invalidated, long now) {
    if (invalidated.isPresent()) {
      invalidatedByNoReply();
      return;
    }
    long streamLength = inline ? payload.remaining() : lists.positionZero().orElseThrow().length();
    if (inline && lists.positionZero().isPresent() || !lists.positionsFit(streamLength)) {
      responder.fault(xid, RawHeader.VERSION, Fault.BAD_POSITION);
      return;
    }
    responder.call(xid, lists, inline, payload, now);
  }

  private void error(int xid, ByteBuffer message, OptionalInt invalidated) {
    int error = message.limit() >= RawHeader.ERR_CHUNK_LENGTH ? message.getInt(16) : 0;
    boolean whole = error == RawHeader.ERR_CHUNK
        || error == RawHeader.ERR_VERS && message.limit() >= RawHeader.ERR_VERS_LENGTH;
    if (whole) {
      requester.error(xid, error, invalidated);
    } else {
      //
      discard(invalidated);
    }
  }

  /** C-05: a notice about a reply that this end provides, if that was agreed. */
  private void done(int xid, OptionalInt invalidated) {
    if (core.settings().largeReplies().provides()) {
      responder.done(xid, invalidated);
    } else {
      discard(invalidated);
    }
  }

  private void discard(OptionalInt invalidated) {
    core.counters().discarded++;
    if (invalidated.isPresent()) {
      invalidatedByNoReply();
    }
  }

  /** RFC 8797 §4.1: only the reply to a call may end an exposure of that call. */
  private void invalidatedByNoReply() {
    core.fail("The peer invalidated a steering tag with a message that is no reply");
  }

  /**
   * Judges a message of a version or a type that this end does not know. R-141, RFC 8166 §4.5: below the length of the
   * shortest header not even the XID can be trusted.
   */
  private void faultOrDiscard(int xid, ByteBuffer message, Fault fault, OptionalInt invalidated) {
    if (message.limit() < RawHeader.SHORT_LENGTH) {
      discard(invalidated);
    } else {
      fault(xid, RawHeader.version(message), fault, invalidated);
    }
  }

  /**
   * A message that cannot be decoded, so that its direction is not certain. C-07: a server answers it
   * unless it may be the reply to one of its own calls; a client takes it for a reply.
   */
  private void fault(int xid, int version, Fault fault, OptionalInt invalidated) {
    if (requester.awaits(xid) || core.settings().client()) {
      requester.badReply(xid, "it cannot be decoded (" + fault + ")", invalidated);
    } else if (invalidated.isPresent()) {
      invalidatedByNoReply();
    } else {
      responder.fault(xid, version, fault);
    }
  }
}
