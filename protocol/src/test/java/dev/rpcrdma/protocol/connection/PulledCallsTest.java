// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls whose arguments, or all of them, are in Read chunks that the server's machine pulls. */
class PulledCallsTest extends ResponderChecks {

  /** The lists of a call whose Read chunks have these Positions and lengths. */
  private static String reduced(String... positionsAndLengths) {
    StringBuilder list = new StringBuilder();
    for (String chunk : positionsAndLengths) {
      String[] words = chunk.split(" ");
      list.append("00000001").append(words[0]).append("00000abc").append(words[1])
          .append("00000000 00000000");
    }
    return list + "00000000 00000000 00000000";
  }

  @Test
  @DisplayName("R-068 B-059: Positions that are odd, or replace what is not eligible")
  void positions() {
    answered("11111111 00000001 00000020 00000000 00000001 00000003 00000abc 00000008 00000000"
        + "00000000 00000000 00000000 00000000 11111111" + CALL, ERR_CHUNK);
    // Inside the RPC header.
    answered("11111111 00000001 00000020 00000000 00000001 00000008 00000abc 00000008 00000000"
        + "00000000 00000000 00000000 00000000 11111111" + CALL, ERR_CHUNK);
    // Position zero beside an inline message.
    answered("11111111 00000001 00000020 00000000 00000001 00000000 00000abc 00000008 00000000"
        + "00000000 00000000 00000000 00000000 11111111" + CALL, ERR_CHUNK);
  }

  @Test
  @DisplayName("R-068 R-069 R-147 B-059: Positions that no message can have been taken apart at")
  void impossiblePositions() {
    String inline = "11111111 00000001 00000020 00000000";
    String payload = "11111111" + CALL + "00000008 00000000 00000000";
    // Inside the previous chunk, by one word and by nearly all of it, whichever comes first.
    answered(inline + reduced("0000002c 000003e8", "00000410 00000008") + payload, ERR_CHUNK);
    answered(inline + reduced("0000002c 000003e8", "00000030 00000008") + payload, ERR_CHUNK);
    answered(inline + reduced("00000030 00000008", "0000002c 000003e8") + payload, ERR_CHUNK);
    answered(inline + reduced("0000002c 00000009", "00000034 00000008") + payload, ERR_CHUNK);
    // Behind the end of the inline part of 52 bytes, without and with a chunk before it.
    answered(inline + reduced("00000038 00000008") + payload, ERR_CHUNK);
    answered(inline + reduced("7ffffffc 00000008") + payload, ERR_CHUNK);
    answered(inline + reduced("0000002c 00000008", "00000040 00000008") + payload, ERR_CHUNK);
    // Behind the end of a Position-Zero chunk of 56 bytes.
    answered("11111111 00000001 00000020 00000001" + reduced("00000000 00000038", "0000003c 00000008"),
        ERR_CHUNK);
  }

  @Test
  @DisplayName("R-068 R-069: Positions side by side, at the very end, and of chunks without bytes")
  void possiblePositions() {
    String inline = "11111111 00000001 00000020 00000000";
    String payload = "11111111" + CALL + "00000008 00000000 00000000";
    String[] lists = {
        reduced("0000002c 00000008", "00000034 00000008"),
        reduced("0000002c 00000009", "00000038 00000008"),
        reduced("00000034 00000008"),
        reduced("0000002c 00000008", "0000003c 00000008"),
        reduced("0000002c 00000009", "00000040 00000008"),
        reduced("0000002c 00000000", "0000002c 00000000")};
    for (String list : lists) {
      bed.receive(inline + list + payload);
      assertThat(bed.incoming).as(list).hasSize(1);
      bed.incoming.remove(0).fail(AcceptStatus.GARBAGE_ARGS);
      bed.settle();
    }
  }

  /** Fails if {@code Pull.take} hands the padding out, or wants it to be zero. */
  @Test
  @DisplayName("R-343: what is in the padding of a Read chunk is nobody's business, whether it is sent or not")
  void padding() {
    for (String length : new String[] {"00000005", "00000008"}) {
      bed.receive("11111111 00000001 00000020 00000000" + reduced("0000002c " + length) + "11111111" + CALL
          + "00000005");
      IncomingCall call = bed.incoming.remove(0);
      assertThat(call.arguments().dataItem(8).toByteArray()).containsExactly(0xbc, 0xbc, 0xbc, 0xbc, 0xbc);
      call.arguments().end();
      call.reply(XdrEncoder.VOID);
      bed.settle();
    }
  }

