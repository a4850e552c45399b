// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.wire.Chunk;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.Features;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages that are put together from chunks. */
@DisplayName("Messages of RPC-over-RDMA in captures")
final class ChunkedMessagesTest {

  private static final int XID = 7;
  /** Behind all other addresses: that they are unsigned does not matter. */
  private static final long PLACE = -1000;

  private static final int LONGEST_MESSAGE = 1 << 20;

  private final MessageRoom room = new MessageRoom(LONGEST_MESSAGE);
  private final List<String> unreadable = new ArrayList<>();
  private final List<Long> unjudged = new ArrayList<>();
  private final ChunkedMessages messages = messages(1);
  private final byte[] message = new byte[100];
  private long frame;

  private ChunkedMessages messages(int number) {
    return new ChunkedMessages(new Conversation(number, new InetSocketAddress("10.0.0.1", number),
        new InetSocketAddress("10.0.0.2", 2)), room, (message, why) -> unreadable.add(message.frame() + ": " + why),
        (message, why) -> unjudged.add(message.frame()));
  }

  ChunkedMessagesTest() {
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) i;
    }
    ByteBuffer.wrap(message).putInt(0, XID).putInt(4, OncRpc.CALL);
  }

  private Optional<RpcMessage> send(boolean fromOpener, int procedure, ChunkLists lists, byte... payload) {
    ByteBuffer bytes = ByteBuffer.allocate(RawHeader.LENGTH + lists.encodedLength() + payload.length).putInt(XID)
        .putInt(RawHeader.VERSION).putInt(1).putInt(procedure);
    lists.write(bytes);
    return messages.take(new DecodedUnit(Kind.MESSAGE, ++frame, fromOpener, "", bytes.put(payload).flip()));
  }

  private Optional<RpcMessage> data(Kind kind, boolean fromOpener, int tag, long address, int from, int to) {
    return messages.take(new DecodedUnit(kind, ++frame, fromOpener, "",
        ByteBuffer.wrap(Arrays.copyOfRange(message, from, to)), tag, address));
  }

  private static ChunkLists longCall(Segment... segments) {
    return new ChunkLists(List.of(new ReadChunk(0, List.of(segments))), List.of(), Optional.empty());
  }

  private static ChunkLists replyChunk(Segment... segments) {
    return new ChunkLists(List.of(), List.of(), Optional.of(new Chunk(List.of(segments))));
  }

  /** Fails if what comes early is lost, what comes twice counts twice, or a segment takes all bytes of its tag. */
  @Test
  @DisplayName("A Long call is complete with its last byte, whatever the order of Reads")
  void longCall() {
    Segment first = new Segment(1, 40, PLACE);
    Segment second = new Segment(1, 60, PLACE + 5000);
    assertThat(send(true, RawHeader.RDMA_NOMSG, longCall(first, second))).isEmpty();
    assertThat(data(Kind.READ, true, 1, PLACE + 5000, 40, 60)).isEmpty();
    assertThat(data(Kind.READ, true, 1, PLACE + 20, 20, 40)).as("early").isEmpty();
    assertThat(data(Kind.READ, true, 2, PLACE, 50, 90)).as("of another tag").isEmpty();
    assertThat(data(Kind.READ, true, 1, PLACE + 3000, 50, 90)).as("elsewhere").isEmpty();
    assertThat(data(Kind.READ, false, 1, PLACE, 50, 90)).as("of the other side").isEmpty();
    assertThat(data(Kind.READ, true, 1, PLACE, 0, 25)).as("some of it twice").isEmpty();
    assertThat(data(Kind.READ, true, 1, PLACE + 5030, 70, 100)).isEmpty();
    RpcMessage whole = data(Kind.READ, true, 1, PLACE + 5020, 60, 75).orElseThrow();
    assertThat(whole.bytes()).isEqualTo(ByteBuffer.wrap(message));
    assertThat(whole.announced()).isEqualTo(1);
    assertThat(whole.frame()).isEqualTo(frame);
    assertThat(data(Kind.READ, true, 1, PLACE, 0, 40)).as("again").isEmpty();
  }

  /** Fails if the lengths that a reply says are not those that count, or a chunk outlives the reply to its call. */
  @Test
  @DisplayName("A reply in a Reply chunk is as long as it says")
  void replyChunk() {
    Segment first = new Segment(1, 40, 0);
    Segment second = new Segment(2, 500, 0);
    ByteBuffer.wrap(message).putInt(4, OncRpc.REPLY);
    byte[] call = ByteBuffer.allocate(8).putInt(XID).putInt(OncRpc.CALL).array();
    assertThat(send(true, RawHeader.RDMA_MSG, replyChunk(first, second), call)).isPresent();
    data(Kind.WRITTEN, false, 1, 0, 0, 40);
    data(Kind.WRITTEN, false, 2, 0, 40, 100);
    RpcMessage reply = send(false, RawHeader.RDMA_NOMSG, replyChunk(first, second.withLength(50))).orElseThrow();
    assertThat(reply.bytes()).isEqualTo(ByteBuffer.wrap(message, 0, 90));
    assertThat(reply.fromOpener()).isFalse();
    assertThat(send(false, RawHeader.RDMA_NOMSG, replyChunk(first, second))).as("again").isEmpty();
  }

  /** Fails if a chunk whose XID or tag is another one's now goes on, or an error ends nothing. */
  @Test
  @DisplayName("Tags that are used again, and calls that are given up")
  void ends() {
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 100, 0)));
    data(Kind.READ, true, 1, 0, 0, 50);
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 100, 0)));
    assertThat(data(Kind.READ, true, 1, 50, 50, 100)).as("of the second call alone").isEmpty();
    assertThat(data(Kind.READ, true, 1, 0, 0, 50)).isPresent();
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 100, 0)));
    send(false, RawHeader.RDMA_ERROR, ChunkLists.EMPTY);
    assertThat(data(Kind.READ, true, 1, 0, 0, 100)).isEmpty();
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 100, 0)));
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(2, 100, 0)));
    assertThat(data(Kind.READ, true, 1, 0, 0, 100)).as("of the first one").isEmpty();
    assertThat(data(Kind.READ, true, 2, 0, 0, 100)).isPresent();
  }

  /** Fails if {@code ExposedMemory.take} takes all that comes, or counts a message that it has given up. */
  @Test
  @DisplayName("A message is as long as it may be, whatever its chunk offers")
  void tooLong() {
    ChunkLists large = replyChunk(new Segment(3, 1 << 30, 0), new Segment(4, 1, 0));
    send(true, RawHeader.RDMA_MSG, large, message);
    for (int at = 0; at < LONGEST_MESSAGE; at += message.length) {
      data(Kind.WRITTEN, false, 3, at, 0, 100);
    }
    assertThat(send(false, RawHeader.RDMA_NOMSG, large)).isEmpty();
    assertThat(room.forgotten()).isEqualTo(1);
    assertThat(unreadable).as("it counts once").isEmpty();
    assertThat(room.bytes()).isZero();
  }

  /** Fails if {@code ChunkData.place} overlooks an overlap, or takes neighbours or empty segments for one. */
  @Test
  @DisplayName("A message of segments that overlap is not put together, and counts")
  void overlaps() {
    Segment[] same = new Segment[1000];
    Arrays.fill(same, new Segment(1, 1 << 20, 0));
    send(true, RawHeader.RDMA_NOMSG, longCall(same));
    assertThat(room.forgotten()).isEqualTo(1);
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 60, 0), new Segment(1, 60, 59)));
    assertThat(room.forgotten()).isEqualTo(2);
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 60, 59), new Segment(1, 60, 0)));
    assertThat(room.forgotten()).isEqualTo(3);
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 60, 1000), new Segment(1, 60, 1059)));
    assertThat(room.forgotten()).isEqualTo(4);
    assertThat(room.bytes()).isZero();
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 60, 0), new Segment(1, 0, 20), new Segment(1, 40, 60)));
    assertThat(data(Kind.READ, true, 1, 0, 0, 100)).as("one Read has no more than one segment").isEmpty();
    assertThat(data(Kind.READ, true, 1, 60, 60, 100)).isPresent();
    assertThat(room.forgotten()).isEqualTo(4);
  }

  /** Fails if {@code ChunkData.held} counts segments alone. */
  @Test
  @DisplayName("Reply chunks without segments take room")
  void emptyReplyChunks() {
    byte[] call = ByteBuffer.allocate(8).putInt(XID).putInt(OncRpc.CALL).array();
    send(true, RawHeader.RDMA_MSG, replyChunk(new Segment[0]), call);
    assertThat(room.bytes()).isPositive();
    send(false, RawHeader.RDMA_ERROR, ChunkLists.EMPTY);
    assertThat(room.bytes()).isZero();
  }

  /** Fails if {@code ChunkData.take} does not take back what a segment had before, or an end leaves a side. */
  @Test
  @DisplayName("A chunk takes what has come of it and about 512 bytes; nothing stays at the end of either side")
  void held() {
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 100, 0)));
    assertThat(room.bytes()).isEqualTo(512);
    data(Kind.READ, true, 1, 0, 0, 20);
    data(Kind.READ, true, 1, 20, 20, 50);
    assertThat(room.bytes()).isEqualTo(512 + 50);
    byte[] call = ByteBuffer.allocate(8).putInt(XID).putInt(OncRpc.CALL).array();
    send(true, RawHeader.RDMA_MSG, replyChunk(new Segment(2, 100, 0)), call);
    send(false, RawHeader.RDMA_NOMSG, longCall(new Segment(3, 100, 0)));
    assertThat(room.bytes()).isEqualTo(3 * 512 + 50);
    messages.end();
    assertThat(room.bytes()).isZero();
  }

  /** Fails if {@code ExposedMemory.take} compares with {@code >=}. */
  @Test
  @DisplayName("A chunk may take as much as the longest message, with what it takes beside its bytes")
  void longest() {
    for (int more = 0; more <= 1; more++) {
      send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, LONGEST_MESSAGE, 0)));
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST_MESSAGE - 512 + more);
      messages.take(new DecodedUnit(Kind.READ, ++frame, true, "", bytes, 1, 0));
      assertThat(room.forgotten()).isEqualTo(more);
    }
  }

  /** Fails if {@code ChunkedMessages.noMessage} awaits no reply, or counts the call itself as apart. */
  @Test
  @DisplayName("A Long call may have data apart and a Reply chunk; the reply may have written data")
  void longCallWithMore() {
    Chunk replyChunk = new Chunk(List.of(new Segment(4, 500, 0)));
    ChunkLists call = new ChunkLists(List.of(new ReadChunk(0, List.of(new Segment(1, 100, 0))),
        new ReadChunk(40, List.of(new Segment(2, 1000, 0)))), List.of(), Optional.of(replyChunk));
    send(true, RawHeader.RDMA_NOMSG, call);
    assertThat(data(Kind.READ, true, 1, 0, 0, 100).orElseThrow().apart()).isEqualTo(1000);
    data(Kind.WRITTEN, false, 4, 0, 0, 100);
    ChunkLists reply = new ChunkLists(List.of(), List.of(new Chunk(List.of(new Segment(5, 300, 0)))),
        Optional.of(new Chunk(List.of(new Segment(4, 100, 0)))));
    RpcMessage whole = send(false, RawHeader.RDMA_NOMSG, reply).orElseThrow();
    assertThat(whole.bytes()).isEqualTo(ByteBuffer.wrap(message));
    assertThat(whole.apart()).isEqualTo(300);
  }

  /** Fails if {@code MessageRoom.hold} forgets nothing, or not the oldest, or a connection's end leaves anything. */
  @Test
  @DisplayName("Messages of all connections that are not complete take as much as two of the longest ones")
  void room() {
    ChunkedMessages other = messages(2);
    other.take(longCallOf(1));
    for (int xid = 2; xid <= 10_000; xid++) {
      messages.take(longCallOf(xid));
    }
    assertThat(room.bytes()).isBetween(2L * LONGEST_MESSAGE - 1000, 2L * LONGEST_MESSAGE);
    assertThat(room.forgotten()).isBetween(1000, 9000);
    DecodedUnit all = new DecodedUnit(Kind.READ, 9, true, "", ByteBuffer.wrap(message), 1, 0);
    assertThat(other.take(all)).as("the oldest").isEmpty();
    assertThat(messages.take(all)).as("the latest").isPresent();
    messages.end();
    assertThat(room.bytes()).isZero();
  }

  private static DecodedUnit longCallOf(int xid) {
    ChunkLists lists = longCall(new Segment(1, 100, 0));
    ByteBuffer bytes = ByteBuffer.allocate(RawHeader.LENGTH + lists.encodedLength()).putInt(xid)
        .putInt(RawHeader.VERSION).putInt(1).putInt(RawHeader.RDMA_NOMSG);
    lists.write(bytes);
    return new DecodedUnit(Kind.MESSAGE, 1, true, "", bytes.flip());
  }

  /** Fails if {@code ChunkedMessages} passes over a message whose transport header hides it. */
  @Test
  @DisplayName("R-332: Sends whose RPC message cannot be read are told, each with the reason")
  void unreadable() {
    byte[] odd = {0, 0, 0, 1, 0, 0, 0, 2};
    messages.take(new DecodedUnit(Kind.MESSAGE, ++frame, true, "", ByteBuffer.wrap(odd)));
    send(true, 5, ChunkLists.EMPTY, message);
    assertThat(unreadable).as("another protocol").isEmpty();
    assertThat(unjudged).as("another protocol").isEmpty();
    send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, message);
    assertThat(unreadable).isEmpty();
    messages.take(new DecodedUnit(Kind.MESSAGE, ++frame, true, "", ByteBuffer.wrap(odd)));
    send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, new byte[7]);
    send(false, RawHeader.RDMA_NOMSG, replyChunk(new Segment(1, 40, 0)));
    send(false, RawHeader.RDMA_NOMSG, ChunkLists.EMPTY);
    send(true, RawHeader.RDMA_MSGP, ChunkLists.EMPTY, message);
    messages.take(new DecodedUnit(Kind.MESSAGE, ++frame, true, "", ByteBuffer.allocate(20).putInt(0, XID)
        .putInt(4, RawHeader.VERSION).putInt(16, 7)));
    assertThat(unreadable).startsWith("4: it is no RPC-over-RDMA of version 1", "5: its RPC message has 7 bytes",
        "6: no chunk of its XID has its RPC message", "7: no chunk of its XID has its RPC message",
        "8: it is an RDMA_MSGP, which RFC 8166 forbids").hasSize(6);
    assertThat(unreadable.get(5)).startsWith("9: its chunk lists are malformed: ");
    send(true, 5, ChunkLists.EMPTY, message);
    assertThat(unreadable).as("header types of extensions have no RPC message").hasSize(6);
    assertThat(unjudged).containsExactly(10L);
  }

  /** Fails if {@code ChunkedMessages.message} does not compare the XIDs (RFC 8166 §4.2.1). */
  @Test
  @DisplayName("R-332: a message whose XID is not that of its transport header is told, and judged anyway")
  void otherXid() {
    ByteBuffer.wrap(message).putInt(0, XID + 1);
    assertThat(send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, message)).isPresent();
    assertThat(unreadable).containsExactly("1: its XID is not that of its transport header");
    send(true, RawHeader.RDMA_NOMSG, longCall(new Segment(1, 100, 0)));
    assertThat(data(Kind.READ, true, 1, 0, 0, 100)).isPresent();
    assertThat(unreadable).hasSize(2).last().isEqualTo("3: its XID is not that of its transport header");
  }

  /** Fails if metadata is taken off where an end takes none, or what is not sound is. */
  @Test
  @DisplayName("Metadata of this library is taken off, if both ends take it")
  void metadata() {
    byte[] behind = Arrays.copyOf(message, message.length + 4);
    behind[message.length] = 0x4D;
    behind[message.length + 1] = 0x44;
    startup(true, true);
    assertThat(send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, behind).orElseThrow().bytes().remaining())
        .isEqualTo(104);
    startup(false, true);
    assertThat(send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, behind).orElseThrow().bytes())
        .isEqualTo(ByteBuffer.wrap(message));
    assertThat(send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, message).orElseThrow().bytes().remaining())
        .as("without").isEqualTo(100);
    startup(true, false);
    assertThat(send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, behind).orElseThrow().bytes().remaining())
        .isEqualTo(104);
  }

  private void startup(boolean fromOpener, boolean metadata) {
    byte[] block = new SessionBlock(3, new InstanceId(1, 2), Optional.empty(), 1,
        new Features(false, false, false, metadata)).toByteArray();
    messages.take(new DecodedUnit(Kind.STARTUP, ++frame, fromOpener, "", ByteBuffer.wrap(block)));
  }

  /** Fails if data that has left a message is not counted. */
  @Test
  @DisplayName("What is within a Send, with data apart")
  void inline() {
    ChunkLists lists = new ChunkLists(List.of(new ReadChunk(40, List.of(new Segment(3, 1000, 0)))), List.of(),
        Optional.empty());
    RpcMessage call = send(true, RawHeader.RDMA_MSG, lists, message).orElseThrow();
    assertThat(call.bytes()).isEqualTo(ByteBuffer.wrap(message));
    assertThat(call.apart()).isEqualTo(1000);
    assertThat(send(true, RawHeader.RDMA_MSG, ChunkLists.EMPTY, new byte[7])).as("too short").isEmpty();
    assertThat(messages.take(new DecodedUnit(Kind.MESSAGE, 9, true, "", ByteBuffer.wrap(message)))).isEmpty();
  }
}
