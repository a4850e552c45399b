// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlansTest {

  private static final int INLINE = 1024;
  private static final int HEAD = 40;

  private static PayloadStream stream(int plain, int... items) {
    XdrWriter writer = new XdrWriter();
    for (int i = 0; i < plain; i += 4) {
      writer.int32(i);
    }
    for (int item : items) {
      writer.dataItem(DataItem.of(new byte[item]));
    }
    return writer.toPayloadStream();
  }

  private static CallPlan call(PayloadStream arguments, List<Integer> placed, int maxResults)
      throws UnplannableException {
    return CallPlan.of(HEAD, arguments, placed, maxResults, maxResults, INLINE, INLINE, true);
  }

  @Test
  @DisplayName("R-100 R-103: a call is short up to the last byte of the threshold")
  void shortOrLong() throws UnplannableException {
    assertThat(call(stream(INLINE - 28 - HEAD), List.of(), 0))
        .isEqualTo(new CallPlan(false, false, false, 0));
    assertThat(call(stream(INLINE - 28 - HEAD + 4), List.of(), 0))
        .isEqualTo(new CallPlan(true, false, false, 0));
  }

  @Test
  @DisplayName("R-101 R-107: items leave when the whole does not fit, and the rest if it must")
  void chunked() throws UnplannableException {
    int item = 500;
    int plain = INLINE - 28 - HEAD - 4 - item;
    assertThat(call(stream(plain, item), List.of(), 0).reduceArguments()).isFalse();
    assertThat(call(stream(plain + 4, item), List.of(), 0))
        .isEqualTo(new CallPlan(false, true, false, 0));
    // 24 bytes of header for the Read segment, 4 for the item's length.
    int rest = INLINE - 28 - 24 - HEAD - 4;
    assertThat(call(stream(rest, item), List.of(), 0))
        .isEqualTo(new CallPlan(false, true, false, 0));
    assertThat(call(stream(rest + 4, item), List.of(), 0))
        .isEqualTo(new CallPlan(true, true, false, 0));
    assertThat(call(stream(2000, 0), List.of(), 0))
        .isEqualTo(new CallPlan(true, false, false, 0));
  }

  @Test
  @DisplayName("R-084 C-18 C-24: a Reply chunk for what may not fit, with the header counted")
  void replyChunk() throws UnplannableException {
    int fits = INLINE - 28 - 24;
    assertThat(call(stream(0), List.of(), fits)).isEqualTo(CallPlan.INLINE);
    assertThat(call(stream(0), List.of(), fits + 1))
        .isEqualTo(new CallPlan(false, false, false, INLINE - 28 + 4));
  }

  /** Fails if {@code CallPlan.of} goes by the largest results to decide on a Reply chunk. */
  @Test
  @DisplayName("R-280: results that mostly go inline have no Reply chunk, also beside items that do not")
  void typicalResults() throws UnplannableException {
    assertThat(CallPlan.of(HEAD, stream(0), List.of(2000), 0, 5000, INLINE, INLINE, true))
        .isEqualTo(new CallPlan(false, false, true, 0));
    assertThat(CallPlan.of(HEAD, stream(0), List.of(2000), 5000, 5000, INLINE, INLINE, true))
        .isEqualTo(new CallPlan(false, false, true, 5024));
  }

  @Test
  @DisplayName("R-082 R-203: Write chunks for results that may not fit, and a Reply chunk beside")
  void writeChunks() throws UnplannableException {
    assertThat(call(stream(0), List.of(900), 72))
        .isEqualTo(new CallPlan(false, false, false, 0));
    assertThat(call(stream(0), List.of(900), 73))
        .isEqualTo(new CallPlan(false, false, true, 0));
    // With the Write list of 24 bytes: 1024 - 28 - 24 - 24.
    assertThat(call(stream(0), List.of(900), 948).replyChunkLength()).isZero();
    assertThat(call(stream(0), List.of(900), 949))
        .isEqualTo(new CallPlan(false, false, true, 976));
    assertThat(call(stream(0), List.of(0), 948).placeResults()).isFalse();
    assertThat(call(stream(0), List.of(0), 973).placeResults()).isFalse();
  }

  @Test
  @DisplayName("R-083 R-084: a result without bytes takes a Write chunk of 8 bytes, others 24")
  void emptyWriteChunks() throws UnplannableException {
    int fits = INLINE - 28 - 24 - 8 - 24;
    assertThat(call(stream(0), List.of(0, 900), fits))
        .isEqualTo(new CallPlan(false, false, true, 0));
    assertThat(call(stream(0), List.of(0, 900), fits + 1))
        .isEqualTo(new CallPlan(false, false, true, 24 + fits + 4));
    int fitsWithTwo = INLINE - 28 - 24 - 24 - 24;
    assertThat(call(stream(0), List.of(500, 400), fitsWithTwo))
        .isEqualTo(new CallPlan(false, false, true, 0));
    assertThat(call(stream(0), List.of(500, 400), fitsWithTwo + 1))
        .isEqualTo(new CallPlan(false, false, true, 24 + fitsWithTwo + 4));
  }

  @Test
  @DisplayName("R-203: chunks for the results leave less room for the arguments")
  void resultsTakeRoomFromArguments() throws UnplannableException {
    int room = INLINE - 28 - HEAD;
    // A Reply chunk of 20 bytes, a Write chunk of 24, and both.
    assertThat(call(stream(room - 20), List.of(), 973).longCall()).isFalse();
    assertThat(call(stream(room - 20 + 4), List.of(), 973).longCall()).isTrue();
    assertThat(call(stream(room - 24), List.of(900), 948).longCall()).isFalse();
    assertThat(call(stream(room - 24 + 4), List.of(900), 948).longCall()).isTrue();
    assertThat(call(stream(room - 44), List.of(900), 949).longCall()).isFalse();
    assertThat(call(stream(room - 44 + 4), List.of(900), 949).longCall()).isTrue();
  }

  @Test
  @DisplayName("R-232 R-241 C-01: without chunks, what does not fit cannot be called")
  void shortProfile() {
    assertThatThrownBy(() -> CallPlan.of(HEAD, stream(2000), List.of(), 0, 0, INLINE, INLINE, false))
        .isInstanceOf(UnplannableException.class).hasMessageContaining("2068 bytes");
    assertThatThrownBy(() -> CallPlan.of(HEAD, stream(0), List.of(), 2000, 2000, INLINE, INLINE, false))
        .isInstanceOf(UnplannableException.class).hasMessageContaining("reply of up to");
  }

  @Test
  void moreItemsThanAHeaderHolds() {
    int[] items = new int[60];
    Arrays.fill(items, 100);
    assertThatThrownBy(() -> call(stream(0, items), List.of(), 0))
        .isInstanceOf(UnplannableException.class).hasMessageContaining("fewer data items");
    assertThatThrownBy(() -> call(stream(0), List.of(), Integer.MAX_VALUE))
        .isInstanceOf(UnplannableException.class).hasMessageContaining("too long");
  }

  @Test
  void asManyItemsAsAHeaderHolds() throws UnplannableException {
    int[] items = new int[40];
    Arrays.fill(items, 100);
    // One Read segment of 24 bytes for each, and one for what is left of the message.
    int header = 28 + 24 * 40 + 24;
    assertThat(CallPlan.of(HEAD, stream(0, items), List.of(), 0, 0, header, INLINE, true))
        .isEqualTo(new CallPlan(true, true, false, 0));
    assertThatThrownBy(() ->
        CallPlan.of(HEAD, stream(0, items), List.of(), 0, 0, header - 1, INLINE, true))
        .isInstanceOf(UnplannableException.class).hasMessageContaining(header + " bytes");
  }

  @Test
  void theLongestReply() throws UnplannableException {
    // A multiple of four, and an array of that length can be had.
    int longest = Integer.MAX_VALUE - 11;
    assertThat(call(stream(0), List.of(), longest - 24).replyChunkLength()).isEqualTo(longest);
    assertThatThrownBy(() -> call(stream(0), List.of(), longest - 24 + 1))
        .isInstanceOf(UnplannableException.class).hasMessageContaining("too long");
  }

  // Replies

  private static ChunkLists offered(int replyChunk, int... writeChunks) {
    List<Chunk> writes = new ArrayList<>();
    for (int length : writeChunks) {
      writes.add(length < 0 ? new Chunk(List.of()) : Chunk.of(new Segment(1, length, 0)));
    }
    return new ChunkLists(List.of(), writes, replyChunk == 0 ? Optional.empty()
        : Optional.of(Chunk.of(new Segment(2, replyChunk, 0))));
  }

  private static ReplyPlan reply(ChunkLists offered, PayloadStream stream) throws FaultException {
    return ReplyPlan.of(offered, 0, stream, INLINE, false);
  }

  @Test
  @DisplayName("R-043 R-156: lists that do not fit into a reply's header are answered by an error")
  void listsLongerThanAReply() throws FaultException {
    Optional<Chunk> replyChunk = Optional.of(Chunk.of(new Segment(7, 5000, 0)));
    // Each takes 8 bytes, the rest of the header 48.
    int most = (INLINE - 48) / 8;
    assertThat(reply(new ChunkLists(List.of(), Collections.nCopies(most, Chunk.EMPTY), replyChunk),
        stream(INLINE)).lists().encodedLength()).isEqualTo(INLINE - 16);
    assertThatThrownBy(() -> reply(new ChunkLists(List.of(),
        Collections.nCopies(most + 1, Chunk.EMPTY), replyChunk), stream(INLINE)))
        .isInstanceOf(FaultException.class);
  }

  @Test
  @DisplayName("R-085 R-086 B-064: inline to the last byte, then the Reply chunk, else an error")
  void inlineOrReplyChunk() throws FaultException {
    assertThat(reply(offered(0), stream(INLINE - 28)).form()).isEqualTo(ReplyPlan.Form.INLINE);
    assertThatThrownBy(() -> reply(offered(0), stream(INLINE - 28 + 4)))
        .isInstanceOf(FaultException.class);
    // The returned Reply chunk itself takes 20 bytes.
    ReplyPlan unused = reply(offered(5000), stream(INLINE - 28 - 20));
    assertThat(unused.form()).isEqualTo(ReplyPlan.Form.INLINE);
    assertThat(unused.lists().replyChunk().orElseThrow().length()).isZero();
    ReplyPlan used = reply(offered(5000), stream(INLINE - 28 - 16));
    assertThat(used.form()).isEqualTo(ReplyPlan.Form.REPLY_CHUNK);
    assertThat(used.lists().replyChunk().orElseThrow().length()).isEqualTo(INLINE - 28 - 16);
  }

  @Test
  @DisplayName("R-153 B-066: a Reply chunk that is four bytes short is noticed before a Write")
  void replyChunkTooSmall() throws FaultException {
    assertThat(reply(offered(2000), stream(2000)).form()).isEqualTo(ReplyPlan.Form.REPLY_CHUNK);
    assertThatThrownBy(() -> reply(offered(1996), stream(2000)))
        .isInstanceOf(FaultException.class).hasMessageContaining("2000 bytes");
  }

  @Test
  @DisplayName("R-080 R-078 R-083: items go into the chunks of their index, however small")
  void placing() throws FaultException {
    ReplyPlan plan = reply(offered(0, 100, -1, 100, 100), stream(8, 3, 5, 0));
    assertThat(plan.placedItems()).containsExactly(true, false, false);
    assertThat(plan.lists().writeChunks()).extracting(Chunk::length).containsExactly(3L, 0L, 0L, 0L);
    assertThat(plan.lists().writeChunks().get(1).segments()).isEmpty();
    assertThatThrownBy(() -> reply(offered(0, 100), stream(8, 101)))
        .isInstanceOf(FaultException.class).hasMessageContaining("101 bytes");
    assertThat(reply(offered(0), stream(8, 3)).placedItems()).containsExactly(false);
  }

  @Test
  @DisplayName("R-081: behind an arm without items the next item takes the chunk that is left")
  void armWithoutItems() throws FaultException {
    XdrWriter writer = new XdrWriter().int32(2).string("no item").int32(1)
        .dataItem(DataItem.of(new byte[5]));
    ReplyPlan plan = reply(offered(0, 100, 100), writer.toPayloadStream());
    assertThat(plan.placedItems()).containsExactly(true);
    assertThat(plan.lists().writeChunks()).extracting(Chunk::length).containsExactly(5L, 0L);
  }

  @Test
  @DisplayName("R-108: placed first, then judged by what is left")
  void placedThenLong() throws FaultException {
    ReplyPlan plan = reply(offered(2000, 5000), stream(1500, 5000));
    assertThat(plan.placedItems()).containsExactly(true);
    assertThat(plan.form()).isEqualTo(ReplyPlan.Form.REPLY_CHUNK);
    assertThat(plan.lists().replyChunk().orElseThrow().length()).isEqualTo(1504);
  }
}
