// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of the server (RFC 8167), as the client's machine sees them, and as the server's does. */
class ReverseDirectionTest {

  private static final String GOOD_CALL =
      "11111111 00000001 00000002 00000000" + NO_LISTS + "11111111" + CALL;

  private static String reply(int xid, int credits) {
    return ("%1$08x 00000001 %2$08x 00000000" + NO_LISTS + "%1$08x 00000001 00000000 00000000"
        + "00000000 00000000 00000001").formatted(xid, credits);
  }

  @Test
  @DisplayName("R-226 R-227: a call of the server has an XID of its own, and asks for its own credits")
  void call() {
    MachineBed bed = new MachineBed(false);
    MachineBed.Heard outcome = bed.call(4);
    assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000004 00000000 00000000"
        + " 00000000 00000000 51000000 00000000 00000002 00000009 00000001 00000005 00000000"
        + " 00000000 00000000 00000000 0000abcd");
    bed.receive(reply(0x51000000, 1));
    assertThat(outcome.events).containsExactly("reply 00000001");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-221 R-227 R-228: one XID both ways at a time stands for two calls")
  void sameXids() {
    for (boolean client : new boolean[] {true, false}) {
      MachineBed bed = new MachineBed(client);
      MachineBed.Heard outcome = bed.call(4);
      bed.takeSent();
      bed.receive(GOOD_CALL.replace("11111111", "51000000"));
      bed.incoming.remove(0).reply(writer -> writer.int32(7));
      bed.settle();
      assertThat(bed.takeSent()).containsExactly("51000000 00000001 00000003 00000000 00000000"
          + " 00000000 00000000 51000000 00000001 00000000 00000000 00000000 00000000 00000007");
      assertThat(outcome.events).isEmpty();
      bed.receive(reply(0x51000000, 1));
      assertThat(outcome.events).containsExactly("reply 00000001");
      bed.checkAtRest();
    }
  }

