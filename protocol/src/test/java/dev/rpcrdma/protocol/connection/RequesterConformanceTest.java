// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A client's machine against a peer that builds its own headers. */
class RequesterConformanceTest {

  private static final String SUCCESS = "00000001 00000000 00000000 00000000 00000000";
  private static final String REPLIED = "reply ";

  private final MachineBed bed = new MachineBed(true);
  private int xid = MachineBed.FIRST_XID;

  @AfterEach
  void theConnectionStillCallsUnlessItWasEnded() {
    if (bed.disconnected.isEmpty()) {
      bed.takeSent();
      MachineBed.Heard last = bed.call(4);
      assertThat(bed.takeSent()).as("a credit is free").hasSize(1);
      bed.receive(reply(xid, 1, NO_LISTS) + "00000001");
      assertThat(last.events).containsExactly(REPLIED + "00000001");
      assertThat(bed.machine.pendingCalls()).isZero();
    }
    assertThat(bed.exposed).isEmpty();
    assertThat(bed.regions).as("regions").isZero();
    assertThat(bed.deadlines.next()).as("deadlines").isEqualTo(Long.MAX_VALUE);
    assertThat(bed.machine.bytesSetAside()).isZero();
  }

  private static String header(int xid, int credits, int procedure) {
    return "%08x 00000001 %08x %08x ".formatted(xid, credits, procedure);
  }

  private static String reply(int xid, int credits, String lists) {
    return header(xid, credits, 0) + lists + " %08x ".formatted(xid) + SUCCESS;
  }

  private void discarded(String hex) {
    MachineBed.Heard outcome = bed.call(4);
    bed.takeSent();
    bed.receive(hex);
    assertThat(outcome.events).isEmpty();
    assertThat(bed.takeSent()).as("R-143: a requester answers nothing").isEmpty();
    bed.receive(reply(xid++, 1, NO_LISTS));
    assertThat(outcome.events).hasSize(1);
  }

  private void failed(String hex, String event) {
    failed(hex, event, 4);
  }

  private void failed(String hex, String event, int maxResults, Integer... placed) {
    MachineBed.Heard outcome = bed.call(maxResults, placed);
    bed.takeSent();
    bed.receive(hex.replace("XIDXIDXI", "%08x".formatted(xid)));
    assertThat(outcome.events).containsExactly(event);
    assertThat(bed.takeSent()).as("R-143: a requester answers nothing").isEmpty();
    xid++;
  }