  @Test
  @DisplayName("A service that throws in the machine's face takes none of its memory away")
  void listenerThrows() {
    bed.service = call -> {
      throw new IllegalStateException("a bug");
    };
    assertThatThrownBy(() -> bed.receive("11111111 00000001 00000020 00000000"
        + reduced("0000002c 00000008") + "11111111" + CALL + "00000008"))
        .isInstanceOf(IllegalStateException.class);
    bed.disconnected = "the handler has thrown";
    bed.lose("the handler has thrown");
  }

  @Test
  @DisplayName("R-090 R-327 B-060: chunks beyond the limits are not pulled")
  void unreasonable() {
    for (String length : new String[] {"ffffffff", "80000000", "000186a1"}) {
      answered("11111111 00000001 00000020 00000001 00000001 00000000 00000abc" + length
          + "00000000 00000000 00000000 00000000 00000000", ERR_CHUNK);
    }
  }

  @Test
  @DisplayName("R-327: calls are pulled side by side up to all that this end holds for a peer, and not a byte more")
  void allThatIsHeld() {
    String call = "11111111 00000001 00000020 00000000" + reduced("0000002c %1$s") + "11111111" + CALL + "%1$s";
    bed.receive(call.formatted("00013880"));
    bed.receive(call.formatted("00011171"));
    assertThat(bed.incoming).as("80 000 and 70 001 bytes").hasSize(1);
    bed.endServices();
    bed.endServices();
    bed.incoming.clear();
    bed.receive(call.formatted("00013880"));
    bed.receive(call.formatted("00011170"));
    assertThat(bed.incoming).as("80 000 and 70 000 bytes").hasSize(2);
    bed.endServices();
  }

  @Test
  @DisplayName("R-142: an end that can pull nothing answers ERR_CHUNK")
  void noReads() {
    MachineBed unable = MachineBed.withLiveness(false, 0, Liveness.UNLIMITED);
    unable.receive("11111111 00000001 00000020 00000000" + reduced("0000002c 00000008") + "11111111" + CALL
        + "00000008");
    unable.settle();
    assertThat(unable.takeSent()).containsExactly(ERR_CHUNK);
    unable.checkAtRest();
  }

