// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.chunk;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.Xdr;
import java.util.List;

/**
 * How a call travels. Every chunk of ours has one segment, so sizes are known before memory is.
 *
 * <pre>
 *   header  =  28  +  24 · read segments  +  24 · Write chunks  +  8 · empty Write chunks
 *             +  20 · Reply chunk
 * </pre>
 *
 * <p>A result that cannot have any bytes gets a Write chunk without segments, which keeps the place of
 * those behind it.
 *
 * @param longCall true for RDMA_NOMSG with a Position-Zero Read chunk
 * @param reduceArguments true if data items go into Read chunks of their own
 * @param placeResults true if Write chunks are offered
 * @param replyChunkLength length of the Reply chunk to offer, 0 for none
 */
public record CallPlan(
    boolean longCall, boolean reduceArguments, boolean placeResults, int replyChunkLength) {

  /** All inline, there and back: the plan of most calls. */
  public static final CallPlan INLINE = new CallPlan(false, false, false, 0);

  private static final int READ_SEGMENT = 8 + Segment.ENCODED_LENGTH;
  /** Of which its segment, if it has one, is not a part. */
  private static final int WRITE_CHUNK = 8;
  private static final int REPLY_CHUNK = 4 + Segment.ENCODED_LENGTH;

  /**
   * Plans a call.
   *
   * @param aroundLength length of the RPC header before the arguments, and of what is behind them
   * @param arguments the arguments
   * @param placedResults the largest length of each DDP-eligible result
   * @param typicalResults what results without those items mostly are, with what is behind them: if these go
   *     inline, a larger reply needs no room; {@code maxResults} where replies cannot be pulled
   * @param maxResults the largest results without those items, with what is behind them
   * @param outboundInline the longest Send to the peer
   * @param inboundInline the longest Send from the peer
   * @param chunks false if only short messages may be sent
   * @return the plan
   * @throws UnplannableException if no form can carry the call or its largest reply
   */
  public static CallPlan of(int aroundLength, PayloadStream arguments, List<Integer> placedResults,
      long typicalResults, long maxResults, int outboundInline, int inboundInline, boolean chunks)
      throws UnplannableException {
    // Results first: what they need makes the call's own header longer.
    long results = OncRpc.SUCCESS_HEADER_LENGTH + maxResults;
    long typical = OncRpc.SUCCESS_HEADER_LENGTH + typicalResults;
    long inlineReply = RawHeader.SHORT_LENGTH + typical;
    int writeChunks = 0;
    for (int i = 0; i < placedResults.size(); i++) {
      int length = placedResults.get(i);
      inlineReply += Xdr.pad((long) length);
      writeChunks += length > 0 ? 1 : 0;
    }
    boolean replyInline = inlineReply <= inboundInline;
    boolean placeResults = !replyInline && writeChunks > 0;
    long writeList = placeResults ? (long) WRITE_CHUNK * placedResults.size()
        + (long) Segment.ENCODED_LENGTH * writeChunks : 0;
    // R-084, C-18: header and payload together are compared with the threshold.
    boolean replyChunk =
        !replyInline && RawHeader.SHORT_LENGTH + writeList + typical > inboundInline;
    long header = RawHeader.SHORT_LENGTH + writeList + (replyChunk ? REPLY_CHUNK : 0);
    if (!replyInline && !chunks) {
      throw new UnplannableException("A reply of up to " + inlineReply + " bytes needs a chunk, and"
          + " this connection carries only messages of up to " + inboundInline + " bytes this way");
    }
    if (replyChunk && Xdr.pad(results) > Integer.MAX_VALUE - 8) {
      throw new UnplannableException("A reply of up to " + results + " bytes is too long");
    }
    CallForm form = form(header, aroundLength, arguments, outboundInline);
    if (form != CallForm.SHORT && !chunks) {
      throw new UnplannableException("A call of " + (header + aroundLength + arguments.length())
          + " bytes needs a chunk, and this connection carries only messages of up to "
          + outboundInline + " bytes this way");
    }
    if (form == CallForm.SHORT && replyInline) {
      return INLINE;
    }
    return new CallPlan(form == CallForm.LONG,
        form != CallForm.SHORT && readSegments(arguments) > 0, placeResults,
        replyChunk ? (int) Xdr.pad(results) : 0);
  }

  private enum CallForm {
    /** All inline (RFC 8166 §3.5.1). */
    SHORT,
    /** Items in Read chunks, the rest inline (RFC 8166 §3.5.2). */
    CHUNKED,
    /** Items in Read chunks, the rest in the Position-Zero Read chunk (RFC 8166 §3.5.3). */
    LONG
  }

  private static CallForm form(long header, int aroundLength, PayloadStream arguments,
      int outboundInline) throws UnplannableException {
    if (header + aroundLength + arguments.length() <= outboundInline) {
      return CallForm.SHORT;
    }
    long items = readSegments(arguments);
    long chunked = header + READ_SEGMENT * items;
    if (items > 0 && chunked + aroundLength + arguments.reducedLength() <= outboundInline) {
      return CallForm.CHUNKED;
    }
    if (chunked + READ_SEGMENT > outboundInline) {
      throw new UnplannableException("The chunk lists of this call take "
          + (chunked + READ_SEGMENT) + " bytes, and a message has at most " + outboundInline
          + "; use fewer data items");
    }
    return CallForm.LONG;
  }

  private static long readSegments(PayloadStream arguments) {
    long count = 0;
    for (PayloadStream.Item item : arguments.items()) {
      count += item.data().length() > 0 ? 1 : 0;
    }
    return count;
  }
}
