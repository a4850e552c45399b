// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.fabric.ConnectionCore;
import dev.rpcrdma.protocol.message.ExposedChunk;
import dev.rpcrdma.protocol.message.MessageChunks;
import dev.rpcrdma.protocol.message.Pull;
import dev.rpcrdma.protocol.time.Deadlines;
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
 * <p>Memory of the application is revoked when its reply has come, or the peer has confirmed that it uses the memory no
 * more, or after {@link #CONFIRMATION_NANOS}: a peer that reaches for it later loses the connection. Peers that know no
 * GIVE_UP are not waited for. Its owner hears when it is revoked. Memory of the pool is set aside, for a while:
 * a late reply may still be written there. What is more than may be set aside is revoked as the application's is.
 */
final class AbandonedCall implements Answerable {

  /** Longest wait of a caller who has lent memory for the peer's confirmation. */
  private static final long CONFIRMATION_NANOS = 100_000_000;
  private static final Runnable NOBODY = () -> { };

  private final Requester requester;
  private final ConnectionCore core;
  private final XidSlots xids;
  private final int xid;
  private final MessageChunks chunks;
  private final Deadlines.Entry timer = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      AbandonedCall.this.expired(now);
    }
  };
  /** Null if it has none. A server that has not seen it yet would drop it, and never answer, if others went ahead. */
  private final Runnable endProtection;
  /** Tells the caller, who has lent memory; nobody, if it has heard. */
  private Runnable unheard = NOBODY;
  /** Whether memory is kept as it is until the peer has confirmed. */
  private boolean unconfirmed;
  /** It was not sent, and never will be. */
  private boolean preparing;
  private long bytesSetAside;

  AbandonedCall(Requester requester, XidSlots xids, int xid, MessageChunks chunks,
      Runnable endProtection) {
    this.endProtection = endProtection;
    this.requester = requester;
    this.core = requester.core();
    this.xids = xids;
    this.xid = xid;
    this.chunks = chunks;
  }

  @Override
  public int xid() {
    return xid;
  }

  @Override
  public boolean owed() {
    return false;
  }

  @Override
  public boolean sent() {
    return !preparing;
  }

  @Override
  public MessageChunks chunks() {
    return chunks;
  }

  @Override
  public Deadlines.Entry timer() {
    return timer;
  }

  /** Its caller has its outcome, and does not send it again. */
  @Override
  public boolean keepsXid() {
    return false;
  }

  @Override
  public int room() {
    // Nobody hears of it.
    return 0;
  }

  @Override
  public String placedRoom() {
    return "";
  }

  @Override
  public void endXid() {
    xids.free(xid);
    if (endProtection != null) {
      endProtection.run();
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
    endXid();
    requester.neverSent(this);
    requester.giveBack(chunks, unheard);
  }

  // Given up after it was sent

  /**
   * Waits for its reply, which may still come.
   *
   * @param outcome tells the caller
   * @param unexpected whether the peer does not know by itself that the caller waits no longer
   */
  void whileSent(Runnable outcome, boolean unexpected, long now) {
    boolean lent = chunks.holdApplicationMemory();
    unconfirmed = requester.control().known() && core.open() && (lent || !maySetAside(chunks.reachablePoolBytes()));
    if (unconfirmed && lent) {
      unheard = outcome;
    } else {
      requester.tellBehindFence(chunks, outcome);
    }
    if (unconfirmed) {
      requester.fencingStarted();
      core.deadlines().add(timer, now + CONFIRMATION_NANOS);
    } else {
      setAside(now);
    }
    if (unexpected || unconfirmed) {
      requester.control().giveUp(this);
    }
  }

  private boolean maySetAside(long bytes) {
    return bytes == 0 || requester.setAside() + bytes <= core.settings().maxSetAside();
  }

  private void setAside(long now) {
    long bytes = chunks.reachablePoolBytes();
    if (bytes == 0) {
      return;
    }
    if (maySetAside(bytes)) {
      bytesSetAside = bytes;
      requester.setAside(bytes);
      core.deadlines().add(timer, now + core.settings().setAsideNanos());
    } else {
      chunks.freeWhenEnded();
    }
  }

  /** Tells the caller: the peer has confirmed that it pulls, writes and answers nothing of this call any more. */
  void confirmed() {
    if (unconfirmed) {
      core.deadlines().remove(timer);
      tellUnconfirmed(core.now());
    }
  }

  private void tellUnconfirmed(long now) {
    unconfirmed = false;
    requester.tellBehindFence(chunks, takeUnheard());
    setAside(now);
    requester.fencingEnded();
  }

  private Runnable takeUnheard() {
    Runnable told = unheard;
    unheard = NOBODY;
    return told;
  }

  /** Revokes memory of which the peer has confirmed nothing in time, or ends the time to live of memory set aside. */
  private void expired(long now) {
    if (unconfirmed) {
      tellUnconfirmed(now);
    } else {
      releaseSetAside();
      chunks.freeWhenEnded();
    }
  }

  private void releaseSetAside() {
    requester.setAside(-bytesSetAside);
    bytesSetAside = 0;
  }

  // The end

  @Override
  public void answered(ChunkLists lists, boolean inline, ByteBuffer payload) {
    over();
  }

  @Override
  public void pulled(ChunkLists lists, Pull pull) {
    pull.free();
    over();
  }

  @Override
  public void fail(Outcome.Failed failure) {
    over();
  }

  /** Its memory is of no use to anybody now. */
  private void over() {
    core.deadlines().remove(timer);
    releaseSetAside();
    requester.control().answered(this);
    requester.giveBack(chunks, takeUnheard());
    if (unconfirmed) {
      unconfirmed = false;
      requester.fencingEnded();
    }
  }

  @Override
  public void connectionLost(String reason) {
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
