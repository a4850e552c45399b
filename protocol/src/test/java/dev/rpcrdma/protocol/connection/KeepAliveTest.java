// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.requester.ExtensionListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.responder.HeaderExtension;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Peers that are gone are found, and those that are only quiet are left alone. */
class KeepAliveTest {

  private static final long IDLE = 10 * MachineBed.SECOND;
  private static final long ANSWER = 2 * MachineBed.SECOND;
  /** Procedure NULL of program 0x2006F001, with an XID in header and head. */
  private static final String NULL_CALL = "%08x 00000001 00000004 00000000 00000000 00000000 "
      + "00000000 %08x 00000000 00000002 2006f001 00000001 00000000 00000000 00000000 00000000 "
      + "00000000";

  private static MachineBed bed(boolean client, int reads) {
    return MachineBed.withLiveness(client, reads, new Liveness(IDLE, ANSWER));
  }

  private static void advance(MachineBed bed, long nanos) {
    bed.now += nanos;
    bed.deadlines.advance(bed.now);
    bed.settle();
  }

  @Test
  @DisplayName("B-101: a silent peer is asked by a Read of nothing, which takes no credit")
  void readOfNothing() {
    MachineBed bed = bed(false, 4);
    advance(bed, IDLE - 1);
    assertThat(bed.emptyReads).isZero();
    advance(bed, 1);
    assertThat(bed.emptyReads).isEqualTo(1);
    advance(bed, ANSWER);
    assertThat(bed.disconnected).isEmpty();
    // It is asked again, and again answers.
    advance(bed, IDLE);
    advance(bed, ANSWER);
    assertThat(bed.emptyReads).isEqualTo(2);
    assertThat(bed.disconnected).isEmpty();
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.regions).isZero();
  }

  /** Fails if anything but the call's own deadline ends a call whose peer is alive. */
  @Test
  @DisplayName("R-350: a call waits as long as its caller does, for a peer that is alive")
  void patience() {
    MachineBed bed = bed(true, 4);
    MachineBed.Heard outcome = new MachineBed.Heard();
    long day = 24 * 3600 * MachineBed.SECOND;
    bed.machine.call(new TestCall(Said.nothing(4), outcome).carried(), bed.now + day);
    bed.settle();
    while (bed.now < day - IDLE - ANSWER) {
      advance(bed, IDLE);
      advance(bed, ANSWER);
    }
    assertThat(outcome.events).isEmpty();
    assertThat(bed.disconnected).isEmpty();
    bed.receive("51000000 00000001 00000001 00000000" + MachineBed.NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000 00000007");
    assertThat(outcome.events).containsExactly("reply 00000007");
    bed.lose("the end");
  }

  @Test
  @DisplayName("Memory for the Read that comes when the connection is lost is freed")
  void memoryAfterLoss() {
    MachineBed bed = bed(false, 4);
    bed.memoryHeld = true;
    advance(bed, IDLE);
    bed.lose("cut");
    bed.releaseMemory();
    assertThat(bed.emptyReads).isZero();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("B-101 R-159: without an answer the connection ends, even with all credits taken")
  void deaf() {
    MachineBed bed = bed(true, 4);
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.handle(outcome, 4);
    bed.held = true;
    advance(bed, IDLE);
    assertThat(bed.emptyReads).isEqualTo(1);
    assertThat(bed.disconnected).isEmpty();
    advance(bed, ANSWER);
    assertThat(bed.disconnected).contains("no sign of life");
  }

  @Test
  @DisplayName("B-101 R-320: a Read of nothing that is late keeps its memory, and no second one goes out")
  void oneReadAtATime() {
    MachineBed bed = bed(false, 4);
    bed.held = true;
    advance(bed, IDLE);
    // The peer is alive, but its device has other Reads to serve first.
    bed.receive("00000001 00000001 00000001 00000003");
    advance(bed, ANSWER);
    for (int i = 0; i < 3; i++) {
      advance(bed, IDLE);
      bed.receive("00000001 00000001 00000001 00000003");
      advance(bed, ANSWER);
    }
    assertThat(bed.emptyReads).isEqualTo(1);
    assertThat(bed.regions).isEqualTo(1);
    bed.held = false;
    bed.settle();
    assertThat(bed.regions).isZero();
    assertThat(bed.disconnected).isEmpty();
  }

  @Test
  @DisplayName("B-101: a peer that could not be asked, since memory is late, is not blamed")
  void memoryIsLate() {
    MachineBed bed = bed(false, 4);
    bed.memoryHeld = true;
    advance(bed, IDLE);
    advance(bed, ANSWER);
    advance(bed, IDLE);
    advance(bed, ANSWER);
    assertThat(bed.disconnected).isEmpty();
    bed.held = true;
    bed.releaseMemory();
    assertThat(bed.emptyReads).isEqualTo(1);
    untilDisconnected(bed, 2 * IDLE);
    assertThat(bed.disconnected).contains("no sign of life");
    bed.held = false;
    bed.settle();
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("B-101: a large Read that goes on is a sign of life, though nothing has completed; one that does not"
      + " is none")
  void servesALargeRead() {
    long idle = 2 * MachineBed.SECOND;
    long answer = MachineBed.SECOND;
    MachineBed bed = MachineBed.withLiveness(false, 1, new Liveness(idle, answer));
    bed.held = true;
    bed.receive("11111111 00000001 00000020 00000000 00000001 0000002c 000000aa 00010000 00000000 00000000"
        + MachineBed.NO_LISTS + "11111111" + MachineBed.CALL + "00010000");
    advance(bed, idle);
    for (int i = 0; i < 2; i++) {
      bed.bytesRead += 1000;
      advance(bed, answer);
      assertThat(bed.disconnected).isEmpty();
      advance(bed, idle);
    }
    advance(bed, answer);
    assertThat(bed.disconnected).contains("no sign of life");
    bed.held = false;
    bed.settle();
  }

  @Test
  @DisplayName("B-101: a Read that is complete counts from when it was")
  void servedARead() {
    MachineBed bed = bed(false, 1);
    advance(bed, IDLE / 2);
    bed.receive("11111111 00000001 00000020 00000000 00000001 0000002c 000000aa 00000004 00000000 00000000"
        + MachineBed.NO_LISTS + "11111111" + MachineBed.CALL + "00000004");
    bed.incoming.remove(0).reply(writer -> writer.int32(7));
    bed.settle();
    advance(bed, IDLE / 2);
    advance(bed, IDLE / 2 - 1);
    assertThat(bed.emptyReads).isZero();
    advance(bed, 1);
    assertThat(bed.emptyReads).isEqualTo(1);
  }

  @Test
  @DisplayName("B-101: a device that serves Reads is a sign of life, though the Read of nothing waits")
  void servesOtherReads() {
    MachineBed bed = bed(false, 1);
    bed.held = true;
    StringBuilder call = new StringBuilder("11111111 00000001 00000020 00000000");
    for (int i = 0; i < 4; i++) {
      call.append("00000001 0000002c 000000aa 00000008 00000000 00000000");
    }
    bed.receive(call + MachineBed.NO_LISTS + "11111111" + MachineBed.CALL + "00000020");
    advance(bed, IDLE / 2);
    bed.answer();
    advance(bed, IDLE / 2);
    bed.answer();
    advance(bed, ANSWER);
    assertThat(bed.disconnected).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(bed.incoming).hasSize(1);
    bed.endServices();
  }

  @Test
  @DisplayName("A peer that sends is not asked")
  void heard() {
    MachineBed bed = bed(false, 4);
    for (int i = 0; i < 5; i++) {
      advance(bed, IDLE - 1);
      bed.receive("00000001 00000001 00000001 00000003");
    }
    assertThat(bed.emptyReads).isZero();
    assertThat(bed.disconnected).isEmpty();
  }

  /** Fails if {@code KeepAlive.expired} forgets a message that came after the peer was asked. */
  @Test
  @DisplayName("A peer that has sent since it was asked is not asked before it is silent for as long again")
  void heardSince() {
    MachineBed bed = bed(false, 4);
    advance(bed, IDLE);
    advance(bed, ANSWER - 1);
    bed.receive("00000001 00000001 00000001 00000003");
    advance(bed, 1);
    advance(bed, IDLE - 2);
    assertThat(bed.emptyReads).isEqualTo(1);
    advance(bed, 1);
    assertThat(bed.emptyReads).isEqualTo(2);
    assertThat(bed.disconnected).isEmpty();
  }

  @Test
  @DisplayName("A server without Reads, as Linux's, is called NULL")
  void nullCall() {
    MachineBed bed = bed(true, 0);
    advance(bed, IDLE);
    int xid = MachineBed.FIRST_XID;
    assertThat(bed.takeSent()).containsExactly(NULL_CALL.formatted(xid, xid));
    // PROG_UNAVAIL is an answer.
    bed.receive("%08x 00000001 00000003 00000000 00000000 00000000 00000000 %08x 00000001 00000000 "
        .formatted(xid, xid) + "00000000 00000000 00000001");
    advance(bed, ANSWER);
    assertThat(bed.disconnected).isEmpty();
    advance(bed, IDLE);
    assertThat(bed.takeSent()).hasSize(1);
    advance(bed, ANSWER);
    assertThat(bed.disconnected).contains("no sign of life");
  }

  @Test
  @DisplayName("R-224: a server that can ask nothing of a silent client sends nothing, and ends the connection"
      + " when nothing is being served; a client that calls now and then keeps it")
  void silentClient() {
    long idle = 2 * MachineBed.SECOND;
    long answer = MachineBed.SECOND;
    MachineBed bed = MachineBed.withLiveness(false, 0, new Liveness(idle, answer));
    for (int i = 0; i < 10; i++) {
      advance(bed, idle);
      bed.receive("00000001 00000001 00000001 00000003");
    }
    assertThat(bed.disconnected).isEmpty();
    bed.receive("11111111 00000001 00000001 00000000" + MachineBed.NO_LISTS + "11111111"
        + MachineBed.CALL);
    // Its service is at work: the client may well wait for that.
    for (int i = 0; i < 6; i++) {
      advance(bed, answer);
    }
    assertThat(bed.disconnected).isEmpty();
    bed.endServices();
    assertThat(bed.takeSent()).hasSize(1);
    advance(bed, answer);
    assertThat(bed.disconnected).contains("silent");
    assertThat(bed.takeSent()).isEmpty();
  }

  @Test
  @DisplayName("B-101 R-023: credits that are all held by calls given up end a connection whose device still"
      + " serves Reads; a message that comes is a sign of life")
  void uselessLife() {
    MachineBed bed = bed(true, 4);
    MachineBed.Heard outcome = bed.call(4);
    advance(bed, 5 * MachineBed.SECOND);
    assertThat(outcome.events).containsExactly("TIMEOUT");
    MachineBed.Heard waits = bed.call(4);
    advance(bed, 5 * MachineBed.SECOND);
    assertThat(waits.events).containsExactly("TIMEOUT");
    assertThat(bed.emptyReads).isEqualTo(1);
    bed.receive("00000001 00000001 00000001 00000003");
    long since = bed.now;
    untilDisconnected(bed, 2 * IDLE);
    assertThat(bed.disconnected).contains("given up");
    assertThat(bed.now - since).isGreaterThanOrEqualTo(IDLE + ANSWER);
  }

  private static void untilDisconnected(MachineBed bed, long most) {
    long end = bed.now + most;
    while (bed.disconnected.isEmpty() && bed.now < end) {
      advance(bed, MachineBed.SECOND);
    }
  }

  @Test
  @DisplayName("B-101 R-023: a server's own calls, given up, end a connection only if others wait behind them")
  void stuckReverseCalls() {
    MachineBed bed = bed(false, 4);
    bed.call(4);
    advance(bed, 5 * MachineBed.SECOND);
    untilDisconnected(bed, 10 * IDLE);
    assertThat(bed.disconnected).isEmpty();
    while (bed.disconnected.isEmpty() && bed.now < 15 * IDLE) {
      bed.call(4);
      advance(bed, MachineBed.SECOND);
    }
    assertThat(bed.disconnected).contains("given up");
  }

  @Test
  @DisplayName("B-101 R-023: a connection whose credits are all held by calls given up is ended")
  void allCreditsLost() {
    MachineBed bed = bed(true, 0);
    MachineBed.Heard outcome = bed.call(4);
    bed.takeSent();
    // Its deadline is after five seconds.
    advance(bed, 5 * MachineBed.SECOND);
    assertThat(outcome.events).containsExactly("TIMEOUT");
    assertThat(bed.disconnected).isEmpty();
    advance(bed, IDLE);
    assertThat(bed.disconnected).contains("given up");
  }

  @Test
  @DisplayName("B-101 R-023: so is one whose credit went to an optional type that is never answered")
  void allCreditsLostToProbes() {
    MachineBed bed = bed(true, 0);
    bed.machine.extension(7, new byte[HeaderExtension.SAFE_LENGTH], new ExtensionListener() {
      @Override
      public void answered(ByteBuffer body) {}

      @Override
      public void unsupported() {}

      @Override
      public void failed(Outcome.Failed failure) {}
    }, bed.now + MachineBed.SECOND);
    bed.settle();
    advance(bed, MachineBed.SECOND);
    assertThat(bed.disconnected).isEmpty();
    advance(bed, IDLE);
    advance(bed, ANSWER);
    assertThat(bed.disconnected).contains("given up");
  }
}
