// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GIVE_UP: callers wait no longer, the peer hears, and callers who have lent memory wait for its answer. */
class RequesterGivingUpTest extends GivingUpBed {

  private static final int FIRST = MachineBed.FIRST_XID;
  private static final int SECOND_CALL = FIRST + 1;
  private static final long CONFIRMATION = TimeUnit.MILLISECONDS.toNanos(100);

  private final SimulatedMemory.AppItem target = new SimulatedMemory.AppItem(new byte[1500]);
  private final MachineBed.Heard outcome = new MachineBed.Heard();

  private void open(boolean metadata) {
    bed = new MachineBed(MachineBed.like(true).metadata(metadata));
  }

  private MachineBed.Heard cancelled() {
    MachineBed.Heard heard = new MachineBed.Heard();
    bed.handle(heard, 4).cancel(bed.now);
    bed.settle();
    assertThat(heard.events).containsExactly("CANCELLED");
    return heard;
  }

  /** Cancels so many calls at once, and returns their XIDs. */
  private int[] cancelled(int count) {
    bed.call(4);
    bed.receive(success(FIRST, 4));
    List<TestCall> calls = Stream.generate(() -> bed.handle(new MachineBed.Heard(), 4)).limit(count).toList();
    int[] xids = bed.takeSent().stream().skip(1).mapToInt(GivingUpBed::xid).toArray();
    calls.forEach(call -> call.cancel(bed.now));
    bed.settle();
    return xids;
  }