  @Test
  @DisplayName("R-141 R-238 B-088: a message that ends before its direction is told is no reverse call")
  void shortMessages() {
    // What a Receive held before must not be taken for the rest of a shorter message.
    ByteBuffer stale = ByteBuffer.allocate(1024);
    int words = 12;
    for (int flags = 0; flags < 1 << (words - 4); flags++) {
      MachineBed bed = new MachineBed(true);
      stale.clear().putInt(0x11111111).putInt(1).putInt(2).putInt(0);
      for (int word = 0; word < words - 4; word++) {
        stale.putInt(flags >>> word & 1);
      }
      for (int length = 0; length <= 4 * words; length++) {
        bed.receive(stale.slice(0, length), OptionalInt.empty());
        assertThat(bed.incoming).as("%x, %d bytes", flags, length).isEmpty();
      }
      bed.takeSent();
      bed.receive(GOOD_CALL);
      assertThat(bed.incoming).hasSize(1);
      bed.lose("the end");
      bed.settle();
      bed.checkAtRest();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @DisplayName("B-090: a reply whose Send completes after service has ended is given back all the same")
  void lateReply(int answersBefore) {
    MachineBed bed = new MachineBed(true);
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(new byte[1000]);
    bed.receive("11111111 00000001 00000002 00000000 00000000 00000001 00000001 0000aaaa 00000800"
        + "00000000 00000000 00000000 00000000 11111111" + CALL);
    bed.held = true;
    bed.incoming.remove(0).reply(writer -> writer.dataItem(item));
    bed.machine.close(bed.now);
    for (int i = 0; i < answersBefore; i++) {
      bed.answer();
    }
    bed.now += 2 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.held = false;
    bed.settle();
    assertThat(bed.disconnected).isNotEmpty();
    assertThat(item.owners).isZero();
    bed.checkAtRest();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  @DisplayName("B-093: a client that falls silent in any phase of a reverse call holds up no close")
  void silentClient(int answers) {
    MachineBed bed = new MachineBed(false);
    bed.held = true;
    MachineBed.Heard first = bed.call(2000, 1500);
    MachineBed.Heard waiting = bed.call(4);
    for (int i = 0; i < answers; i++) {
      if (i == 3) {
        // Exposed, exposed, sent: now both are revoked.
        bed.receive(reply(MachineBed.FIRST_XID, 1));
      }
      bed.answer();
    }
    bed.machine.close(bed.now);
    bed.now += 2 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(bed.disconnected).isNotEmpty();
    bed.held = false;
    bed.settle();
    assertThat(first.events).hasSize(1);
    assertThat(waiting.events).hasSize(1);
    bed.checkAtRest();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "51000000 00000001 00000001 00000000" + NO_LISTS + "51000000 00000001 00000000 00000000"
          + "00000000 00000000 00000001",
      "51000000 00000001 00000001 00000000" + NO_LISTS + "51000000 00000001 00000009 00000000 00000000",
      "51000000 00000001 00000001 00000000 00000005 00000000 00000000",
      "51000000 00000001 00000001 00000063" + NO_LISTS,
      "51000000 00000001 00000001 00000002" + NO_LISTS,
      "51000000 00000002 00000001 00000000" + NO_LISTS,
      "51000000 00000001 00000001 00000004 00000002",
      "51000000 00000001 00000001 00000004 00000001 00000001 00000001"})
  @DisplayName("R-028 R-035 B-053: however the call with the only credit ends, the next one goes")
  void onlyCredit(String ending) {
    MachineBed bed = new MachineBed(true);
    bed.call(4);
    bed.call(4);
    bed.receive(GOOD_CALL);
    bed.incoming.remove(0).reply(writer -> writer.int32(1));
    bed.settle();
    assertThat(bed.takeSent()).as("the first call, and a reply, which takes no credit").hasSize(2);
    bed.receive("51000000 00000001 00000004 00000003");
    assertThat(bed.takeSent()).as("RDMA_DONE ends nothing").isEmpty();
    bed.receive(ending);
    assertThat(bed.takeSent()).as("the second call").hasSize(1);
    bed.receive(reply(MachineBed.FIRST_XID + 1, 1));
    bed.checkAtRest();
  }

  @ParameterizedTest
  @ValueSource(strings = {"51000000 00000001 00000001 00000007",
      "51000000 00000001 00000001 00000004 00000002"})
  @DisplayName("R-303 B-053: so does the next call after a message of an optional type")
  void onlyCreditForAnExtension(String answer) {
    MachineBed bed = new MachineBed(true);
    ExtensionOutcome outcome = new ExtensionOutcome();
    bed.machine.extension(7, new byte[0], outcome, Long.MAX_VALUE);
    bed.settle();
    bed.call(4);
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(answer);
    assertThat(outcome.events).singleElement().asString().containsAnyOf("answered", "unsupported");
    assertThat(bed.takeSent()).as("the call").hasSize(1);
    bed.receive(reply(MachineBed.FIRST_XID + 1, 1));
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-037 R-222 B-092: a thousand calls, never more at a time than were granted")
  void grant() {
    MachineBed bed = new MachineBed(false);
    int granted = 3;
    int left = 1000;
    ArrayDeque<String> unanswered = new ArrayDeque<>();
    while (left > 0 || bed.machine.pendingCalls() > 0) {
      for (; left > 0 && bed.machine.pendingCalls() < 8; left--) {
        bed.call(4);
      }
      unanswered.addAll(bed.takeSent());
      assertThat(unanswered).hasSizeLessThanOrEqualTo(bed.machine.grantedCredits());
      assertThat(unanswered).extracting(call -> call.substring(0, 8)).doesNotHaveDuplicates();
      int xid = Integer.parseUnsignedInt(unanswered.remove().substring(0, 8), 16);
      bed.receive(reply(xid, granted));
    }
    assertThat(bed.machine.grantedCredits()).isEqualTo(granted);
    bed.checkAtRest();
  }
}
