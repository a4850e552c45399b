// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is asked of a connection that takes nothing more, or has no room for more, fails at once. */
class EndedConnectionTest {

  private final MachineBed bed = new MachineBed(true);

  @Test
  @DisplayName("A call over a connection that is closed, or is being closed, fails as CLOSED")
  void closed() {
    MachineBed.Heard first = bed.call(4);
    bed.machine.close(bed.now);
    bed.machine.close(bed.now);
    assertThat(bed.call(4).events).containsExactly("CLOSED");
    bed.receive("51000000 00000001 00000003 00000000" + NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000 00000007");
    assertThat(first.events).containsExactly("reply 00000007");
    assertThat(bed.disconnected).isEqualTo("Closed");
    MachineBed.Heard last = new MachineBed.Heard();
    bed.handle(last, 4).cancel(bed.now);
    assertThat(last.events).as("one outcome, cancelled or not").hasSize(1);
    bed.checkAtRest();
  }

  @Test
  @DisplayName("A call over a lost connection fails as CONNECTION_LOST, and was not sent")
  void lost() {
    bed.lose("cut");
    bed.lose("cut again");
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.handle(outcome, 4).cancel(bed.now);
    assertThat(outcome.events).containsExactly("CONNECTION_LOST");
    assertThat(bed.sent).isEmpty();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("A connection that is closed before it is up ends at once")
  void neverUp() {
    MachineBed early = MachineBed.notEstablished(CallHistory.NONE);
    early.machine.close(early.now);
    assertThat(early.disconnected).isEqualTo("Closed before it was established");
  }

  @Test
  @DisplayName("Calls beyond those that may wait for a credit fail as RESOURCES; repetitions never do")
  void queueIsFull() {
    for (int i = 0; i < 1 + 8; i++) {
      assertThat(bed.call(4).events).isEmpty();
    }
    assertThat(bed.machine.pendingCalls()).isEqualTo(9);
    MachineBed.Heard refused = new MachineBed.Heard();
    bed.handle(refused, 4).cancel(bed.now);
    assertThat(refused.events).containsExactly("RESOURCES");
    MachineBed.Heard repeated = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.nothing(4), repeated).again().carried(), bed.now + MachineBed.SECOND);
    assertThat(repeated.events).isEmpty();
    bed.lose("cut");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("Messages of other header types beyond those that may wait fail as RESOURCES")
  void extensionsWait() {
    bed.call(4);
    ExtensionOutcome waiting = new ExtensionOutcome();
    for (int i = 0; i < 8; i++) {
      bed.machine.extension(9, new byte[12], waiting, bed.now + MachineBed.SECOND);
    }
    assertThat(waiting.events).isEmpty();
    ExtensionOutcome refused = new ExtensionOutcome();
    bed.machine.extension(9, new byte[12], refused, bed.now + MachineBed.SECOND);
    assertThat(refused.events).containsExactly("RESOURCES");
    assertThat(waiting.events).isEmpty();
  }

  @Test
  @DisplayName("When the connection is lost, messages of other header types fail, sent or not, and give their"
      + " XIDs back")
  void extensionsEnd() {
    ExtensionOutcome sent = new ExtensionOutcome();
    ExtensionOutcome unsent = new ExtensionOutcome();
    bed.machine.extension(9, new byte[12], sent, bed.now + MachineBed.SECOND);
    bed.settle();
    assertThat(bed.sent).hasSize(1);
    assertThat(bed.xids.inUse()).isEqualTo(1);
    bed.machine.extension(9, new byte[12], unsent, bed.now + MachineBed.SECOND);
    bed.lose("cut");
    assertThat(sent.events).containsExactly("CONNECTION_LOST, sent");
    assertThat(unsent.events).containsExactly("CONNECTION_LOST");
    assertThat(bed.xids.inUse()).isZero();
    bed.checkAtRest();
  }

  /** Takes XIDs over, or does not. */
  private static final class Keeping extends MachineBed.Heard {

    private final boolean takes;
    private final List<Integer> kept = new ArrayList<>();

    Keeping(boolean takes) {
      this.takes = takes;
    }

    @Override
    public boolean sendsAgain() {
      return takes;
    }

    @Override
    public void kept(int xid) {
      kept.add(xid);
    }
  }

  @Test
  @DisplayName("R-159 R-222: who may send a call again takes its XID over; of what was not sent, or is not"
      + " wanted, the XID is free")
  void xidsOfLostCalls() {
    Keeping wanted = new Keeping(true);
    Keeping unwanted = new Keeping(false);
    Keeping unsent = new Keeping(true);
    bed.handle(wanted, 4);
    bed.receive("51000000 00000001 00000004 00000000" + NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000 00000007");
    assertThat(wanted.kept).as("it has its reply").isEmpty();
    bed.handle(wanted, 4);
    bed.handle(unwanted, 4);
    bed.memoryHeld = true;
    bed.handle(unsent, 2000);
    assertThat(bed.xids.inUse()).isEqualTo(3);
    bed.lose("cut");
    bed.releaseMemory();
    assertThat(wanted.kept).hasSize(1);
    assertThat(unwanted.kept).isEmpty();
    assertThat(unsent.kept).isEmpty();
    assertThat(bed.xids.inUse()).as("that of the call that may be sent again").isEqualTo(1);
  }

  @Test
  @DisplayName("R-159: a call that was sent before keeps its XID when its connection takes it no more")
  void xidOfRepetition() {
    Keeping repeated = new Keeping(true);
    TestCall call = new TestCall(Said.nothing(4), repeated).sentBefore(bed.xids);
    bed.call(4);
    bed.machine.call(call.carried(), bed.now + MachineBed.SECOND);
    bed.machine.close(bed.now);
    assertThat(repeated.events).containsExactly("CLOSED");
    assertThat(repeated.kept).containsExactly(MachineBed.FIRST_XID);
    assertThat(bed.xids.inUse()).as("it, and that of the call that is in flight").isEqualTo(2);
  }

  /** Fails if {@code OutboundCall.refuse} ends the XID of such a call: it would be executed twice. */
  @Test
  @DisplayName("R-159: a call that was sent before keeps its XID if the connection that it is given to ends")
  void xidOfRefusedRepetition() {
    for (boolean lost : new boolean[] {true, false}) {
      MachineBed ended = new MachineBed(true);
      if (lost) {
        ended.lose("cut");
      } else {
        ended.machine.fence("replaced");
      }
      Keeping repeated = new Keeping(true);
      ended.machine.call(new TestCall(Said.nothing(4), repeated).sentBefore(ended.xids).carried(),
          ended.now + MachineBed.SECOND);
      assertThat(repeated.events).containsExactly(lost ? "CONNECTION_LOST" : "CLOSED");
      assertThat(repeated.kept).containsExactly(MachineBed.FIRST_XID);
      assertThat(ended.xids.inUse()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("R-125: a reply that is nowhere, neither inline nor in its Reply chunk, fails its call")
  void replyNowhere() {
    MachineBed.Heard outcome = bed.call(2000);
    bed.receive("51000000 00000001 00000003 00000001 00000000 00000000 00000001 00000001 00001001 00000000"
        + "00000000 00000000");
    assertThat(outcome.events).containsExactly("BAD_REPLY");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("A connection tells what was agreed")
  void agreed() {
    assertThat(bed.machine.settings().creditsRequested()).isEqualTo(MachineBed.CREDITS);
    assertThat(bed.machine.settings().creditsGranted()).isEqualTo(MachineBed.GRANTED);
  }

  @Test
  @DisplayName("A rejection, with or without chunks, is told as it is, and ends the call")
  void rejected() {
    String denied = "00000001 00000001 00000000 00000002 00000002";
    MachineBed.Heard outcome = bed.call(4);
    bed.receive("51000000 00000001 00000003 00000000" + NO_LISTS + "51000000" + denied);
    assertThat(outcome.events).containsExactly(
        "rejected " + new ReplyHeader.RpcMismatch(MachineBed.FIRST_XID, 2, 2));
    MachineBed.Heard large = bed.call(2000);
    bed.receive("51000001 00000001 00000003 00000000 00000000 00000000 00000001 00000001 00001001 00000000"
        + "00000000 00000000 51000001" + denied);
    assertThat(large.events).containsExactly(
        "rejected " + new ReplyHeader.RpcMismatch(MachineBed.FIRST_XID + 1, 2, 2));
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-043: a call that no chunks can carry fails when its turn comes, and the next one is sent")
  void unplannable() {
    bed.call(4);
    MachineBed.Heard impossible = bed.call(Integer.MAX_VALUE - 4);
    MachineBed.Heard next = bed.call(4);
    bed.receive("51000000 00000001 00000003 00000000" + NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000 00000007");
    assertThat(impossible.events).containsExactly("RESOURCES");
    assertThat(next.events).isEmpty();
    assertThat(bed.takeSent()).hasSize(2);
    bed.receive("51000001 00000001 00000003 00000000" + NO_LISTS
        + "51000001 00000001 00000000 00000000 00000000 00000000 00000007");
    assertThat(next.events).containsExactly("reply 00000007");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-156: an item that cannot be registered: its call fails and is not sent, its reply is ERR_CHUNK")
  void itemsFail() {
    bed.itemsFail = true;
    MachineBed.Heard outcome = bed.call(new XdrWriter().dataItem(DataItem.of(new byte[2000])));
    assertThat(outcome.events).containsExactly("RESOURCES");
    assertThat(bed.sent).isEmpty();
    bed.checkAtRest();
    MachineBed server = new MachineBed(false);
    server.itemsFail = true;
    server.receive("11111111 00000001 00000020 00000000 00000000"
        + "00000001 00000001 0000aaaa 00001000 00000000 00000000 00000000 00000000 11111111" + CALL);
    server.incoming.remove(0).reply(writer -> writer.dataItem(DataItem.of(new byte[2000])));
    server.settle();
    assertThat(server.takeSent()).containsExactly("11111111 00000001 00000003 00000004 00000002");
    server.checkAtRest();
  }

  @Test
  @DisplayName("Memory that comes when the connection is lost is freed, and nothing is exposed")
  void memoryAfterLoss() {
    bed.memoryHeld = true;
    MachineBed.Heard outcome = bed.call(2000);
    bed.lose("cut");
    bed.releaseMemory();
    assertThat(outcome.events).containsExactly("CONNECTION_LOST");
    assertThat(bed.exposures()).isZero();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("A reply whose memory comes when the connection is lost is not sent, and frees it")
  void replyAfterLoss() {
    MachineBed server = new MachineBed(false);
    server.memoryHeld = true;
    server.receive("11111111 00000001 00000020 00000000 00000000 00000000"
        + "00000001 00000001 0000bbbb 00001000 00000000 00000000 11111111" + CALL);
    server.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    server.lose("cut");
    server.releaseMemory();
    assertThat(server.takeSent()).isEmpty();
    server.checkAtRest();
  }

  /** Fails if {@code ConnectionMachine.exposeFailed} tells nobody. */
  @Test
  @DisplayName("Memory that cannot be exposed fails its call as RESOURCES, as a lost connection if that is why")
  void notExposed() {
    bed.exposingFails = true;
    Keeping call = new Keeping(true);
    bed.handle(call, 2000);
    assertThat(call.events).containsExactly("RESOURCES");
    assertThat(call.kept).isEmpty();
    bed.ending = true;
    Keeping repeated = new Keeping(true);
    bed.machine.call(new TestCall(Said.nothing(2000), repeated).sentBefore(bed.xids).carried(),
        bed.now + MachineBed.SECOND);
    bed.settle();
    assertThat(repeated.events).containsExactly("CONNECTION_LOST");
    assertThat(repeated.kept).as("it was sent before").hasSize(1);
    assertThat(bed.xids.inUse()).isEqualTo(1);
    assertThat(bed.takeSent()).isEmpty();
    bed.checkAtRest();
  }

  /** Fails if {@code Requester.hasCredit} does not ask whether the connection is at its end. */
  @Test
  @DisplayName("Calls that wait for a connection which is at its end ask for no memory, and hear of the end")
  void notStartedAtTheEnd() {
    bed.exposingFails = true;
    bed.ending = true;
    bed.held = true;
    List<MachineBed.Heard> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(bed.call(2000));
    }
    int started = bed.exposuresAskedFor;
    assertThat(started).isBetween(1, 4);
    bed.held = false;
    bed.settle();
    assertThat(bed.exposuresAskedFor).isEqualTo(started);
    bed.lose("cut");
    assertThat(calls).allSatisfy(call -> assertThat(call.events).containsExactly("CONNECTION_LOST"));
    bed.checkAtRest();
  }

  @Test
  @DisplayName("Of several reasons why a call cannot be prepared the first one is told")
  void firstReason() {
    bed.itemsFail = true;
    bed.memoryFails = true;
    List<String> reasons = new ArrayList<>();
    FailedListener listener = failure -> reasons.add(failure.message());
    Said said = Said.of(new XdrWriter().dataItem(DataItem.of(new byte[2000])), List.of(), 2000);
    bed.machine.call(new TestCall(said, listener).carried(), bed.now + MachineBed.SECOND);
    assertThat(reasons).containsExactly("Not to be registered");
  }
}
