// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Metadata behind calls of this end, and behind the replies to them. */
class MetadataOfRepliesTest {

  private static final int XID = MachineBed.FIRST_XID;
  /** Five seconds, as calls of the bed have. */
  private static final String FIVE_SECONDS = "00020004 004c4b40 ";
  private static final String ALONE = " 0000abcd " + FIVE_SECONDS + "4d440008";
  private static final String SUCCESS = "00000001 00000000 00000000 00000000 00000000";
  private static final String TIME = "00030004 00000009 4d440008";

  private final MachineBed bed = new MachineBed(MachineBed.like(true).metadata(true)
      .largeReplies(new LargeReplies(true, false, false, 0, MachineBed.SECOND)));

  @AfterEach
  void nothingIsLeft() {
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.settle();
    bed.checkAtRest();
  }

  private static String xid(int number) {
    return "%08x ".formatted(XID + number);
  }

  private void reply(int number, String results) {
    bed.receive(xid(number) + "00000001 00000004 00000000" + NO_LISTS + xid(number) + SUCCESS + results);
  }

  @Test
  @DisplayName("A call says for how long its caller will wait, anew whenever it goes out")
  void timeLeft() {
    bed.call(4);
    assertThat(bed.takeSent()).singleElement().asString().endsWith(ALONE);
    bed.call(4);
    assertThat(bed.takeSent()).as("no credit").isEmpty();
    bed.now += MachineBed.SECOND;
    reply(0, "0000002a 4d440000");
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00020004 003d0900 4d440008");
  }

