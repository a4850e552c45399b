// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RPC over TCP in captures, and what is not. */
@DisplayName("Messages of RPC over TCP in captures")
final class RecordedMessagesTest {

  private static final byte[] CALL = RecordMark.framed(ByteBuffer.allocate(40).putInt(1).putInt(0).putInt(2).array());
  private static final byte[] REPLY = RecordMark.framed(ByteBuffer.allocate(24).putInt(1).putInt(1).array());

  private final MessageRoom room = new MessageRoom(1000);
  private final RecordedMessages messages = messages();

  private RecordedMessages messages() {
    return new RecordedMessages(new Conversation(1, new InetSocketAddress("10.0.0.1", 1),
        new InetSocketAddress("10.0.0.2", 2)), room);
  }

  private List<RpcMessage> give(boolean fromOpener, byte... bytes) {
    return messages.bytes(1, fromOpener, ByteBuffer.wrap(bytes));
  }

  /** Fails if a stream is judged before its head is there, or the bytes of its head are lost. */
  @Test
  @DisplayName("Calls and replies, in pieces")
  void pieces() {
    for (int i = 0; i < CALL.length - 1; i++) {
      assertThat(give(true, CALL[i])).isEmpty();
      assertThat(messages.isRpc()).isEqualTo(i >= 15);
    }
    assertThat(give(true, CALL[CALL.length - 1])).singleElement()
        .satisfies(message -> assertThat(message.bytes()).isEqualTo(ByteBuffer.wrap(CALL, 4, 40)));
    assertThat(give(false, REPLY)).singleElement()
        .satisfies(message -> assertThat(message.fromOpener()).isFalse());
    assertThatThrownBy(() -> give(false, (byte) -1, (byte) -1, (byte) -1, (byte) -1))
        .isInstanceOf(RecordException.class);
    assertThat(messages.isRpc()).isTrue();
    assertThat(messages.isOver()).isTrue();
    assertThat(give(true, CALL)).isEmpty();
  }

  /** Fails if {@code RecordedMessages.finish} asks the other direction. */
  @Test
  @DisplayName("A direction that is ended within a record is wrong, and one that is ended between records is not")
  void finished() {
    give(true, CALL);
    give(false, Arrays.copyOf(REPLY, 7));
    messages.finish(true);
    assertThat(messages.isOver()).isFalse();
    assertThatThrownBy(() -> messages.finish(false)).isInstanceOf(RecordException.class)
        .hasMessage("The stream ends within a record");
    assertThat(messages.isOver()).isTrue();
    messages.finish(false);
  }

  /** Fails if {@code RecordedMessages.fail} takes the other direction for that of the answers. */
  @Test
  @DisplayName("Answers that begin within a record, since the capture does, may end within one; calls may not")
  void joinedAndFinished() {
    messages.join();
    give(true, CALL);
    give(false, Arrays.copyOf(REPLY, 14));
    messages.finish(false);
    assertThat(messages.beginsWithinReply()).isTrue();
    RecordedMessages calls = messages();
    calls.join();
    calls.bytes(1, true, ByteBuffer.wrap(Arrays.copyOf(CALL, 30)));
    assertThatThrownBy(() -> calls.finish(true)).isInstanceOf(RecordException.class);
    assertThat(calls.beginsWithinReply()).isFalse();
  }

  /** Fails if {@code RecordedMessages.Direction} does not tell the room what it holds, or holds what is over. */
  @Test
  @DisplayName("Records that are not complete take no more than there is room; the oldest connection goes")
  void room() {
    byte[] begun = ByteBuffer.allocate(904).putInt(0x80000000 | 950).putInt(1).putInt(0).putInt(2).array();
    give(true, begun);
    assertThat(room.bytes()).isEqualTo(904);
    RecordedMessages second = messages();
    second.bytes(1, true, ByteBuffer.wrap(begun));
    assertThat(messages.isOver()).isFalse();
    RecordedMessages third = messages();
    third.bytes(1, true, ByteBuffer.wrap(begun));
    assertThat(messages.isOver()).isTrue();
    assertThat(room.forgotten()).isEqualTo(1);
    assertThat(second.bytes(1, true, ByteBuffer.wrap(new byte[50]))).hasSize(1);
    third.end();
    assertThat(room.bytes()).isZero();
  }

  /** Fails if {@code Direction.read} does not add what comes to what is there, or an end leaves a direction. */
  @Test
  @DisplayName("A record takes what has come of it, in both directions")
  void held() {
    give(true, CALL);
    assertThat(room.bytes()).isZero();
    give(true, Arrays.copyOf(CALL, 10));
    give(true, Arrays.copyOfRange(CALL, 10, 15));
    assertThat(room.bytes()).isEqualTo(15);
    give(false, Arrays.copyOf(REPLY, 7));
    assertThat(room.bytes()).isEqualTo(22);
    byte[] rest = Arrays.copyOfRange(CALL, 15, CALL.length + 3);
    assertThat(give(true, rest)).hasSize(1);
    assertThat(room.bytes()).as("no more than what came last").isEqualTo(7 + rest.length);
    messages.end();
    assertThat(room.bytes()).isZero();
  }