  @Test
  @DisplayName("Reads that wait for others, and Sends that wait for slots, end with the connection")
  void whatWaitsEnds() {
    bed.held = true;
    bed.receive("11111111 00000001 00000020 00000000" + reduced("0000002c 00000002", "0000002c 00000002",
        "0000002c 00000002", "0000002c 00000002", "0000002c 00000002", "0000002c 00000002") + "11111111" + CALL
        + "0000000c");
    assertThat(bed.machine.activeCalls()).isEqualTo(1);
    bed.disconnected = "by the test";
    bed.held = false;
    // Four Reads are posted, and flushed; two wait for them.
    for (int i = 0; i < 3; i++) {
      bed.answer();
    }
    bed.lose("cut");
    bed.settle();
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.machine.activeCalls()).isZero();
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("Memory for a Read chunk that comes when the connection is lost is freed")
  void memoryAfterLoss() {
    bed.memoryHeld = true;
    bed.receive("11111111 00000001 00000020 00000000"
        + reduced("0000002c 00000008", "00000034 00000008") + "11111111" + CALL + "00000008 00000008");
    bed.lose("cut");
    bed.disconnected = "by the test";
    bed.releaseMemory();
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.machine.activeCalls()).isZero();
  }

  @Test
  @DisplayName("R-090 R-327: Read chunks of all calls together are bounded, until their services answer")
  void readBytesInFlight() {
    String call = "11111111 00000001 00000020 00000000" + reduced("0000002c 00013880") + "11111111"
        + CALL + "00013880";
    bed.receive(call);
    bed.receive(call);
    bed.receive(call.replace("00013880", "00000008"));
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.incoming).as("one has room, the others wait in the order in which they came").hasSize(1);
    assertThat(bed.regions).isEqualTo(1);
    bed.incoming.remove(0).reply(writer -> writer.int32(1));
    bed.settle();
    assertThat(bed.incoming).hasSize(2);
    bed.endServices();
    bed.incoming.clear();
    bed.takeSent();
    bed.readsFail = true;
    answered(call, ERR_CHUNK);
    bed.readsFail = false;
    bed.memoryFails = true;
    answered(call, ERR_CHUNK);
    bed.memoryFails = false;
    bed.receive(call);
    bed.incoming.remove(0).fail(AcceptStatus.GARBAGE_ARGS);
    bed.settle();
  }

  @Test
  @DisplayName("R-327: a call for whose Read chunks there is no room is answered SYSTEM_ERR when its time is over")
  void noRoom() {
    String call = "11111111 00000001 00000020 00000000" + reduced("0000002c 00013880") + "11111111"
        + CALL + "00013880";
    bed.receive(call);
    bed.now = MachineBed.SECOND;
    bed.receive(call);
    bed.incoming.remove(0).reply(writer -> writer.int32(1));
    bed.settle();
    bed.takeSent();
    bed.receive(call);
    at(MachineBed.SECOND + MachineBed.SERVICE_TIME - 1);
    assertThat(bed.takeSent()).isEmpty();
    at(MachineBed.SECOND + MachineBed.SERVICE_TIME);
    bed.settle();
    // That of the service that takes too long, and that of the call that was not looked at.
    assertThat(bed.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("00000005"));
    bed.endServices();
    assertThat(bed.regions).isZero();
    assertThat(bed.incoming).hasSize(1);
    bed.incoming.clear();
  }

  @Test
  @DisplayName("R-327: a peer that serves one Read after the other, each in time, and takes too long for all of"
      + " them, loses the connection")
  void trickle() {
    String[] segments = new String[20];
    Arrays.fill(segments, "0000002c 00000004");
    bed.held = true;
    bed.receive("11111111 00000001 00000020 00000000" + reduced(segments) + "11111111" + CALL
        + "00000050");
    long time = 0;
    for (int i = 0; i < 3 && bed.disconnected.isEmpty(); i++) {
      bed.answer();
      time = bed.deadlines.next();
      bed.now = time;
      bed.deadlines.advance(time);
    }
    assertThat(bed.disconnected).contains("too slowly");
    assertThat(time).isEqualTo(2 * MachineBed.SERVICE_TIME);
    bed.held = false;
    bed.settle();
  }

  @Test
  @DisplayName("R-327: one large Read of which more comes all the time is waited for, though it takes longer than a"
      + " service may")
  void largeRead() {
    bed.held = true;
    bed.receive("11111111 00000001 00000020 00000000" + reduced("0000002c 00013880") + "11111111" + CALL
        + "00013880");
    bed.bytesRead = 1000;
    at(MachineBed.SERVICE_TIME);
    assertThat(bed.disconnected).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(bed.incoming).hasSize(1);
    bed.endServices();
  }

  @Test
  @DisplayName("R-327 R-338: a peer that does not serve the Reads of its own call loses the connection")
  void readsWithoutEnd() {
    bed.held = true;
    bed.receive("11111111 00000001 00000020 00000000" + reduced("0000002c 00000008") + "11111111"
        + CALL + "00000008");
    bed.now = bed.deadlines.next() - 1;
    bed.deadlines.advance(bed.now);
    assertThat(bed.disconnected).isEmpty();
    bed.deadlines.advance(++bed.now);
    assertThat(bed.disconnected).contains("does not serve the Reads");
    bed.held = false;
    bed.settle();
  }

  @Test
  @DisplayName("R-327: Reads that take long are waited for, as is memory of this end; the service has its time")
  void slowReads() {
    bed.held = true;
    bed.memoryHeld = true;
    bed.receive("11111111 00000001 00000020 00000000"
        + reduced("0000002c 00000004", "0000002c 00000002", "0000002c 00000002") + "11111111" + CALL
        + "00000008");
    long service = 10 * MachineBed.SECOND;
    at(service);
    bed.memoryHeld = false;
    bed.releaseMemory();
    at(2 * service);
    bed.answer();
    bed.answer();
    bed.now += MachineBed.SECOND;
    bed.answer();
    assertThat(bed.incoming).hasSize(1);
    assertThat(bed.deadlines.next()).isEqualTo(bed.now + service);
    bed.held = false;
    bed.incoming.remove(0).fail(AcceptStatus.GARBAGE_ARGS);
    bed.settle();
  }

  private void at(long time) {
    bed.now = time;
    bed.deadlines.advance(time);
    assertThat(bed.disconnected).isEmpty();
  }

  @Test
  @DisplayName("R-063 R-104 R-106: a Long call is pulled and served, however small, in any segments")
  void longCall() {
    bed.readable.put(0x77, Hex.bytes("11111111" + CALL));
    for (int cut = 1; cut < 40; cut++) {
      bed.receive(("11111111 00000001 00000020 00000001 00000001 00000000 00000077 %08x"
          + "00000000 00000000 00000001 00000000 00000077 %08x 00000000 %08x"
          + "00000000 00000000 00000000").formatted(cut, 40 - cut, cut));
      assertThat(bed.incoming).singleElement()
          .satisfies(call -> assertThat(call.header().program()).isEqualTo(9));
      bed.incoming.remove(0).reply(writer -> writer.int32(1));
      bed.settle();
      assertThat(bed.takeSent()).singleElement().asString().endsWith("00000000 00000001");
    }
  }

  @Test
  @DisplayName("R-147: a Long call that is none is answered ERR_CHUNK")
  void badLongCall() {
    // XID 0x11111111, which no call's head follows.
    answered("11111111 00000001 00000020 00000001 00000001 00000000 00000011 00000028"
        + "00000000 00000000 00000000 00000000 00000000", ERR_CHUNK);
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("R-125: a Long call whose chunk holds nothing")
  void emptyLongCall() {
    answered("11111111 00000001 00000020 00000001 00000001 00000000 00000011 00000000"
        + "00000000 00000000 00000000 00000000 00000000", ERR_CHUNK);
  }

  @Test
  @DisplayName("R-327: a chunk that cannot be read is answered ERR_CHUNK")
  void readFails() {
    bed.readsFail = true;
    answered("11111111 00000001 00000020 00000000 00000001 0000002c 00000abc 00000008 00000000"
        + "00000000 00000000 00000000 00000000 11111111" + CALL + "00000008", ERR_CHUNK);
    bed.readsFail = false;
  }

  @Test
  @DisplayName("R-062 R-071 C-13 C-17: Read chunks with and without padding, and of a wrong length")
  void readChunkLengths() {
    for (int length : new int[] {5, 8}) {
      bed.receive(("11111111 00000001 00000020 00000000 00000001 0000002c 000000bc %08x 00000000"
          + "00000000 00000000 00000000 00000000 11111111" + CALL + "00000005").formatted(length));
      DataItem item = bed.incoming.get(0).arguments().dataItem(100);
      assertThat(item.toByteArray()).isEqualTo(new byte[] {-68, -68, -68, -68, -68});
      bed.incoming.get(0).arguments().end();
      bed.incoming.remove(0).fail(AcceptStatus.SUCCESS);
      bed.settle();
    }
    bed.receive("11111111 00000001 00000020 00000000 00000001 0000002c 000000bc 00000007 00000000"
        + "00000000 00000000 00000000 00000000 11111111" + CALL + "00000005");
    IncomingCall call = bed.incoming.remove(0);
    assertThatThrownBy(() -> call.arguments().dataItem(100))
        .hasMessageContaining("of 5 bytes in a Read chunk of 7");
    call.fail(AcceptStatus.GARBAGE_ARGS);
    bed.settle();
  }

  @Test
  @DisplayName("R-063 R-069: a Read chunk may be cut into segments anywhere")
  void segments() {
    bed.readable.put(0xabc, new byte[] {1, 2, 3, 4, 5});
    for (int cut = 0; cut <= 5; cut++) {
      bed.receive(("11111111 00000001 00000020 00000000 00000001 0000002c 00000abc %08x 00000000"
          + "00000000 00000001 0000002c 00000abc %08x 00000000 %08x 00000000 00000000 00000000"
          + "11111111" + CALL + "00000005").formatted(cut, 5 - cut, cut));
      IncomingCall call = bed.incoming.remove(0);
      assertThat(call.arguments().dataItem(100).toByteArray())
          .isEqualTo(new byte[] {1, 2, 3, 4, 5});
      call.arguments().end();
      call.fail(AcceptStatus.SUCCESS);
      bed.settle();
    }
  }

  /** Fails if {@code IncomingCall.isReply} wants more than eight bytes, or the reply is not dropped. */
  @Test
  @DisplayName("C-02: a Long message that turns out to be a reply, however short, is never answered")
  void pulledReply() {
    bed.readable.put(0x77, Hex.bytes("11111111 00000001"));
    bed.receive("11111111 00000001 00000020 00000001 00000001 00000000 00000077 00000008"
        + "00000000 00000000 00000000 00000000 00000000");
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.machine.activeCalls()).isZero();
    assertThat(bed.machine.counters().discarded()).isEqualTo(1);
  }
}
