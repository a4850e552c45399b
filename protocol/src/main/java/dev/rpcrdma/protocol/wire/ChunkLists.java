// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.xdr.Xdr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The three lists of an RDMA_MSG or RDMA_NOMSG header, parsed and checked once (RFC 8166 §4.3).
 *
 * <pre>
 *   Read list    { 1, position, handle, length, offset }* 0
 *   Write list   { 1, n, { handle, length, offset } × n }* 0
 *   Reply chunk  0  |  1, n, { handle, length, offset } × n
 * </pre>
 *
 * @param readChunks by ascending Position; the one at Position zero, if any, is the first
 * @param writeChunks in list order
 * @param replyChunk if present
 */
public record ChunkLists(
    List<ReadChunk> readChunks, List<Chunk> writeChunks, Optional<Chunk> replyChunk) {

  /** Three empty lists. */
  public static final ChunkLists EMPTY = new ChunkLists(List.of(), List.of(), Optional.empty());

  private static final int WORD = 4;
  private static final int READ_SEGMENT = 2 * WORD + Segment.ENCODED_LENGTH;

  /** Copies the lists. */
  public ChunkLists {
    readChunks = List.copyOf(readChunks);
    writeChunks = List.copyOf(writeChunks);
  }

  /**
   * Whether there is no chunk at all.
   *
   * @return true for {@link #EMPTY} and its like
   */
  public boolean isEmpty() {
    return readChunks.isEmpty() && writeChunks.isEmpty() && replyChunk.isEmpty();
  }

  /**
   * The chunk that holds the Payload stream of a Long call.
   *
   * @return the Read chunk at Position zero, if any
   */
  public Optional<ReadChunk> positionZero() {
    return !readChunks.isEmpty() && readChunks.get(0).position() == 0
        ? Optional.of(readChunks.get(0)) : Optional.empty();
  }

  /**
   * Whether no Read chunk replaces a part of the RPC header, which is never reduced.
   *
   * @param headLength of the RPC header
   * @return true also if there are none
   */
  public boolean positionsBehind(int headLength) {
    for (int i = 0; i < readChunks.size(); i++) {
      int position = readChunks.get(i).position();
      if (position != 0 && position < headLength) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the Read chunks can be put back into their message (RFC 8166 §3.4.5): each Position lies
   * behind the chunk before it, and not behind the end of what has come besides chunks. The length of a
   * chunk counts with its padding, which may or may not be in it (C-13).
   *
   * @param reducedLength of the Payload stream without what the chunks at other Positions than zero hold
   * @return true also if there are none
   */
  public boolean positionsFit(long reducedLength) {
    if (readChunks.isEmpty()) {
      // As of nearly all calls, for which an iterator would be allocated for nothing.
      return true;
    }
    long taken = 0;
    long items = 0;
    for (ReadChunk chunk : readChunks) {
      if (chunk.position() == 0) {
        continue;
      }
      long at = chunk.position() - items;
      if (at < taken || at > reducedLength) {
        return false;
      }
      taken = at;
      items += Xdr.pad(chunk.length());
    }
    return true;
  }

  /**
   * One steering tag of the message, for a Send With Invalidate that answers it (RFC 8797 §4.1).
   *
   * @return the first one in list order, if there is any
   */
  public OptionalInt anyHandle() {
    if (!readChunks.isEmpty()) {
      return OptionalInt.of(readChunks.get(0).segments().get(0).handle());
    }
    for (Chunk chunk : writeChunks) {
      if (!chunk.segments().isEmpty()) {
        return OptionalInt.of(chunk.segments().get(0).handle());
      }
    }
    return replyChunk.filter(chunk -> !chunk.segments().isEmpty())
        .map(chunk -> OptionalInt.of(chunk.segments().get(0).handle()))
        .orElse(OptionalInt.empty());
  }

  /**
   * Whether a steering tag is one of the message's.
   *
   * @param handle the tag
   * @return true if a segment of any chunk has it
   */
  public boolean names(int handle) {
    return readChunks.stream().anyMatch(chunk -> names(chunk.segments(), handle))
        || writeChunks.stream().anyMatch(chunk -> names(chunk.segments(), handle))
        || replyChunk.isPresent() && names(replyChunk.get().segments(), handle);
  }

  private static boolean names(List<Segment> segments, int handle) {
    return segments.stream().anyMatch(segment -> segment.handle() == handle);
  }

  /**
   * Size on the wire, after the four fixed words.
   *
   * @return bytes
   */
  public int encodedLength() {
    int length = 3 * WORD;
    for (ReadChunk chunk : readChunks) {
      length += READ_SEGMENT * chunk.segments().size();
    }
    for (Chunk chunk : writeChunks) {
      length += 2 * WORD + Segment.ENCODED_LENGTH * chunk.segments().size();
    }
    if (replyChunk.isPresent()) {
      length += WORD + Segment.ENCODED_LENGTH * replyChunk.get().segments().size();
    }
    return length;
  }

  /**
   * Writes the lists.
   *
   * @param target position advances by {@link #encodedLength()}
   */
  public void write(ByteBuffer target) {
    if (this == EMPTY) {
      target.putInt(0).putInt(0).putInt(0);
      return;
    }
    for (ReadChunk chunk : readChunks) {
      for (Segment segment : chunk.segments()) {
        target.putInt(1).putInt(chunk.position());
        segment.write(target);
      }
    }
    target.putInt(0);
    for (Chunk chunk : writeChunks) {
      target.putInt(1);
      writeChunk(target, chunk);
    }
    target.putInt(0);
    if (replyChunk.isPresent()) {
      target.putInt(1);
      writeChunk(target, replyChunk.get());
    } else {
      target.putInt(0);
    }
  }

  private static void writeChunk(ByteBuffer target, Chunk chunk) {
    target.putInt(chunk.segments().size());
    chunk.segments().forEach(segment -> segment.write(target));
  }

  /**
   * Reads the lists.
   *
   * @param source at the Read list; afterwards at the inline payload
   * @param limits what to accept
   * @return the lists
   * @throws FaultException for anything but three well-formed lists within the limits
   */
  public static ChunkLists read(ByteBuffer source, WireLimits limits) throws FaultException {
    if (source.remaining() < 3 * WORD) {
      throw new FaultException(Fault.BAD_HEADER, "The chunk lists are cut short");
    }
    int start = source.position();
    // Most messages have no chunks: three zero words.
    if (source.getInt(start) == 0 && source.getInt(start + WORD) == 0
        && source.getInt(start + 2 * WORD) == 0) {
      source.position(start + 3 * WORD);
      return EMPTY;
    }
    return new ChunkListsParser(source, limits).parse();
  }
}