  @Test
  @DisplayName("R-008 R-009 R-020 R-028 R-122 R-344 C-04: one call until the first reply, as its bytes are")
  void firstExchange() {
    MachineBed.Heard first = bed.call(4);
    MachineBed.Heard second = bed.call(4);
    assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000004 00000000 00000000"
        + " 00000000 00000000 51000000 00000000 00000002 00000009 00000001 00000005 00000000"
        + " 00000000 00000000 00000000 0000abcd");
    bed.receive(reply(xid++, 3, NO_LISTS) + "00000001");
    assertThat(first.events).containsExactly(REPLIED + "00000001");
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(reply(xid++, 3, NO_LISTS) + "00000002");
    assertThat(second.events).containsExactly(REPLIED + "00000002");
  }

  @Test
  @DisplayName("R-022 R-024 R-025 R-032 C-03 B-050: a grant of zero is one, a huge one is capped")
  void grants() {
    bed.call(4);
    bed.receive(reply(xid++, 0, NO_LISTS));
    assertThat(bed.machine.grantedCredits()).isEqualTo(1);
    bed.call(4);
    bed.receive(reply(xid++, -1, NO_LISTS));
    assertThat(bed.machine.grantedCredits()).isEqualTo(MachineBed.CREDITS);
    bed.takeSent();
    for (int i = 0; i < 6; i++) {
      bed.call(4);
    }
    assertThat(bed.takeSent()).hasSize(MachineBed.CREDITS)
        .allMatch(call -> call.substring(18).startsWith("00000004"));
    for (int i = 0; i < 6; i++) {
      bed.receive(reply(xid++, 1, NO_LISTS));
    }
    assertThat(bed.machine.grantedCredits()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-033 R-034 R-035: a call of the peer asks for credits, and grants none")
  void reverseCall() {
    bed.receive(header(0x51000000, 4, 0) + NO_LISTS + "51000000 00000000 00000002 00000009"
        + "00000001 00000005 00000000 00000000 00000000 00000000");
    assertThat(bed.machine.grantedCredits()).isEqualTo(1);
    bed.incoming.remove(0).reply(writer -> writer.int32(7));
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString()
        .startsWith("51000000 00000001 00000003 00000000");
  }

  @Test
  @DisplayName("R-042: what was agreed on holds as long as the connection")
  void agreedOnce() {
    ConnectionSettings agreed = bed.machine.settings();
    assertThatThrownBy(() -> bed.machine.established(agreed, bed.now))
        .isInstanceOf(IllegalStateException.class);
    // Whatever comes: a long message of the peer's, a grant, an error.
    bed.call(4);
    bed.receive(reply(xid++, 4, NO_LISTS) + "00000001".repeat(200));
    failed(header(xid, 4, 4) + "00000002", "REMOTE_ERROR");
    assertThat(bed.machine.settings()).isEqualTo(agreed);
  }

  @Test
  @DisplayName("R-044: one way has one threshold, for calls and for replies")
  void thresholds() {
    MachineBed wide = new MachineBed(true, 2048, 1024);
    MachineBed.Heard outcome = wide.call(new XdrWriter().opaque(new byte[1900]));
    assertThat(wide.takeSent()).singleElement().asString()
        .startsWith("51000000 00000001 00000004 00000000 " + NO_LISTS);
    wide.receive(header(7, 4, 0) + NO_LISTS + "00000007 00000000 00000002 00000009"
        + "00000001 00000005 00000000 00000000 00000000 00000000");
    wide.incoming.remove(0).reply(writer -> writer.opaque(new byte[1900]));
    wide.settle();
    assertThat(wide.takeSent()).singleElement().asString()
        .startsWith("00000007 00000001 00000003 00000000 " + NO_LISTS);
    wide.receive(reply(xid, 1, NO_LISTS));
    assertThat(outcome.events).hasSize(1);
    wide.call(1900);
    assertThat(wide.takeSent()).singleElement().asString()
        .contains("00000001 00000001 00001001 00000784");
  }

  @Test
  @DisplayName("R-072 R-089 R-104 R-171: a Long call has its padding, and its memory until the reply")
  void longCall() {
    byte[] argument = new byte[2001];
    Arrays.fill(argument, (byte) 0x55);
    MachineBed.Heard outcome = bed.call(new XdrWriter().opaque(argument));
    assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000004 00000001 00000001"
        + " 00000000 00001001 00000800 00000000 00000000 00000000 00000000 00000000");
    ByteBuffer message = bed.exposed.get(0x1001).bytes();
    assertThat(message.getInt(0)).isEqualTo(0x51000000);
    assertThat(message.getInt(40)).isEqualTo(2001);
    assertThat(message.getInt(44 + 2000)).isEqualTo(0x55000000);
    assertThat(bed.revoked).isEmpty();
    bed.receive(reply(xid++, 1, NO_LISTS));
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(outcome.events).hasSize(1);
  }

  @Test
  @DisplayName("R-062 R-064 R-068 R-070 C-14: each item has a chunk of its own, without padding")
  void readChunks() {
    bed.call(new XdrWriter().int32(1).dataItem(DataItem.of(new byte[1001])).int32(2)
        .dataItem(DataItem.of(new byte[1002])).int32(3));
    assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000004 00000000"
        + " 00000001 00000030 00001001 000003e9 00000000 00000000"
        + " 00000001 00000424 00001002 000003ea 00000000 00000000"
        + " 00000000 00000000 00000000"
        + " 51000000 00000000 00000002 00000009 00000001 00000005 00000000 00000000 00000000"
        + " 00000000 00000001 000003e9 00000002 000003ea 00000003");
    bed.receive(reply(xid++, 1, NO_LISTS));
  }

  @Test
  @DisplayName("R-064: an item without bytes has no chunk")
  void emptyItem() {
    bed.call(new XdrWriter().dataItem(DataItem.of(new byte[0])).dataItem(DataItem.of(new byte[2000])));
    assertThat(bed.exposures()).isEqualTo(1);
    assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000004 00000000"
        + " 00000001 00000030 00001001 000007d0 00000000 00000000 00000000 00000000 00000000"
        + " 51000000 00000000 00000002 00000009 00000001 00000005 00000000 00000000 00000000"
        + " 00000000 00000000 000007d0");
    bed.receive(reply(xid++, 1, NO_LISTS));
  }

  @Test
  @DisplayName("R-073 R-076 R-082: Write chunks have room for their items, and none for padding")
  void writeChunks() {
    bed.call(4, 2001, 1001);
    assertThat(bed.takeSent()).singleElement().asString()
        .startsWith("51000000 00000001 00000004 00000000 00000000"
            + " 00000001 00000001 00001001 000007d1 00000000 00000000"
            + " 00000001 00000001 00001002 000003e9 00000000 00000000 00000000 00000000");
    bed.receive(reply(xid++, 1, NO_LISTS));
  }

  @Test
  @DisplayName("R-171 R-203 R-325: exposed with its credit, before it is sent; revoked before it ends")
  void exposedNoLongerThanUsed() {
    bed.held = true;
    MachineBed.Heard first = bed.call(2000);
    MachineBed.Heard second = bed.call(2000);
    assertThat(bed.takeSent()).as("the Reply chunk is not exposed yet").isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    assertThat(bed.exposures()).as("the second call waits for a credit").isEqualTo(1);
    bed.held = true;
    bed.receive(reply(xid++, 1, NO_LISTS) + "00000001");
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(first.events).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(first.events).hasSize(1);
    bed.receive(reply(xid++, 1, NO_LISTS) + "00000001");
    assertThat(second.events).hasSize(1);
  }

  /**
   * Fails if {@code Requester.grant(RawHeader.credits(message))} stands anywhere before the direction of a
   * message is certain, as in {@code MessageRouter.received}, or behind {@code ChunkLists.read}.
   */
  @Test
  @DisplayName("R-036 R-141: a message whose direction is not certain, or that is too short, changes no grant")
  void uncertainDirection() {
    bed.call(4);
    bed.receive(reply(xid++, 3, NO_LISTS) + "00000001");
    assertThat(bed.machine.grantedCredits()).isEqualTo(3);
    for (String credits : new String[] {"00000001", "00000004", "ffffffff"}) {
      for (String uncertain : new String[] {
          "", "XIDXIDXI 00000001 CREDITS", "XIDXIDXI 00000001 CREDITS 00000000 00000000",
          "XIDXIDXI 00000001 CREDITS 00000000" + NO_LISTS, "XIDXIDXI 00000001 CREDITS 00000001" + NO_LISTS,
          "XIDXIDXI 00000001 CREDITS 00000000" + NO_LISTS + "XIDXIDXI 00000002",
          "XIDXIDXI 00000001 CREDITS 00000000" + NO_LISTS + "XIDXIDXI 00000001",
          "XIDXIDXI 00000001 CREDITS 00000000" + NO_LISTS + "XIDXIDXI 00000001 00000000 00000000 00000000",
          "XIDXIDXI 00000001 CREDITS 00000000 00000007 00000000 00000000", "XIDXIDXI 00000001 CREDITS 00000003",
          "XIDXIDXI 00000002 CREDITS 00000000" + NO_LISTS + "XIDXIDXI 00000001",
          "XIDXIDXI 00000001 CREDITS 00000063" + NO_LISTS}) {
        bed.call(4);
        bed.takeSent();
        bed.receive(uncertain.replace("CREDITS", credits).replace("XIDXIDXI", "%08x".formatted(xid)));
        assertThat(bed.machine.grantedCredits()).as("%s, credits %s", uncertain, credits).isEqualTo(3);
        assertThat(bed.takeSent()).isEmpty();
        // Some of them have failed the call, which then is over.
        bed.receive(reply(xid++, 3, NO_LISTS) + "00000001");
      }
    }
  }

  /** Fails if {@code Requester.reply} grants before it has found the call. */
  @Test
  @DisplayName("R-036 B-050: replies to no call, and errors, change no grant")
  void untrustedGrants() {
    bed.call(4);
    bed.receive(reply(0x99999999, 4, NO_LISTS));
    assertThat(bed.machine.grantedCredits()).isEqualTo(1);
    bed.receive(reply(xid++, 1, NO_LISTS));
    failed(header(xid, 4, 4) + "00000002", "REMOTE_ERROR");
    assertThat(bed.machine.grantedCredits()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-131 R-143 R-144 R-151: what cannot be understood is discarded in silence")
  void discarded() {
    discarded("");
    discarded(header(xid, 4, 0));
    discarded("99999999 00000002 00000001 00000000" + NO_LISTS);
    discarded(header(0x99999999, 1, 77) + NO_LISTS);
    discarded(header(xid, 1, 3));
    discarded(header(xid, 1, 4) + "00000007");
    discarded(header(xid, 1, 4) + "00000001 00000001");
    discarded(header(xid, 1, 4));
  }

  /** Fails if {@code MessageRouter.faultOrDiscard} or {@code MessageRouter.message} looks at no length. */
  @Test
  @DisplayName("R-141 R-342: not even the XID of a message that is too short is used: its call goes on")
  void tooShort() {
    for (String message : new String[] {
        "XIDXIDXI 00000002 00000001 00000000 00000000 00000000", "XIDXIDXI 00000001 00000001 00000002",
        "XIDXIDXI 00000001 00000001 00000063 00000000 00000000", "XIDXIDXI 00000001 00000001 00000000" + NO_LISTS,
        "XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "XIDXIDXI",
        "XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "XIDXIDXI 00000002",
        "XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "XIDXIDXI 00000001",
        "XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "XIDXIDXI 00000001 00000000 00000000 00000000",
        "XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "99999999 00000001 00000001 00000001"}) {
      discarded(message.replace("XIDXIDXI", "%08x".formatted(xid)));
    }
  }

  @Test
  @DisplayName("R-150: RDMA_ERROR ends its call for good")
  void remoteErrors() {
    failed("XIDXIDXI 00000001 00000001 00000004 00000002", "REMOTE_ERROR");
    failed("XIDXIDXI 00000001 00000001 00000004 00000001 00000001 00000001", "REMOTE_ERROR");
    // It is not sent again, and a reply that comes after all finds no call.
    assertThat(bed.takeSent()).isEmpty();
    long discarded = bed.machine.counters().discarded();
    bed.receive(reply(xid - 1, 1, NO_LISTS) + "00000001");
    assertThat(bed.machine.counters().discarded()).isEqualTo(discarded + 1);
  }

  @Test
  @DisplayName("R-120 R-129 R-143 C-10: an undecodable message with the XID of a call fails that call")
  void undecodableReplies() {
    failed("XIDXIDXI 00000002 00000001 00000000" + NO_LISTS, "BAD_REPLY");
    failed("XIDXIDXI 00000001 00000001 00000063" + NO_LISTS, "BAD_REPLY");
    failed("XIDXIDXI 00000001 00000001 00000002" + NO_LISTS, "BAD_REPLY");
    failed("XIDXIDXI 00000001 00000001 00000000 00000005 00000000 00000000", "BAD_REPLY");
    failed("XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "99999999" + SUCCESS, "BAD_REPLY");
    failed("XIDXIDXI 00000001 00000001 00000000" + NO_LISTS + "XIDXIDXI 00000001 00000009 00000000 00000000",
        "BAD_REPLY");
  }

  /** Fails if {@code Requester.badReply} does not look at what waits for a credit. */
  @Test
  @DisplayName("R-143 R-302: a call that an undecodable reply has failed gives its credit to a message that waits")
  void creditOfUndecodableReply() {
    MachineBed.Heard call = bed.call(4);
    bed.takeSent();
    ExtensionOutcome message = new ExtensionOutcome();
    bed.machine.extension(7, new byte[4], message, MachineBed.SECOND);
    bed.settle();
    assertThat(bed.takeSent()).as("one credit").isEmpty();
    bed.receive(header(xid++, 1, 0) + "00000005 00000000 00000000");
    assertThat(call.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(header(xid++, 1, 7) + "01020304");
    assertThat(message.events).containsExactly("answered 01020304");
  }

  @Test
  @DisplayName("R-088 C-12: a Read list in a reply")
  void readList() {
    failed("XIDXIDXI 00000001 00000001 00000000 00000001 0000001c 00000001 00000008 00000000"
        + "00000000" + NO_LISTS + "XIDXIDXI" + SUCCESS, "BAD_REPLY");
  }

  @Test
  @DisplayName("R-084 R-087 R-105 B-069: a Reply chunk goes out, and comes back filled")
  void replyChunk() {
    MachineBed.Heard outcome = bed.call(2000);
    assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000004 00000000 00000000"
        + " 00000000 00000001 00000001 00001001 000007e8 00000000 00000000"
        + " 51000000 00000000 00000002 00000009 00000001 00000005 00000000 00000000 00000000"
        + " 00000000 0000abcd");
    bed.exposed.get(0x1001).bytes().put(Hex.bytes(
        "51000000" + SUCCESS + "00000042"));
    bed.receive(header(xid++, 1, 1) + "00000000 00000000 00000001 00000001 00001001 0000001c"
        + "00000000 00000000");
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(outcome.events).containsExactly(REPLIED + "00000042");
  }

  @Test
  @DisplayName("R-120 R-227 C-21: the Reply chunk holds the reply of another call")
  void foreignReplyInChunk() {
    MachineBed.Heard outcome = bed.call(2000);
    bed.exposed.get(0x1001).bytes().put(Hex.bytes("51000001" + SUCCESS + "00000042"));
    bed.receive(header(xid++, 1, 1) + "00000000 00000000 00000001 00000001 00001001 0000001c"
        + "00000000 00000000");
    assertThat(outcome.events).containsExactly("BAD_REPLY");
    bed.takeSent();
  }

  @Test
  @DisplayName("R-125: Reply chunks that are empty, foreign, too long, or beside inline data")
  void badReplyChunks() {
    String chunk = "00000000 00000000 00000001 00000001 %s 00000000 00000000";
    failed("XIDXIDXI 00000001 00000001 00000001" + chunk.formatted("00001001 00000000"),
        "BAD_REPLY", 2000);
    failed("XIDXIDXI 00000001 00000001 00000001" + chunk.formatted("00001001 0000001c"),
        "BAD_REPLY", 2000);
    failed("XIDXIDXI 00000001 00000001 00000001" + chunk.formatted("00001003 000007e9"),
        "BAD_REPLY", 2000);
    failed("XIDXIDXI 00000001 00000001 00000000" + chunk.formatted("00001004 0000001c")
        + "XIDXIDXI" + SUCCESS, "BAD_REPLY", 2000);
    failed("XIDXIDXI 00000001 00000001 00000001" + chunk.formatted("00001005 0000001c"),
        "BAD_REPLY");
  }

  @Test
  @DisplayName("R-074 B-067: Write lists that were not offered, or hold more than was offered")
  void badWriteLists() {
    String list = "00000000 00000001 00000001 %s 00000000 00000000 00000000 00000000";
    failed("XIDXIDXI 00000001 00000001 00000000" + list.formatted("00001001 000007d1")
        + "XIDXIDXI" + SUCCESS, "BAD_REPLY", 4, 2000);
    failed("XIDXIDXI 00000001 00000001 00000000" + list.formatted("00001001 00000010")
        + "XIDXIDXI" + SUCCESS, "BAD_REPLY", 4, 2000);
    failed("XIDXIDXI 00000001 00000001 00000000" + list.formatted("00001001 00000010")
        + "XIDXIDXI" + SUCCESS, "BAD_REPLY");
  }

  @Test
  @DisplayName("B-068 R-078 C-16: unused Write chunks in each of their forms are given back")
  void unusedWriteChunks() {
    for (String list : new String[] {
        "00000000 00000000 00000000",
        "00000000 00000001 00000000 00000000 00000000",
        "00000000 00000001 00000001 %08x 00000000 00000000 00000000 00000000 00000000"}) {
      MachineBed.Heard outcome = bed.call(4, 2000);
      int tag = bed.exposed.keySet().iterator().next();
      bed.receive(reply(xid++, 1, list.formatted(tag)) + "00000003");
      assertThat(outcome.events).containsExactly(REPLIED + "00000003");
    }
    bed.takeSent();
  }

  @Test
  @DisplayName("R-158: results in the wrong place: inline beside an unused chunk, or in a chunk unasked")
  void misplacedResults() {
    String list = "00000000 00000001 00000001 %s 00000000 00000000 00000000 00000000";
    assertThat(decoded(list.formatted("00001001 00000000"), "00000004 01020304",
        results -> results.dataItem(100))).isInstanceOf(XdrException.class)
        .hasToString("dev.rpcrdma.protocol.xdr.XdrException: A result of 4 bytes, of which 0 are in"
            + " its Write chunk");
    assertThat(decoded(list.formatted("00001002 00000004"), "00000004",
        results -> results.opaque(100))).isInstanceOf(XdrException.class);
  }

  @Test
  @DisplayName("R-079 R-346: of a Write chunk nothing is shown but what was written")
  void onlyWhatWasWritten() {
    String list = "00000000 00000001 00000001 %s 00000000 00000000 00000000 00000000";
    assertThat(decoded(list.formatted("00001001 00000000"), "00000000",
        results -> results.dataItem(100).toByteArray())).isEqualTo(new byte[0]);
    assertThat(decoded(list.formatted("00001002 00000003"), "00000003",
        results -> results.dataItem(100).toByteArray())).isEqualTo(new byte[] {1, 2, 3});
  }

  /** Calls for one placed result, whose chunk has bytes; what its decoder returns or throws. */
  private Object decoded(String lists, String results, Function<XdrReader, Object> decoder) {
    List<Object> outcomes = new ArrayList<>();
    RepliedListener listener = reader -> {
      try {
        outcomes.add(decoder.apply(reader));
      } catch (XdrException e) {
        outcomes.add(e);
      }
    };
    bed.handle(listener, 4, 2000);
    bed.exposed.values().iterator().next().bytes().put(new byte[] {1, 2, 3, 4, 5});
    bed.receive(reply(xid++, 1, lists) + results);
    assertThat(outcomes).hasSize(1);
    return outcomes.get(0);
  }

  /** Fails if {@code OutboundCall.end} runs the outcome before it revokes. */
  @Test
  @DisplayName("R-155: a call whose memory is not given back ends no sooner than the connection")
  void notRevoked() {
    MachineBed.Heard outcome = bed.call(2000);
    bed.held = true;
    bed.receive(reply(xid++, 1, NO_LISTS) + "00000001");
    bed.now = 1000 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(outcome.events).isEmpty();
    bed.lose("the revocation took too long");
    bed.disconnected = "by the test";
    bed.exposed.clear();
    assertThat(outcome.events).hasSize(1);
  }

  @Test
  @DisplayName("B-037: the peer may invalidate a tag of the reply's own call, and no other")
  void remoteInvalidation() {
    MachineBed.Heard outcome = bed.call(2000);
    bed.exposed.remove(0x1001);
    bed.receive(reply(xid++, 2, NO_LISTS) + "00000001", OptionalInt.of(0x1001));
    assertThat(outcome.events).containsExactly(REPLIED + "00000001");
    assertThat(bed.revoked).as("not revoked again").isEmpty();
    bed.call(2000);
    bed.receive(reply(xid++, 2, NO_LISTS) + "00000001", OptionalInt.of(0x9999));
    assertThat(bed.disconnected).contains("does not belong to its reply");
  }

  @Test
  @DisplayName("R-002: two replies for one XID: the second finds no call")
  void twoReplies() {
    MachineBed.Heard outcome = bed.call(4);
    bed.receive(reply(xid, 1, NO_LISTS) + "00000001");
    bed.receive(reply(xid++, 1, NO_LISTS) + "00000002");
    assertThat(outcome.events).containsExactly(REPLIED + "00000001");
  }

  @Test
  @DisplayName("R-023 R-172: cancelled: the credit waits for the late reply, memory is set aside")
  void cancelled() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.handle(outcome, 2000).cancel(bed.now);
    bed.settle();
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(bed.machine.bytesSetAside()).isEqualTo(2024);
    bed.takeSent();
    MachineBed.Heard next = bed.call(4);
    assertThat(bed.takeSent()).as("no credit").isEmpty();
    bed.receive(reply(xid++, 1, NO_LISTS));
    assertThat(bed.machine.bytesSetAside()).isZero();
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(reply(xid++, 1, NO_LISTS));
    assertThat(next.events).hasSize(1);
    assertThat(outcome.events).hasSize(1);
  }

  @Test
  @DisplayName("R-172: memory set aside is revoked when its time is over, the credit still taken")
  void timeToLive() {
    MachineBed.Heard outcome = bed.call(2000);
    bed.now = 5 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(outcome.events).containsExactly("TIMEOUT");
    assertThat(bed.revoked).isEmpty();
    bed.now = 6 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(bed.regions).isZero();
    assertThat(bed.machine.pendingCalls()).isEqualTo(1);
    bed.receive(reply(xid++, 1, NO_LISTS));
  }

  @Test
  @DisplayName("C-07: a client discards what it cannot tell the direction of")
  void unknownDirection() {
    bed.receive(header(0x99999999, 1, 9) + NO_LISTS);
    bed.receive("99999999 00000007 00000001 00000000" + NO_LISTS);
    assertThat(bed.takeSent()).isEmpty();
  }
}
