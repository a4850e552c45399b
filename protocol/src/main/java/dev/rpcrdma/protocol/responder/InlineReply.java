package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.Transmission;
import dev.rpcrdma.protocol.wire.ChunkLists;
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
  private XdrWriter reply;

  InlineReply(ConnectionCore core) {
    this.core = core;
  }

  /** Whether a reply, to a call that offered no chunks, can go out in this way now. */
  boolean takes(XdrWriter candidate) {
    return core.open() && core.outbox().idle() && !candidate.hasItems()
        && RawHeader.SHORT_LENGTH + candidate.length() <= core.settings().outboundInline();
  }

  void submit(int callXid, XdrWriter encoded) {
    xid = callXid;
    if (reply != encoded) {
      // It is the same one nearly always, and a reference that is stored costs a memory barrier.
      reply = encoded;
    }
    core.outbox().submit(this);
  }

  @Override
  public int encode(ByteBuffer target) {
    // the total that this end serves at once.
    RawHeader.write(target, xid, core.settings().creditsGranted(), RawHeader.RDMA_MSG);
    ChunkLists.EMPTY.write(target);
    reply.copyTo(target);
    Counters counters = core.counters();
    counters.sentInline++;
    counters.bytesSent += reply.length();
    return target.position();
  }
}
