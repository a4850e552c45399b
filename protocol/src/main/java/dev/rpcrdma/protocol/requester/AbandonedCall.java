// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.ExposedChunks;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.wire.ChunkLists;
import java.nio.ByteBuffer;

/**
 * What a connection keeps of a call that was given up: its XID and its credit until the reply has come, and the
 * memory that was exposed for it. Nothing of the caller's.
 *
 * <pre>
 *   PREPARING ──memory there, and revoked──▶ over
 *   LATE ──────reply, or connection lost───▶ over
 * </pre>
 *
 * <p>Memory of the application is revoked at once, and its owner hears after that; memory of the pool is set
 * aside, for a while: a late reply may still be written there.
 */
final class AbandonedCall extends Answerable {

  private static final Runnable NOBODY = () -> { };

  private final Requester requester;
  private final ConnectionCore core;
  private final XidSlots xids;
  private final int xid;
  private final int giveUpsBefore;
  private final ExposedChunks chunks;
  /** Null if it has none. A server that has not seen it yet would drop it, and never answer, if others went ahead. */
  private final ProtectedTransmission protection;
  /** Tells the caller, who has lent memory; nobody, if it has heard. */
  private Runnable unheard = NOBODY;
  /** It was not sent, and never will be. */
  private boolean preparing;
  private long bytesSetAside;

  AbandonedCall(Requester requester, XidSlots xids, int xid, int giveUpsBefore, ExposedChunks chunks,
      ProtectedTransmission protection) {
    this.protection = protection;
    this.giveUpsBefore = giveUpsBefore;
    this.requester = requester;
    this.core = requester.core();
    this.xids = xids;
    this.xid = xid;
    this.chunks = chunks;
  }

  @Override
  int xid() {
    return xid;
  }

  @Override
  boolean owed() {
    return false;
  }

  @Override
  boolean sent() {
    return !preparing;
  }

  @Override
  int giveUpsBefore() {
    return giveUpsBefore;
  }

  @Override
  ExposedChunks chunks() {
    return chunks;
  }

  @Override
  int room() {
    // Nobody hears of it.
    return 0;
  }

  @Override
  String placedRoom() {
    return "";
  }

  @Override
  void endXid() {
    xids.free(xid);
    if (protection != null) {
      protection.ended();
    }
  }

  // Given up before it was sent

  /**
   * Nothing more of it is exposed. What the device has been given already has to be revoked, once it is exposed;
   * until then an application that owns some of it does not get it back.
   *
   * @param outcome tells the caller
   */
  void whilePreparing(Runnable outcome) {
    preparing = true;
    chunks.stopPreparing(problem -> prepared());
    if (chunks.holdApplicationMemory()) {
      unheard = outcome;
    } else {
      outcome.run();
    }
  }

  private void prepared() {
    requester.neverSent(this);
    endXid();
    requester.tellBehindFence(chunks, unheard);
    requester.end(chunks, NOBODY);
  }

  // Given up after it was sent


  /**
   * Its reply may still come.
   *
   * @param outcome tells the caller
   */
  void whileSent(Runnable outcome, long now) {
    requester.tellBehindFence(chunks, outcome);
    long bytes = chunks.reachablePoolBytes();
    if (bytes > 0 && requester.setAside() + bytes <= core.settings().maxSetAside()) {
      bytesSetAside = bytes;
      requester.setAside(bytes);
      core.deadlines().add(this, now + core.settings().setAsideNanos());
    } else if (bytes > 0) {
      chunks.freeWhenEnded();
    }
  }

  /** The time to live of memory set aside is over: a peer that writes there now loses the connection. */
  @Override
  protected void expired(long now) {
    releaseSetAside();
    chunks.freeWhenEnded();
  }

  private void releaseSetAside() {
    requester.setAside(-bytesSetAside);
    bytesSetAside = 0;
  }

  // The end

  @Override
  void answered(ChunkLists lists, boolean inline, ByteBuffer payload) {
    over();
  }

  @Override
  void pulled(ChunkLists lists, Pull pull) {
    pull.free();
    over();
  }

  @Override
  void fail(CallFailure failure) {
    over();
  }

  /** Its memory is of no use to anybody now. */
  private void over() {
    core.deadlines().remove(this);
    releaseSetAside();
    requester.end(chunks, NOBODY);
  }

  @Override
  void connectionLost(String reason) {
    endXid();
    if (!preparing) {
      over();
      return;
    }
    chunks.abandon();
    chunks.free(ExposedChunk::ofApplication);
    unheard.run();
  }
}
