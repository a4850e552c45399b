// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.MetadataBlock;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;

/**
 * The Send of a reply without chunks that goes out at once, as nearly all do. It is laid out while it is
 * submitted and needs nothing afterwards, so that a connection has one for all of its replies; what
 * cannot go out at once, or has chunks, is a {@link ReplyTransmission}.
 */
final class InlineReply implements Transmission {

  private final ConnectionCore core;
  private int xid;
  private CallSecurity security;
  private XdrWriter results;
  private long serverNanos;
  /** What stands in front of results; null until there was a reply. */
  private byte[] template;

  InlineReply(ConnectionCore core) {
    this.core = core;
  }

  /** Whether a reply, to a call that offered no chunks, can go out in this way now. */
  boolean takes(IncomingCall call, XdrWriter candidate) {
    return core.open() && core.outbox().idle() && !candidate.hasItems() && call.security().bodies().isEmpty()
        && RawHeader.SHORT_LENGTH + ReplyHeader.acceptedLength(call.security().verifierLength())
        + candidate.length() + metadataLength(call) <= core.settings().outboundInline();
  }

  private int metadataLength(IncomingCall call) {
    return core.settings().metadata() ? MetadataBlock.replyLength(call.asksServerTime(), false) : 0;
  }

  void submit(IncomingCall call, XdrWriter encoded) {
    xid = call.xid();
    serverNanos = call.asksServerTime() ? call.serverNanos(core.now()) : -1;
    CallSecurity protection = call.security();
    // They are the same nearly always, and a reference that is stored costs a memory barrier.
    if (security != protection) {
      security = protection;
    }
    if (results != encoded) {
      results = encoded;
    }
    core.outbox().submit(this);
  }

  @Override
  public int encode(ByteBuffer target) {
    // Each one that is asked for may be another.
    OpaqueAuth verifier = security.verifier();
    if (verifier == OpaqueAuth.NONE) {
      writeTemplate(target);
    } else {
      writeHead(target, verifier);
    }
    results.copyTo(target);
    if (core.settings().metadata()) {
      MetadataBlock.writeReply(target, serverNanos, false);
    }
    Counters counters = core.counters();
    counters.sentInline++;
    counters.bytesSent += target.position() - RawHeader.SHORT_LENGTH;
    return target.position();
  }

  private void writeHead(ByteBuffer target, OpaqueAuth verifier) {
    // the total that this end serves at once.
    RawHeader.write(target, xid, core.settings().creditsGranted(), RawHeader.RDMA_MSG);
    ChunkLists.EMPTY.write(target);
    ReplyHeader.writeAccepted(target, xid, verifier, AcceptStatus.SUCCESS);
  }

  /** Replies whose verifier proves nothing differ in their XID alone. */
  private void writeTemplate(ByteBuffer target) {
    if (template == null) {
      writeHead(target, OpaqueAuth.NONE);
      template = new byte[target.position()];
      target.get(0, template);
    } else {
      target.put(template).putInt(0, xid).putInt(RawHeader.SHORT_LENGTH, xid);
    }
  }
}
