package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/** The Send of a call. */
final class CallTransmission extends Transmission {

  private final PendingCall pending;
  private final ConnectionCore core;
  private boolean posted;

  CallTransmission(PendingCall pending, ConnectionCore core) {
    this.pending = pending;
    this.core = core;
  }

  /** Whether the peer may have seen it. */
  boolean posted() {
    return posted;
  }

  @Override
  int encode(ByteBuffer target) {
    posted = true;
    boolean longCall = pending.plan().longCall();
    // every call says how many credits this end would like.
    RawHeader.write(target, pending.xid(), core.settings().creditsRequested(),
        longCall ? RawHeader.RDMA_NOMSG : RawHeader.RDMA_MSG);
    ChunkLists lists = pending.chunks().lists();
    lists.write(target);
    int start = target.position();
    if (!longCall) {
      target.put(pending.head());
      pending.call().arguments().copyTo(target, pending::reduced);
    }
    count(longCall, target.position() - start);
    return target.position();
  }

  private void count(boolean longCall, int inlineBytes) {
    Counters counters = core.counters();
    counters.callsSent++;
    counters.sentLong += longCall ? 1 : 0;
    counters.sentInline += longCall ? 0 : 1;
    counters.positionZeroChunks += pending.chunks().count(OfferedChunk.Kind.POSITION_ZERO);
    counters.readChunks += pending.chunks().count(OfferedChunk.Kind.ITEM);
    counters.bytesSent += inlineBytes + pending.chunks().readBytes();
  }

  @Override
  void completed(boolean success) {
    // The reply, or the loss of the connection, ends the call; the Send only had a buffer.
  }
}
