// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.chunk;

import dev.rpcrdma.protocol.fault.Fault;
import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a reply travels, given the chunks that its call offered (RFC 8166 §4.3.2, §4.3.3).
 *
 * @param placedItems how many of the first data items go into the Write chunks of the same index
 * @param form how the rest goes
 * @param lists the lists to return, with the lengths written; without the Read list of a provided reply
 */
public record ReplyPlan(List<Boolean> placedItems, Form form, ChunkLists lists) {

  /** How what is not in Write chunks goes. */
  public enum Form {
    /** In the Send: RDMA_MSG. */
    INLINE,
    /** In the Reply chunk: RDMA_NOMSG. */
    REPLY_CHUNK,
    /** In a Position-Zero Read chunk of this end: RDMA_NOMSG. */
    PROVIDED
  }

  /** Half of what peers of this library take by default is far more than a reply has items. */
  private static final int MOST_SEGMENTS = 128;
  private static final int READ_SEGMENT = 8 + Segment.ENCODED_LENGTH;

  /**
   * Plans a reply.
   *
   * @param offered the call's lists
   * @param headLength length of the RPC header before the results
   * @param results what follows the header
   * @param outboundInline the longest Send to the peer
   * @param provides whether the peer pulls what fits nowhere
   * @return the plan
   * @throws FaultException with {@link Fault#REPLY_TOO_LARGE} if the requester has made no room
   */
  public static ReplyPlan of(ChunkLists offered, int headLength, PayloadStream results, int outboundInline,
      boolean provides) throws FaultException {
    List<Boolean> placed = new ArrayList<>(results.items().size());
    List<Chunk> writeChunks = new ArrayList<>(offered.writeChunks().size());
    for (Chunk chunk : offered.writeChunks()) {
      int index = writeChunks.size();
      writeChunks.add(chunk.filled(place(chunk, index, results, placed)));
    }
    while (placed.size() < results.items().size()) {
      placed.add(false);
    }
    long length = headLength + results.length(placed::get);
    Optional<Chunk> unused = offered.replyChunk().map(chunk -> chunk.filled(0));
    ChunkLists inlineLists = new ChunkLists(List.of(), writeChunks, unused);
    // short although a Reply chunk was offered, if it fits.
    if (RawHeader.LENGTH + inlineLists.encodedLength() + length <= outboundInline) {
      return new ReplyPlan(placed, Form.INLINE, inlineLists);
    }
    Optional<Chunk> replyChunk = offered.replyChunk().filter(chunk -> chunk.length() >= length);
    if (replyChunk.isEmpty() && provides && length <= Integer.MAX_VALUE - 8
        && RawHeader.LENGTH + inlineLists.encodedLength() + READ_SEGMENT <= outboundInline) {
      return new ReplyPlan(placed, Form.PROVIDED, inlineLists);
    }
    if (replyChunk.isEmpty()) {
      // noticed before anything is written.
      throw new FaultException(Fault.REPLY_TOO_LARGE, "A reply of " + length
          + " bytes; the call made room for "
          + offered.replyChunk().map(Chunk::length).orElse((long) outboundInline));
    }
    ChunkLists lists =
        new ChunkLists(List.of(), writeChunks, replyChunk.map(chunk -> chunk.filled(length)));
    if (RawHeader.LENGTH + lists.encodedLength() > outboundInline) {
      // a peer may send longer messages than it receives.
      throw new FaultException(Fault.REPLY_TOO_LARGE, "The chunk lists of a reply take "
          + lists.encodedLength() + " bytes, and a message has at most " + outboundInline);
    }
    return new ReplyPlan(placed, Form.REPLY_CHUNK, lists);
  }

  /**
   * How many segments the Read list of a provided reply may have.
   *
   * @param outboundInline the longest Send to the peer
   * @return at least 1
   */
  public int mostSegments(int outboundInline) {
    return Math.min(MOST_SEGMENTS, (outboundInline - RawHeader.LENGTH - lists.encodedLength()) / READ_SEGMENT);
  }

  /** Decides on one Write chunk and its item; returns the bytes that go into it. */
  private static long place(Chunk chunk, int index, PayloadStream results, List<Boolean> placed)
      throws FaultException {
    if (index >= results.items().size()) {
      return 0;
    }
    int length = results.items().get(index).data().length();
    if (chunk.segments().isEmpty()) {
      // an empty chunk forces its result inline.
      placed.add(false);
      return 0;
    }
    if (length > chunk.length()) {
      throw new FaultException(Fault.REPLY_TOO_LARGE, "A result of " + length
          + " bytes; its Write chunk has " + chunk.length());
    }
    // it goes there however small it is.
    placed.add(length > 0);
    return length;
  }
}