  private TestCall lending() {
    TestCall call = new TestCall(
        Said.of(new XdrWriter().int32(1), List.of(new Said.Room(1500, Optional.of(target))), 8), outcome);
    bed.machine.call(call.carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    bed.takeSent();
    return call;
  }

  private void pass(long nanos) {
    bed.now += nanos;
    bed.deadlines.advance(bed.now);
    bed.settle();
  }

  private List<String> giveUps() {
    return bed.takeSent().stream().filter(message -> message.contains(words(GIVE_UP))).toList();
  }

  @Test
  @DisplayName("A call that is cancelled when the peer has it is given up there, by a call of the control program")
  void told() {
    open(true);
    cancelled();
    assertThat(giveUps()).containsExactly(giveUp(SECOND_CALL, 4, FIRST));
  }

  @Test
  @DisplayName("R-024: GIVE_UP needs none of the credits that calls have")
  void withoutCredit() {
    open(true);
    cancelled();
    MachineBed.Heard waiting = bed.call(4);
    assertThat(bed.takeSent()).as("one credit, which the cancelled call holds").hasSize(2);
    bed.receive(success(SECOND_CALL, 4));
    assertThat(bed.takeSent()).as("the reply to GIVE_UP grants credits as any other").hasSize(1);
    assertThat(waiting.events).isEmpty();
  }

  @Test
  @DisplayName("R-045: one GIVE_UP at a time names all that was cancelled since the last one")
  void together() {
    open(true);
    int[] xids = cancelled(3);
    List<String> first = giveUps();
    assertThat(first).hasSize(1);
    assertThat(first.get(0)).isEqualTo(giveUp(xid(first.get(0)), 4, xids[0]));
    bed.receive(success(xid(first.get(0)), 4));
    List<String> second = giveUps();
    assertThat(second).hasSize(1);
    assertThat(second.get(0)).isEqualTo(giveUp(xid(second.get(0)), 4, xids[1], xids[2]));
  }

  @Test
  @DisplayName("What has its reply before GIVE_UP can be sent is not named")
  void answeredMeanwhile() {
    open(true);
    int[] xids = cancelled(2);
    int giveUp = xid(giveUps().get(0));
    bed.receive(success(xids[1], 4));
    bed.receive(success(giveUp, 4));
    assertThat(giveUps()).isEmpty();
  }

  @Test
  @DisplayName("A peer that takes no metadata is told nothing, and nobody waits for it")
  void others() {
    open(false);
    cancelled();
    TestCall call = lending();
    bed.receive(success(FIRST, 4).replace(" " + BLOCK, ""));
    call.cancel(bed.now);
    bed.settle();
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(giveUps()).isEmpty();
  }

  @Test
  @DisplayName("Nothing is told of a call that has not been sent, or that has lent nothing and whose time is over")
  void notSent() {
    open(true);
    MachineBed.Heard first = bed.call(4);
    cancelled();
    pass(5 * MachineBed.SECOND);
    assertThat(first.events).containsExactly("TIMEOUT");
    assertThat(giveUps()).isEmpty();
  }

  /** Fails if {@code AbandonedCall.whileSent} does not wait. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("R-326: who has lent memory gets it back when the peer has confirmed that it uses it no more")
  void confirmed(boolean cancelled) {
    open(true);
    TestCall call = lending();
    if (cancelled) {
      call.cancel(bed.now);
      bed.settle();
    } else {
      pass(5 * MachineBed.SECOND);
    }
    assertThat(giveUps()).containsExactly(giveUp(SECOND_CALL, 4, FIRST));
    assertThat(outcome.events).isEmpty();
    assertThat(bed.revoked).isEmpty();
    bed.receive(success(SECOND_CALL, 4));
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(outcome.events).containsExactly(cancelled ? "CANCELLED" : "TIMEOUT");
  }

  @Test
  @DisplayName("R-326: its reply, which may invalidate the lent memory, confirms as well")
  void repliedMeanwhile() {
    bed = new MachineBed(MachineBed.like(true).metadata(true).remoteInvalidation(true));
    TestCall call = lending();
    call.cancel(bed.now);
    bed.settle();
    bed.receive("51000000 00000001 00000004 00000000 00000000 00000001 00000001 00001001 00000000 00000000 00000000"
        + "00000000 00000000 51000000 00000001 00000000 00000000 00000000 00000005" + BLOCK, OptionalInt.of(0x1001));
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(bed.disconnected).isEmpty();
    assertThat(bed.revoked).isEmpty();
    bed.receive(success(SECOND_CALL, 4));
    assertThat(outcome.events).hasSize(1);
  }

  /** Fails if {@code AbandonedCall.tellUnconfirmed} sets nothing aside. */
  @Test
  @DisplayName("R-172: memory of the pool is set aside when the lent memory has been given back")
  void poolAfterwards() {
    open(true);
    TestCall call = new TestCall(
        Said.of(new XdrWriter().int32(1), List.of(new Said.Room(1500, Optional.of(target))), 2000), outcome);
    bed.machine.call(call.carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    call.cancel(bed.now);
    bed.settle();
    bed.receive(success(SECOND_CALL, 4));
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(bed.machine.bytesSetAside()).isPositive();
    pass(100 * MachineBed.SECOND);
    assertThat(bed.machine.bytesSetAside()).isZero();
    assertThat(bed.revoked).containsExactly("1001", "1002");
  }

  /** Fails if {@code ControlCalls.pump} sends GIVE_UP first. */
  @Test
  @DisplayName("LEAVING goes before calls that are given up")
  void leavingFirst() {
    bed = new MachineBed(MachineBed.like(false).metadata(true));
    int[] xids = cancelled(2);
    String first = giveUps().get(0);
    bed.machine.close(bed.now);
    bed.settle();
    bed.receive(success(xid(first), 4));
    assertThat(bed.takeSent()).singleElement().asString().contains("2006f000 00000001 00000004");
    assertThat(xids).hasSize(2);
  }

  /** Fails if {@code AbandonedCall.expired} does not tell. */
  @ParameterizedTest
  @ValueSource(strings = {"", "refused", "unsound"})
  @DisplayName("R-326: a peer that does not confirm is waited for 100 ms, and no longer")
  void unconfirmed(String answer) {
    open(true);
    TestCall call = lending();
    call.cancel(bed.now);
    bed.settle();
    if (answer.equals("refused")) {
      bed.receive(success(SECOND_CALL, 4).replace("00000000 " + BLOCK, "00000005 " + BLOCK));
    } else if (answer.equals("unsound")) {
      bed.receive("%08x 00000001 00000004 00000004 00000002".formatted(SECOND_CALL));
    }
    pass(CONFIRMATION - 1);
    assertThat(outcome.events).isEmpty();
    pass(1);
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(bed.revoked).containsExactly("1001");
  }

  /** Fails if {@code ControlCalls.refused} does not end the call. */
  @Test
  @DisplayName("A GIVE_UP that is answered by an error keeps no other back")
  void afterError() {
    open(true);
    int[] xids = cancelled(2);
    bed.receive("%08x 00000001 00000004 00000004 00000002".formatted(xid(giveUps().get(0))));
    assertThat(giveUps()).singleElement().asString().contains("%08x".formatted(xids[1]));
  }

  /** Fails if {@code MessageRouter.fault} does not know that an answer is awaited. */
  @Test
  @DisplayName("R-143: a server takes what cannot be decoded for the answer to its GIVE_UP, and answers nothing")
  void undecodable() {
    bed = new MachineBed(MachineBed.like(false).metadata(true));
    cancelled();
    assertThat(giveUps()).hasSize(1);
    bed.receive("%08x 00000001 00000004 00000000 00000007".formatted(SECOND_CALL) + NO_LISTS);
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.disconnected).isEmpty();
  }

  /** Fails if {@code OutboundCall.cancel} does not know that the connection is lost. */
  @Test
  @DisplayName("A call that another one's outcome cancels while the connection is being lost has one outcome")
  void cancelledByLoss() {
    open(true);
    bed.call(4);
    bed.receive(success(FIRST, 4));
    TestCall[] second = new TestCall[1];
    MachineBed.Heard first = new MachineBed.Heard() {
      @Override
      public void failed(Outcome.Failed cause) {
        super.failed(cause);
        second[0].cancel(bed.now);
      }
    };
    bed.handle(first, 4);
    second[0] = bed.handle(outcome, 4);
    bed.lose("gone");
    assertThat(outcome.events).containsExactly("CONNECTION_LOST");
  }

  /** Fails if {@code Requester.drain} tells calls that have their outcome. */
  @Test
  @DisplayName("So has one that another one's outcome cancels while the connection is being closed")
  void cancelledByClose() {
    open(true);
    bed.call(4);
    TestCall[] second = new TestCall[1];
    MachineBed.Heard first = new MachineBed.Heard() {
      @Override
      public void failed(Outcome.Failed cause) {
        super.failed(cause);
        second[0].cancel(bed.now);
      }
    };
    bed.handle(first, 4);
    second[0] = bed.handle(outcome, 4);
    bed.machine.close(bed.now);
    assertThat(outcome.events).containsExactly("CANCELLED");
  }

  @Test
  @DisplayName("R-326: the end of the connection ends the wait")
  void lost() {
    open(true);
    TestCall call = lending();
    call.cancel(bed.now);
    bed.settle();
    bed.lose("gone");
    bed.settle();
    assertThat(outcome.events).containsExactly("CANCELLED");
  }

  @Test
  @DisplayName("R-029: an end that takes metadata has one Receive for the peer's GIVE_UP or LEAVING, and one for the"
      + " reply to its own")
  void receives() {
    bed = new MachineBed(MachineBed.like(false));
    assertThat(ConnectionSettings.receives(2, 3, false, true)).isEqualTo(8);
    assertThat(ConnectionSettings.receives(2, 3, true, true)).isEqualTo(11);
    assertThat(TestSettings.of(false).credits(2, 3).metadata(true).build().receives()).isEqualTo(8);
  }
}
