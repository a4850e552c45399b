// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A server's machine against a peer that builds its own headers. What is wrong with them is found before
 * anybody hears of a call.
 */
class ResponderConformanceTest extends ResponderChecks {

  private void silent(String hex) {
    bed.receive(hex);
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.incoming).isEmpty();
  }

  @Test
  @DisplayName("R-141 C-08: messages too short for a header are discarded, and nothing of them is used")
  void tooShort() {
    long heard = bed.machine.counters().discarded();
    silent("");
    silent("11111111");
    silent("11111111 00000001 00000020");
    silent("11111111 00000001 00000020 00000000");
    silent("11111111 00000001 00000020 00000000 00000000 00000000");
    silent("11111111 00000001 00000020 00000009 00000000");
    assertThat(bed.machine.counters().discarded()).isEqualTo(heard + 6);
    assertThat(bed.machine.activeCalls()).isZero();
    assertThat(bed.disconnected).isEmpty();
  }

  /** Fails if {@code MessageRouter.faultOrDiscard} looks at no length. */
  @Test
  @DisplayName("R-141 C-08: nor is anything used of a message of another version or type that is as short")
  void tooShortForAnyHeader() {
    for (String words : new String[] {"00000002 00000020 00000000", "00000000 00000020 00000001",
        "00000001 00000020 00000002", "00000001 00000020 00000005"}) {
      for (int more = 0; more < 3; more++) {
        silent("11111111" + words + "00000000".repeat(more));
      }
    }
  }

  /** Fails if {@code MessageRouter.message} does not ask {@code MessageHead.cutShort}. */
  @Test
  @DisplayName("R-141 R-342: messages too short for the head of an RPC message are discarded, none of it used")
  void tooShortForAnRpcMessage() {
    String good = GOOD.replace(" ", "");
    for (int length = 0; length < good.length(); length += 2) {
      silent(good.substring(0, length));
    }
    String header = "11111111 00000001 00000020 00000000" + MachineBed.NO_LISTS + "11111111";
    silent(header + "00000002");
    silent(header + "00000000 00000002 00000009 00000001 00000005 00000001 00000190 00000000 00000000");
    silent(header + "00000001 00000000");
    silent("11111111 00000001 00000020 00000000 00000001 00000028 0000aaaa 00000008 00000000 00000000"
        + MachineBed.NO_LISTS + "11111111 00000000 00000002 00000009");
    assertThat(bed.machine.activeCalls()).isZero();
    assertThat(bed.emptyReads + bed.bytesRead).isZero();
    assertThat(bed.disconnected).isEmpty();
  }

  @Test
  @DisplayName("R-034 B-048 B-049: whatever a call asks for, it is granted what this end has: never nothing, "
      + "never more")
  void grantsWhatItHas() {
    for (String asked : new String[] {"00000000", "00000001", "00001000", "ffffffff"}) {
      bed.receive("11111111 00000001 " + asked + " 00000000" + MachineBed.NO_LISTS + "11111111" + CALL);
      bed.incoming.remove(0).reply(writer -> writer.int32(1));
      bed.settle();
      assertThat(bed.takeSent()).singleElement().asString().startsWith("11111111 00000001 00000003 ");
    }
  }

  @Test
  @DisplayName("R-145 R-146 R-300 B-072: another version is answered ERR_VERS 1 to 1, and echoed")
  void versions() {
    for (String version : new String[] {"00000000", "00000002", "ffffffff"}) {
      answered("11111111" + version + "00000020 00000000 00000000 00000000 00000000",
          "11111111 " + version + " 00000003 00000004 00000001 00000001 00000001");
    }
  }

  @Test
  @DisplayName("R-126 R-129 R-142 R-147 R-304: unknown and obsolete procedures are answered ERR_CHUNK")
  void procedures() {
    for (int procedure = 5; procedure < 256; procedure++) {
      answered("11111111 00000001 00000020 %08x 00000000 00000000 00000000".formatted(procedure),
          ERR_CHUNK);
    }
    answered("11111111 00000001 00000020 00000002 00000000 00000000 00000000", ERR_CHUNK);
  }

  @Test
  @DisplayName("R-143 C-02: a reply to no call, of no more than its direction, is not answered")
  void shortestReply() {
    silent("11111111 00000001 00000020 00000000" + MachineBed.NO_LISTS + "11111111 00000001");
  }

  @Test
  @DisplayName("R-131 R-144: RDMA_DONE and RDMA_ERROR out of the blue are discarded")
  void outOfTheBlue() {
    silent("11111111 00000001 00000020 00000003");
    silent("11111111 00000001 00000020 00000004 00000002");
    silent("11111111 00000001 00000020 00000004 00000001 00000001 00000001");
    silent("11111111 00000001 00000020 00000004 00000009");
    silent("11111111 00000001 00000020 00000004");
    // also those of other versions.
    silent("11111111 00000002 00000020 00000003");
    silent("11111111 00000002 00000020 00000004 00000002");
    // As long as a header, so that it is no matter of length: fails if MessageRouter.foreign knows one of the two.
    silent("11111111 00000002 00000020 00000003" + MachineBed.NO_LISTS);
    silent("11111111 00000002 00000020 00000004" + MachineBed.NO_LISTS);
    silent("11111111 00000000 00000020 00000004 00000001 00000001 00000001");
  }

  @Test
  @DisplayName("R-125 R-142 R-147: headers that carry no message")
  void emptyHeaders() {
    answered("11111111 00000001 00000020 00000001 00000000 00000000 00000000", ERR_CHUNK);
    // A message long enough for either direction, of neither.
    answered("11111111 00000001 00000020 00000000 00000000 00000000 00000000 11111111 00000002"
        + "00000000 00000000 00000000", ERR_CHUNK);
  }

  @Test
  @DisplayName("R-120 C-21: an inner XID that differs is answered ERR_CHUNK")
  void xidMismatch() {
    answered("11111111 00000001 00000020 00000000 00000000 00000000 00000000 22222222" + CALL,
        ERR_CHUNK);
  }

  @Test
  @DisplayName("R-009 B-140: a record mark of RPC over TCP in front of a message is answered ERR_CHUNK")
  void recordMark() {
    answered("11111111 00000001 00000020 00000000 00000000 00000000 00000000 80000028 11111111"
        + CALL, ERR_CHUNK);
    // All of it in front of the header: its words are taken for XID, version and so on.
    answered("80000044 11111111 00000001 00000020 00000000 00000000 00000000 00000000 11111111"
        + CALL, "80000044 11111111 00000003 00000004 00000001 00000001 00000001");
  }

  @Test
  @DisplayName("B-106: another RPC version is told apart before what may look otherwise is read")
  void rpcVersions() {
    for (String version : new String[] {"00000000", "00000001", "00000003", "ffffffff"}) {
      // Nothing follows, where version 2 has its numbers and credentials.
      bed.receive("11111111 00000001 00000020 00000000 00000000 00000000 00000000"
          + "11111111 00000000" + version);
      assertThat(bed.incoming).isEmpty();
      assertThat(bed.takeSent()).containsExactly("11111111 00000001 00000003 00000000 00000000"
          + " 00000000 00000000 11111111 00000001 00000001 00000000 00000002 00000002");
    }
  }

  @Test
  @DisplayName("R-147: a head that is long enough and cannot be decoded is answered ERR_CHUNK")
  void badHead() {
    answered("11111111 00000001 00000020 00000000 00000000 00000000 00000000"
        + "11111111 00000000 00000002 00000009 00000001 00000005 00000000 00000191 00000000 00000000", ERR_CHUNK);
    answered("11111111 00000001 00000020 00000000 00000000 00000000 00000000"
        + "11111111 00000000 00000002 00000009 00000001 00000005 00000000 00000000 00000000 ffffffff", ERR_CHUNK);
  }

  @Test
  @DisplayName("R-021 R-032 B-054: each answer grants the same total, however many calls are being served")
  void grants() {
    for (int i = 0; i < MachineBed.GRANTED; i++) {
      bed.receive(GOOD);
    }
    bed.receive("11111111 00000001 00000020 00000001 00000000 00000000 00000000");
    for (IncomingCall call : bed.incoming) {
      call.reply(writer -> writer.int32(1));
      bed.settle();
    }
    assertThat(bed.takeSent()).hasSize(1 + MachineBed.GRANTED)
        .allMatch(message -> message.startsWith("11111111 00000001 00000003 "));
  }

  @Test
  @DisplayName("R-030: a server that is not called sends nothing, nor to a call that has its answer, or never came")
  void unasked() {
    bed.now = 1000 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.takeSent()).isEmpty();
    bed.receive(GOOD);
    IncomingCall call = bed.incoming.remove(0);
    call.reply(writer -> writer.int32(1));
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    call.reply(writer -> writer.int32(1));
    call.fail(AcceptStatus.SYSTEM_ERR);
    bed.now += 1000 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.takeSent()).isEmpty();
  }

  @Test
  @DisplayName("R-086 R-087 R-089 R-105: what is in a Reply chunk has its padding")
  void paddingInReplyChunk() {
    bed.receive("11111111 00000001 00000020 00000000 00000000 00000000"
        + "00000001 00000001 0000bbbb 00000800 00000000 00000020 11111111" + CALL);
    bed.incoming.remove(0).reply(writer -> writer.opaque(new byte[1001]));
    bed.settle();
    assertThat(bed.takeSent()).containsExactly("write 1032 to bbbb+32",
        "11111111 00000001 00000003 00000001 00000000 00000000"
            + " 00000001 00000001 0000bbbb 00000408 00000000 00000020");
  }

  @Test
  @DisplayName("R-007: whatever a call brings and takes, its responder reads and writes, and exposes nothing")
  void exposesNothing() {
    bed.readable.put(0x1a, Hex.bytes("11111111" + CALL + "00000008"));
    bed.receive("11111111 00000001 00000020 00000001"
        + "00000001 00000000 0000001a 0000002c 00000000 00000000"
        + "00000001 0000002c 000000bc 00000008 00000000 00000000 00000000"
        + "00000001 00000001 0000aaaa 00000040 00000000 00000000 00000000"
        + "00000001 00000001 0000bbbb 00000800 00000000 00000000");
    IncomingCall call = bed.incoming.remove(0);
    byte[] item = call.arguments().dataItem(8).toByteArray();
    call.reply(writer -> writer.dataItem(DataItem.of(item)).opaque(new byte[1500]));
    bed.settle();
    assertThat(bed.written).containsOnlyKeys("aaaa+0", "bbbb+0");
    assertThat(bed.exposures()).isZero();
    assertThat(bed.machine.exposures()).isZero();
  }

  @Test
  @DisplayName("R-064 R-074 R-077 R-078 R-087: offered chunks are returned, used or not")
  void returnedChunks() {
    String chunks = "00000000 00000001 00000001 0000aaaa 00000040 00000000 00000010 00000000"
        + "00000001 00000001 0000bbbb 00000800 00000000 00000020";
    bed.receive("11111111 00000001 00000020 00000000" + chunks + "11111111" + CALL);
    bed.incoming.remove(0).reply(writer -> writer.dataItem(DataItem.of(new byte[9])));
    bed.settle();
    assertThat(bed.takeSent()).containsExactly("write 9 to aaaa+16",
        "11111111 00000001 00000003 00000000 00000000"
            + " 00000001 00000001 0000aaaa 00000009 00000000 00000010 00000000"
            + " 00000001 00000001 0000bbbb 00000000 00000000 00000020"
            + " 11111111 00000001 00000000 00000000 00000000 00000000 00000009");
    bed.receive("11111111 00000001 00000020 00000000" + chunks + "11111111" + CALL);
    bed.incoming.remove(0).fail(AcceptStatus.SYSTEM_ERR);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString()
        .contains("0000aaaa 00000000").contains("0000bbbb 00000000");
  }

  @Test
  @DisplayName("R-060: more items than the binding names are not sent, in whatever chunks there are")
  void strayResults() {
    List<Throwable> failures = new ArrayList<>();
    bed.encodingFailed = failures::add;
    for (int eligible : new int[] {0, 1, 2}) {
      bed.receive("11111111 00000001 00000020 00000000 00000000"
          + "00000001 00000001 0000aaaa 00000040 00000000 00000000"
          + "00000001 00000001 0000bbbb 00000040 00000000 00000000 00000000 00000000"
          + "11111111" + CALL);
      IncomingCall call = bed.incoming.remove(0);
      call.eligibleResults(eligible);
      call.reply(writer -> writer.dataItem(DataItem.of(new byte[9]))
          .dataItem(DataItem.of(new byte[9])));
      bed.settle();
      assertThat(bed.takeSent()).hasSize(eligible < 2 ? 1 : 3).last().asString()
          .endsWith(eligible < 2 ? "00000005" : "00000009 00000009");
    }
    assertThat(failures).hasSize(2)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("2 data items"));
  }

  @Test
  @DisplayName("R-153 R-265: a reply that fits nowhere is answered ERR_CHUNK, and nothing is written")
  void replyTooLarge() {
    bed.receive(GOOD);
    bed.incoming.remove(0).reply(writer -> writer.opaque(new byte[2000]));
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK);
  }

  @Test
  @DisplayName("R-156 B-052: when not even errors get through, the connection ends")
  void errorsDoNotGetThrough() {
    takesNothing("11111111 00000001 00000020 00000001 00000000 00000000 00000000");
  }

  @Test
  @DisplayName("R-027 R-156: who calls on and takes no replies loses the connection")
  void repliesAreNotTaken() {
    bed.service = call -> call.reply(writer -> writer.opaque(new byte[500]));
    takesNothing(GOOD);
  }

  @Test
  @DisplayName("R-153 R-156: so does who calls on for replies that fit nowhere")
  void errorsForRepliesAreNotTaken() {
    bed.service = call -> call.reply(writer -> writer.opaque(new byte[2000]));
    takesNothing(GOOD);
  }

  /** A peer that sends a message again and again, and takes none of the answers, loses the connection. */
  private void takesNothing(String message) {
    bed.held = true;
    for (int i = 0; i < 100 && bed.disconnected.isEmpty(); i++) {
      bed.receive(message);
    }
    assertThat(bed.disconnected).contains("faster than it takes them");
    bed.held = false;
    bed.settle();
  }

  @Test
  @DisplayName("R-027 R-328: a few calls more than granted are served, many end the connection")
  void creditOverrun() {
    for (int i = 0; i < 2 * MachineBed.GRANTED; i++) {
      bed.receive(GOOD);
    }
    assertThat(bed.incoming).hasSize(6);
    assertThat(bed.disconnected).isEmpty();
    bed.receive(GOOD);
    assertThat(bed.disconnected).contains("more than twice");
    assertThat(bed.incoming).allMatch(IncomingCall::answered);
  }

  @Test
  void aServiceThatNeverAnswersIsAnsweredFor() {
    bed.receive(GOOD);
    assertThat(bed.deadlines.next()).isEqualTo(10 * MachineBed.SECOND);
    bed.deadlines.advance(10 * MachineBed.SECOND);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000005");
    bed.incoming.remove(0).reply(writer -> writer.int32(1));
    bed.settle();
    assertThat(bed.takeSent()).isEmpty();
  }
}
