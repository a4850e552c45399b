// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import io.netty.channel.FileRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/**
 * What one gathered write takes to the socket: ranges of a staging buffer, and payloads where they
 * are. A connection has one, filled again when the kernel has all of it.
 *
 * <p>To Netty it is a {@link FileRegion}, which is handed the socket itself when its turn comes: so
 * a write needs no slice, no promise and no listener.
 */
public final class OutboundBatch implements FileRegion {

  /** Ranges of one gathered write. */
  static final int MAX_PIECES = 64;

  /** How far a batch has got. */
  public interface Listener {

    /**
     * The kernel has taken more of the batch, and the rest is yet to come.
     *
     * @param bytes how many it has taken, from the first one on
     */
    void progress(long bytes);

    /**
     * Netty is done with the batch, which is empty again.
     *
     * @param complete whether the kernel has taken all of it
     */
    void over(boolean complete);
  }

  private final Listener listener;
  private final ByteBuffer[] pieces = new ByteBuffer[MAX_PIECES];
  private Staging staging;
  private int count;
  private int next;
  private int staged;
  private long bytes;
  private long taken;
  private boolean inFlight;

  public OutboundBatch(Listener listener) {
    this.listener = listener;
  }

  // Filling

  /** Whether the batch is being written, and so cannot be filled. */
  public boolean isInFlight() {
    return inFlight;
  }

  /** Whether there is room for so many staged bytes and a payload between them. */
  public boolean hasRoom(int stagedBytes) {
    return staging == null
        || staging.all().remaining() >= stagedBytes && count + 3 <= MAX_PIECES;
  }

  /** Where staged bytes go, at its position. */
  public ByteBuffer out() {
    if (staging == null) {
      staging = StagingPool.current().lend();
    }
    return staging.all();
  }

  /** Appends a payload, behind what has been staged. */
  public void append(ByteBuffer payload) {
    closePiece();
    pieces[count++] = payload;
    bytes += payload.remaining();
  }

  /** Ends a piece, so that a channel which tells of whole pieces tells when the bytes so far have gone. */
  public void cut() {
    closePiece();
  }

  /** How many bytes have been put in. */
  public long length() {
    return bytes + (staging == null ? 0 : staging.all().position() - staged);
  }

  private void closePiece() {
    if (staging != null && staging.all().position() > staged) {
      int end = staging.all().position();
      pieces[count] = staging.piece(count, staged, end);
      count++;
      bytes += end - staged;
      staged = end;
    }
  }

  /** Nothing is put in any more, until the listener is told. */
  public void send(Link link) {
    closePiece();
    inFlight = true;
    link.write(this);
  }

  /** Forgets what was put in and not sent. */
  public void discard() {
    if (!inFlight) {
      clear();
    }
  }

  private void clear() {
    if (staging != null) {
      StagingPool.current().giveBack(staging);
      staging = null;
    }
    Arrays.fill(pieces, 0, count, null);
    count = 0;
    next = 0;
    staged = 0;
    bytes = 0;
    taken = 0;
  }

  // Writing

  public int pieces() {
    return count;
  }

  public ByteBuffer piece(int index) {
    return pieces[index];
  }

  /**
   * A channel that cannot be written to directly is done with the next piece.
   *
   * @param length bytes of the piece
   * @param success whether the kernel has taken them
   */
  public void pieceOver(int length, boolean success) {
    next++;
    if (success) {
      took(length);
    }
    if (next == count) {
      end(taken == bytes);
    }
  }

  private void took(long more) {
    taken += more;
    if (more > 0 && taken < bytes) {
      listener.progress(taken);
    }
  }

  private void end(boolean complete) {
    clear();
    inFlight = false;
    listener.over(complete);
  }

  @Override
  public long transferTo(WritableByteChannel target, long position) throws IOException {
    long written = count - next > 1 && target instanceof GatheringByteChannel gathering
        ? gathering.write(pieces, next, count - next)
        : target.write(pieces[next]);
    while (next < count && !pieces[next].hasRemaining()) {
      next++;
    }
    took(Math.max(0, written));
    return written;
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  @Deprecated
  public long transfered() {
    return taken;
  }

  @Override
  public long transferred() {
    return taken;
  }

  @Override
  public long count() {
    return bytes;
  }

  @Override
  public int refCnt() {
    return inFlight ? 1 : 0;
  }

  @Override
  public OutboundBatch retain() {
    return this;
  }

  @Override
  public OutboundBatch retain(int increment) {
    return this;
  }

  @Override
  public OutboundBatch touch() {
    return this;
  }

  @Override
  public OutboundBatch touch(Object hint) {
    return this;
  }

  /** Netty's last word on a message, whether it went out or not. */
  @Override
  public boolean release() {
    end(taken == bytes);
    return true;
  }

  @Override
  public boolean release(int decrement) {
    return release();
  }
}
