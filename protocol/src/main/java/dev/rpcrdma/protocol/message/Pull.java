// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Read chunks of one message of the peer, which a {@link Puller} fetches. Whoever decodes the message finds
 * its data items here.
 *
 * <pre>
 *   WAITING ──room──▶ UNDER WAY ──last Read done──▶ WHOLE, or failed ──▶ freed
 * </pre>
 *
 * <p><b>Ownership.</b> It owns what was pulled until {@link #free}. A data item that was taken is lent to the
 * reader; who wants to keep it retains it.
 */
public final class Pull extends Deadlines.Entry implements ItemSource {

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /** For {@link #readsSeen}: there was nothing to look at. */
  private static final long NOT_LOOKED = -1;

  private final Puller puller;
  private final PullListener message;
  private final List<ReadChunk> chunks;
  private final long bytes;
  /** The beginning of the chunk at Position zero, which is here already. */
  private final ByteBuffer beginning;
  /** Pulled chunks that nobody has read yet, by Position. */
  private NavigableMap<Long, Region> unread = Collections.emptyNavigableMap();
  /** Items that were handed to the reader. */
  private final LentItems lent = new LentItems();
  /** Null if there is none, or none yet. */
  private Region positionZero;
  /** Whether memory is held for it. */
  private boolean held;
  /** Chunks whose memory or last Read is still to come. */
  private int left;
  /** Null if nothing is missing. */
  private String problem;
  private boolean lost;
  private boolean ended;
  /** How far the Reads of the connection were when somebody looked last. */
  private long readsSeen;
  /** When all Reads must be done. */
  private long end;

  Pull(Puller puller, PullListener message, List<ReadChunk> chunks, ByteBuffer beginning) {
    this.puller = puller;
    this.message = message;
    this.chunks = chunks;
    this.beginning = beginning;
    this.bytes = chunks.stream().mapToLong(ReadChunk::length).sum();
  }

  PullListener message() {
    return message;
  }

  List<ReadChunk> chunks() {
    return chunks;
  }

  ByteBuffer beginning() {
    return beginning;
  }

  /**
   * How much there is to pull, with what is here already.
   *
   * @return bytes
   */
  public long bytes() {
    return bytes;
  }

  /**
   * Whether memory for a chunk, or a Read, is still to come.
   *
   * @return true if so
   */
  public boolean underWay() {
    return left > 0;
  }

  /**
   * Whether nothing is to come any more.
   *
   * @return true if all is here, or will never be
   */
  public boolean ended() {
    return ended;
  }

  /**
   * Whether a chunk could not be read, or not into memory of this end.
   *
   * @return true if something is missing
   */
  public boolean failed() {
    return problem != null;
  }

  /**
   * Why something is missing.
   *
   * @return for people; null unless it has failed
   */
  public String problem() {
    return problem;
  }

  /**
   * Whether a Read has failed, as none does on a connection that goes on.
   *
   * @return true if the connection is lost, or about to be
   */
  public boolean lost() {
    return lost;
  }

  /** There is no memory for a chunk, for that reason. */
  void fail(String reason) {
    problem = reason;
  }

  void lose() {
    problem = "the connection is lost";
    lost = true;
  }

  /**
   * The Payload stream of a Long message.
   *
   * @return what was pulled at Position zero; empty if there is nothing
   */
  public ByteBuffer stream() {
    return positionZero == null ? EMPTY : positionZero.bytes().slice();
  }

  /**
   * The Payload stream of a Long message as an item; {@link #stream} is empty from now on.
   *
   * @return lent until {@link #free}; empty if there is none
   */
  public Optional<DataItem> streamItem() {
    if (positionZero == null) {
      return Optional.empty();
    }
    Region whole = positionZero;
    positionZero = null;
    return lent.lend(whole.toItem(whole.length()));
  }

  /**
   * What was pulled, and nobody has read yet.
   *
   * @return regions by their Position, without that of a Payload stream
   */
  public NavigableMap<Long, Region> unread() {
    return unread;
  }

  @Override
  public Optional<DataItem> take(long position, int length) {
    Region region = unread.get(position);
    if (region == null) {
      return Optional.empty();
    }
    // C-13, C-17: a Read chunk may or may not include the item's padding.
    if (region.length() != length && region.length() != Xdr.pad((long) length)) {
      throw new XdrException("A data item of " + Integer.toUnsignedString(length)
          + " bytes in a Read chunk of " + region.length());
    }
    unread.remove(position);
    return lent.lend(region.toItem(length));
  }

  @Override
  public long nextPosition() {
    return unread.isEmpty() ? Long.MAX_VALUE : unread.firstKey();
  }

  /**
   * Frees all that was pulled, unless the reader retained it; not while Reads are under way. May be called
   * again.
   *
   * @return false if the reader has released an item that it was only lent
   */
  public boolean free() {
    boolean sound = lent.release();
    unread.values().forEach(Region::free);
    unread = Collections.emptyNavigableMap();
    if (positionZero != null) {
      positionZero.free();
      positionZero = null;
    }
    if (held) {
      held = false;
      puller.released(bytes);
    }
    return sound;
  }

  // For the puller

  /** Memory is held for it from now on. */
  void begin(long progress, long now, long longest) {
    held = true;
    readsSeen = progress;
    end = now + longest;
    // One for the puller itself: the pull has not ended before all of its chunks were looked at.
    left = 1;
  }

  /** One more chunk is to come. */
  void expect() {
    left++;
  }

  /** A chunk has come, or never will; tells whether it was the last. */
  boolean chunkEnded() {
    ended = --left == 0;
    return ended;
  }

  /** A chunk's memory, which is about to be filled: owned from now on, and freed after the last Read. */
  void sink(int position, Region region) {
    if (position == 0) {
      positionZero = region;
      return;
    }
    if (unread.isEmpty()) {
      unread = new TreeMap<>();
    }
    unread.put((long) position, region);
  }

  /** Whether its time is over, however much was done of it. */
  boolean overdue(long now) {
    return now - end >= 0;
  }

  /** The peer is not to blame that nothing came until now: its time begins again. */
  void excuse(long now, long longest) {
    end = now + longest;
    readsSeen = NOT_LOOKED;
  }

  /** Notes how far the Reads of the connection are; tells whether they were there before. */
  boolean stalled(long progress) {
    boolean stalled = progress == readsSeen;
    readsSeen = progress;
    return stalled;
  }

  @Override
  protected void expired(long now) {
    puller.timedOut(this, now);
  }
}