  @Test
  @DisplayName("A record of eight bytes is a message, a shorter one is none")
  void shortest() {
    give(true, CALL);
    assertThat(give(true, RecordMark.framed(new byte[8]))).hasSize(1);
    assertThat(give(true, RecordMark.framed(new byte[4]))).isEmpty();
  }

  /** Fails if {@code RecordedMessages.recogniseAnswer} takes the rest of a reply for a record. */
  @Test
  @DisplayName("Answers that begin within a reply: the connection was open before the capture, or is not well formed")
  void beginsWithinReply() {
    for (byte[] rest : List.of(new byte[] {-1, -1, -1, -1}, RecordMark.framed("rest of data".getBytes()),
        new byte[100])) {
      RecordedMessages whole = messages();
      whole.bytes(1, true, ByteBuffer.wrap(CALL));
      assertThatThrownBy(() -> whole.bytes(1, false, ByteBuffer.wrap(rest))).isInstanceOf(RecordException.class);
      assertThat(whole.isOver()).isTrue();
      assertThat(whole.beginsWithinReply()).isFalse();
      RecordedMessages joined = messages();
      joined.join();
      joined.bytes(1, true, ByteBuffer.wrap(CALL));
      assertThat(joined.bytes(1, false, ByteBuffer.wrap(rest))).isEmpty();
      assertThat(joined.isOver()).isTrue();
      assertThat(joined.beginsWithinReply()).isTrue();
    }
    messages.join();
    give(true, CALL);
    give(false, REPLY);
    assertThat(give(false, RecordMark.framed("rest of data".getBytes()))).as("behind a reply").hasSize(1);
    assertThatThrownBy(() -> give(false, (byte) -1, (byte) -1, (byte) -1, (byte) -1)).as("behind a reply")
        .isInstanceOf(RecordException.class);
    assertThat(messages.beginsWithinReply()).isFalse();
  }

  /** Fails if {@code RecordedMessages.bytes} forgives calls what it forgives the first answer. */
  @Test
  @DisplayName("A connection from before the capture whose calls turn out to be no records is not well formed")
  void callsOfJoined() {
    messages.join();
    give(true, CALL);
    assertThatThrownBy(() -> give(true, (byte) -1, (byte) -1, (byte) -1, (byte) -1))
        .isInstanceOf(RecordException.class);
  }

  /** Fails if {@code isProbe} or {@code startsTls} takes another call, or another reply, for what agrees to TLS. */
  @Test
  @DisplayName("TLS begins behind a call of AUTH_TLS and an accepted reply that agrees, and behind nothing else")
  void startsTls() {
    byte[] agreed = "STARTTLS".getBytes(StandardCharsets.US_ASCII);
    for (int flavor : new int[] {7, 0}) {
      for (int denied : new int[] {0, 1}) {
        RecordedMessages each = messages();
        each.bytes(1, true, ByteBuffer.wrap(RecordMark.framed(
            ByteBuffer.allocate(40).putInt(1).putInt(0).putInt(2).putInt(24, flavor).array())));
        each.bytes(1, false, ByteBuffer.wrap(RecordMark.framed(
            ByteBuffer.allocate(32).putInt(1).putInt(1).putInt(denied).putInt(16, 8).put(20, agreed).array())));
        assertThat(each.isEncrypted()).as("%d, %d", flavor, denied).isEqualTo(flavor == 7 && denied == 0);
      }
    }
  }

  @Test
  @DisplayName("The side that is called may begin with a call of its own")
  void callsBack() {
    give(true, CALL);
    assertThat(give(false, CALL)).hasSize(1);
  }

  /** Fails if {@code RecordedMessages.recognise} does not end where the other side sends before the head is there. */
  @Test
  @DisplayName("What the other side sends before the head of a call is there is no message")
  void answerBeforeTheCall() {
    give(false, CALL[0]);
    assertThat(give(true, CALL)).isEmpty();
    assertThat(messages.isOver()).isTrue();
  }

  /** Fails if anything else than the head of a call makes a stream RPC. */
  @Test
  @DisplayName("Other protocols, and one whose server begins")
  void others() {
    for (byte[] bytes : List.of("GET / HTTP/1.1\r\nHost: x\r\n".getBytes(StandardCharsets.US_ASCII), REPLY,
        RecordMark.framed(ByteBuffer.allocate(24).putInt(1).putInt(1).putInt(2).array()),
        "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII), new byte[16])) {
      RecordedMessages other = new RecordedMessages(null, new MessageRoom());
      assertThat(other.bytes(1, true, ByteBuffer.wrap(bytes))).isEmpty();
      assertThat(other.isRpc()).isFalse();
      assertThat(other.isOver()).isTrue();
    }
    give(false, CALL[0]);
    give(true, Arrays.copyOfRange(CALL, 1, CALL.length));
    assertThat(messages.isOver()).isTrue();
  }
}