  @Test
  @DisplayName("Tags of its caller's go with a call")
  void tags() {
    TestCall call = new TestCall(Said.nothing(4), new MachineBed.Heard()).metadata(Hex.bytes("00030000"));
    bed.machine.call(call.carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith(FIVE_SECONDS + "00030000 4d44000c");
  }

  @Test
  @DisplayName("A reply's block is none of its results, and may say how long the server took")
  void inline() {
    MachineBed.Heard outcome = bed.call(4);
    reply(0, "0000002a " + TIME);
    MachineBed.Heard second = bed.call(4);
    reply(1, "0000002b 4d440000");
    assertThat(outcome.events).containsExactly("took 9000", "reply 0000002a");
    assertThat(second.events).containsExactly("reply 0000002b");
    bed.takeSent();
  }

  @Test
  @DisplayName("A server that has given up when its caller's time was over says what the caller would say")
  void givenUpByServer() {
    String systemErr = "00000001 00000000 00000000 00000000 00000005 4d440000";
    MachineBed.Heard early = bed.call(4);
    bed.now += 5 * MachineBed.SECOND - 1;
    bed.receive(xid(0) + "00000001 00000004 00000000" + NO_LISTS + xid(0) + systemErr);
    assertThat(early.events).singleElement().asString().contains("SYSTEM_ERR");
    MachineBed.Heard late = bed.call(4);
    bed.now += 5 * MachineBed.SECOND;
    bed.receive(xid(1) + "00000001 00000004 00000000" + NO_LISTS + xid(1) + systemErr);
    assertThat(late.events).containsExactly("TIMEOUT");
    bed.takeSent();
  }

  /** Fails if what one reply says is left for the next, or the tag counts beside another status. */
  @Test
  @DisplayName("A call that a server has not executed, since it has too many, fails and says so")
  void overloaded() {
    String systemErr = "00000001 00000000 00000000 00000000 00000005 ";
    MachineBed.Heard refused = bed.call(4);
    bed.receive(xid(0) + "00000001 00000004 00000000" + NO_LISTS + xid(0) + systemErr + "00060000 4d440004");
    assertThat(refused.events).containsExactly("OVERLOADED");
    assertThat(refused.failure.sent()).isFalse();
    MachineBed.Heard failed = bed.call(4);
    bed.receive(xid(1) + "00000001 00000004 00000000" + NO_LISTS + xid(1) + systemErr + "4d440000");
    assertThat(failed.events).singleElement().asString().contains("SYSTEM_ERR");
    MachineBed.Heard unknown = bed.call(4);
    bed.receive(xid(2) + "00000001 00000004 00000000" + NO_LISTS + xid(2)
        + "00000001 00000000 00000000 00000000 00000003 00060000 4d440004");
    assertThat(unknown.events).singleElement().asString().contains("PROC_UNAVAIL");
    MachineBed.Heard answered = bed.call(4);
    reply(3, "0000002a 00060000 4d440004");
    assertThat(answered.events).containsExactly("reply 0000002a");
    bed.takeSent();
  }

  @Test
  @DisplayName("Calls of all forms end in a block, and room for replies has room for one")
  void forms() {
    int most = 1024 - 28 - 24 - 4;
    bed.call(most);
    assertThat(bed.takeSent()).singleElement().asString().contains(" 00000000 00000000 00000000 51000000");
    MachineBed.Heard outcome = new MachineBed.Heard();
    reply(0, "0000002a 4d440000");
    bed.handle(outcome, most + 4);
    assertThat(bed.takeSent()).singleElement().asString()
        .contains(" 00000001 00000001 00001001 %08x 00000000 00000000 ".formatted(24 + most + 4 + 4));
    bed.exposed.get(0x1001).bytes().put(Hex.bytes(xid(1) + SUCCESS + "0000002b" + TIME));
    bed.receive(xid(1) + "00000001 00000004 00000001 00000000 00000000 00000001 00000001 00001001 00000028"
        + "00000000 00000000");
    assertThat(outcome.events).containsExactly("took 9000", "reply 0000002b");
    bed.call(new XdrWriter().int32(1).dataItem(DataItem.of(new byte[2000])));
    assertThat(bed.takeSent()).singleElement().asString()
        .endsWith(" 00000001 000007d0 " + FIVE_SECONDS + "4d440008");
    reply(2, "0000002a 4d440000");
    bed.call(new XdrWriter().fixedOpaque(new byte[2000]));
    ByteBuffer chunk = bed.exposed.values().iterator().next().bytes();
    assertThat(chunk.remaining()).isEqualTo(40 + 2000 + 12);
    assertThat(Hex.written(chunk.position(chunk.limit()))).endsWith("00000000 " + FIVE_SECONDS + "4d440008");
    bed.takeSent();
  }

  @Test
  @DisplayName("R-266: a pulled reply ends in a block")
  void pulled() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.of(new XdrWriter(), List.of(), 60_000).typically(0), outcome).carried(),
        bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    provide(xid(0) + SUCCESS + "0000002a" + TIME);
    assertThat(outcome.events).containsExactly("took 9000", "reply 0000002a");
    bed.takeSent();
  }

  private void provide(String payload) {
    bed.readable.put(0xabc, Hex.bytes(payload));
    bed.receive(xid(0) + "00000001 00000004 00000001 00000001 00000000 00000abc %08x 00000000 00000000"
        .formatted(Hex.bytes(payload).length) + "00000000 00000000 00000000");
  }

  private enum Form { INLINE, REPLY_CHUNK, PULLED }

  @ParameterizedTest
  @EnumSource(Form.class)
  @DisplayName("Without a sound block the connection ends, and the call has no results")
  void unsound(Form form) {
    MachineBed.Heard outcome = bed.call(2000);
    if (form == Form.INLINE) {
      reply(0, "0000002a");
    } else if (form == Form.PULLED) {
      provide(xid(0) + SUCCESS + "0000002a");
    } else {
      bed.exposed.get(0x1001).bytes().put(Hex.bytes(xid(0) + SUCCESS + "0000002b"));
      bed.receive(xid(0) + "00000001 00000004 00000001 00000000 00000000 00000001 00000001 00001001 0000001c"
          + "00000000 00000000");
    }
    assertThat(bed.disconnected).contains("metadata block");
    bed.lose("the end");
    assertThat(outcome.events).singleElement().asString().matches("CONNECTION_LOST|BAD_REPLY");
  }

  @Test
  @DisplayName("Nothing of it goes to a peer that has not shown that it takes it, or is looked for there")
  void foreign() {
    MachineBed other = new MachineBed(true);
    MachineBed.Heard outcome = other.call(8);
    assertThat(other.takeSent()).singleElement().asString().endsWith(" 0000abcd");
    other.receive(xid(0) + "00000001 00000004 00000000" + NO_LISTS + xid(0) + SUCCESS + TIME.substring(0, 17));
    assertThat(outcome.events).containsExactly("reply 00030004 00000009");
    other.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    assertThat(other.incoming).hasSize(1);
    other.lose("the end");
    other.endServices();
  }
}
