package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.channel.ReplyCache;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that come again, and calls whose connection is gone, at a server's machine. */
class RepeatedCallsTest {

  private static final String INLINE =
      "11111111 00000001 00000020 00000000 00000000 00000000 00000000 11111111" + CALL;
  /** With a Write chunk of 64 bytes. */
  private static final String PLACED = "11111111 00000001 00000020 00000000 00000000"
      + "00000001 00000001 0000abcd 00000040 00000000 00000000 00000000 00000000 11111111" + CALL;
  /** With a Read chunk of 80 000 bytes. */
  private static final String REDUCED = "11111111 00000001 00000020 00000000"
      + "00000001 0000002c 00000abc 00013880 00000000 00000000 00000000 00000000 00000000 11111111"
      + CALL + "00013880";
  private static final String ERR_CHUNK = "11111111 00000001 00000003 00000004 00000002";

  /** Has what is remembered decide on the call that came last. */
  private static boolean admitted(MachineBed bed) {
    return bed.history.admit(bed.incoming.get(bed.incoming.size() - 1),
        IncomingCalls.answers(bed.machine));
  }

  @Test
  @DisplayName("R-152: a call whose chunks have ended three connections is answered ERR_CHUNK")
  void loop() {
    ReplyCache history = MachineBed.newHistory();
    for (int i = 0; i < 3; i++) {
      MachineBed bed = MachineBed.remembering(history);
      bed.receive(PLACED);
      assertThat(bed.incoming).hasSize(1);
      bed.machine.disconnected("The peer's device refused", true);
      bed.endServices();
    }
    MachineBed bed = MachineBed.remembering(history);
    bed.receive(PLACED);
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK);
    // Without chunks there is nothing that could do it again.
    bed.receive(INLINE);
    assertThat(bed.incoming).hasSize(1);
  }

  @Test
  @DisplayName("R-152: a connection that was just lost is nobody's fault")
  void justLost() {
    ReplyCache history = MachineBed.newHistory();
    for (int i = 0; i < 5; i++) {
      MachineBed bed = MachineBed.remembering(history);
      bed.receive(PLACED);
      assertThat(bed.incoming).hasSize(1);
      bed.lose("cut");
      bed.endServices();
    }
  }

  @Test
  @DisplayName("R-159 B-095: a repeated call gets its first answer, over another connection, and by"
      + " the chunks that it brings there")
  void otherChunks() {
    MachineBed first = new MachineBed(false);
    first.receive(INLINE);
    assertThat(admitted(first)).isTrue();
    first.lose("cut");
    // Only now the service answers, with an item.
    first.machine.reply(first.incoming.get(0), writer -> writer.dataItem(
        DataItem.of(new byte[] {1, 2, 3, 4})));
    assertThat(first.takeSent()).isEmpty();
    MachineBed second = MachineBed.remembering(first.history);
    second.receive(INLINE);
    assertThat(admitted(second)).isFalse();
    second.settle();
    assertThat(second.takeSent()).containsExactly("11111111 00000001 00000003 00000000 00000000"
        + " 00000000 00000000 11111111 00000001 00000000 00000000 00000000 00000000 00000004"
        + " 01020304");
    MachineBed third = MachineBed.remembering(first.history);
    third.receive(PLACED);
    assertThat(admitted(third)).isFalse();
    third.settle();
    assertThat(third.takeSent()).containsExactly("write 4 to abcd+0",
        "11111111 00000001 00000003 00000000 00000000 00000001 00000001 0000abcd 00000004"
            + " 00000000 00000000 00000000 00000000 11111111 00000001 00000000 00000000 00000000"
            + " 00000000 00000004");
    assertThat(second.regions + third.regions).isZero();
  }

  @Test
  @DisplayName("R-159 R-320: a result that is still in the arguments' memory when its connection is gone")
  void resultInsideOfArguments() {
    String stream = "11111111" + CALL + "00000004 01020304";
    MachineBed first = new MachineBed(false);
    first.readable.put(0x77, Hex.bytes(stream));
    first.receive("11111111 00000001 00000020 00000001 00000001 00000000 00000077 00000030"
        + "00000000 00000000 00000000 00000000 00000000");
    assertThat(admitted(first)).isTrue();
    IncomingCall call = first.incoming.get(0);
    ByteBuffer view = call.arguments().opaqueView(4);
    first.lose("cut");
    first.machine.reply(call, writer -> writer.opaque(view));
    assertThat(first.regions).isZero();
    MachineBed second = MachineBed.remembering(first.history);
    second.receive("11111111 00000001 00000020 00000000 00000000 00000000 00000000" + stream);
    assertThat(admitted(second)).isFalse();
    second.settle();
    assertThat(second.takeSent()).hasSize(1).first().asString().endsWith("00000004 01020304");
  }

  @Test
  @DisplayName("A repeated call whose reply was not kept is answered ERR_CHUNK, and not executed")
  void replyLost() {
    ReplyCache none = new ReplyCache(8, 0);
    MachineBed other = MachineBed.remembering(none);
    other.receive(INLINE);
    assertThat(admitted(other)).isTrue();
    other.machine.reply(other.incoming.get(0), writer -> writer.int32(7));
    other.settle();
    other.takeSent();
    other.receive(INLINE);
    assertThat(admitted(other)).isFalse();
    other.settle();
    assertThat(other.takeSent()).containsExactly(ERR_CHUNK);
  }

  @Test
  @DisplayName("R-159 R-327: what a repeated call brings is not kept while the first is being executed")
  void argumentsOfRepetitions() {
    MachineBed first = new MachineBed(false);
    first.receive(REDUCED);
    assertThat(admitted(first)).isTrue();
    assertThat(first.regions).isEqualTo(1);
    MachineBed second = MachineBed.remembering(first.history);
    second.receive(REDUCED);
    assertThat(admitted(second)).isFalse();
    assertThat(second.regions).isZero();
    second.lose("cut");
    MachineBed third = MachineBed.remembering(first.history);
    for (int i = 0; i < 2; i++) {
      // Twice as much at once as is held for a peer.
      third.receive(REDUCED);
      assertThat(admitted(third)).isFalse();
    }
    first.machine.reply(first.incoming.get(0), writer -> writer.int32(42));
    first.settle();
    third.settle();
    assertThat(third.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("0000002a"));
    first.checkAtRest();
    third.checkAtRest();
  }

  @Test
  @DisplayName("R-060 R-159: results that may not be sent are not remembered either")
  void strayResultsTooLate() {
    List<Throwable> failures = new ArrayList<>();
    MachineBed first = new MachineBed(false);
    first.encodingFailed = failures::add;
    first.receive(INLINE);
    assertThat(admitted(first)).isTrue();
    first.incoming.get(0).eligibleResults(0);
    first.lose("cut");
    first.machine.reply(first.incoming.get(0),
        writer -> writer.dataItem(DataItem.of(new byte[] {1, 2, 3, 4})));
    assertThat(failures).hasSize(1);
    MachineBed second = MachineBed.remembering(first.history);
    second.receive(PLACED);
    assertThat(admitted(second)).isFalse();
    second.settle();
    assertThat(second.takeSent()).singleElement().asString().endsWith("00000000 00000005");
  }

  @Test
  @DisplayName("R-159: a reply is remembered before it is sent")
  void rememberedFirst() {
    MachineBed bed = new MachineBed(false);
    bed.receive(INLINE);
    List<Integer> sentBefore = new ArrayList<>();
    bed.incoming.get(0).record(reply -> sentBefore.add(bed.sent.size()));
    bed.machine.reply(bed.incoming.get(0), XdrEncoder.VOID);
    assertThat(sentBefore).containsExactly(0);
    assertThat(bed.sent).hasSize(1);
  }

  @Test
  @DisplayName("R-159: a reply is whole also if its repetition takes the last slot before it")
  void lastSlotTaken() {
    MachineBed bed = new MachineBed(false);
    bed.receive(INLINE);
    assertThat(admitted(bed)).isTrue();
    bed.receive(INLINE);
    assertThat(admitted(bed)).isFalse();
    bed.held = true;
    for (int i = 1; i < MachineBed.SEND_SLOTS; i++) {
      bed.receive("22222222 00000002 00000020 00000000 00000000 00000000 00000000");
    }
    assertThat(bed.takeSent()).hasSize(MachineBed.SEND_SLOTS - 1);
    bed.machine.reply(bed.incoming.get(0), writer -> writer.int32(42));
    assertThat(bed.sent).as("one slot was left").hasSize(1);
    bed.held = false;
    bed.settle();
    assertThat(bed.sent).hasSize(2);
    assertThat(bed.sent.get(1)).isEqualTo(bed.sent.get(0)).endsWith("0000002a");
    bed.checkAtRest();
  }
}
