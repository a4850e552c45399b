// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.requester.CallFailure;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GIVE_UP: callers wait no longer, the peer hears, and says when it uses nothing of theirs any more. */
class GivingUpTest {

  /** Words behind the XID of a GIVE_UP, before the number of XIDs. */
  private static final String GIVE_UP = "00000000 00000002 2006f000 00000001 00000003 00000000 00000000 00000000"
      + " 00000000";
  private static final String BLOCK = "4d440000";

  private MachineBed bed;

  @AfterEach
  void nothingIsLeft() {
    bed.held = false;
    bed.settle();
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.releaseMemory();
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
  }

  private static String giveUp(int xid, int credits, int... given) {
    return words("%08x 00000001 %08x 00000000".formatted(xid, credits) + NO_LISTS + "%08x".formatted(xid) + GIVE_UP
        + "%08x".formatted(given.length) + Arrays.stream(given).mapToObj("%08x"::formatted)
        .collect(Collectors.joining()) + BLOCK);
  }

  private static String success(int xid, int credits) {
    return words("%08x 00000001 %08x 00000000".formatted(xid, credits) + NO_LISTS + "%08x".formatted(xid)
        + "00000001 00000000 00000000 00000000 00000000" + BLOCK);
  }

  private static int xid(String message) {
    return Integer.parseUnsignedInt(message.substring(0, 8), 16);
  }

  private static String words(String hex) {
    return String.join(" ", hex.replace(" ", "").split("(?<=\\G.{8})"));
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

  @Nested
  class TheRequester {

    private static final int FIRST = MachineBed.FIRST_XID;
    private static final int SECOND_CALL = FIRST + 1;
    private static final long CONFIRMATION = TimeUnit.MILLISECONDS.toNanos(100);

    private final SimulatedMemory.AppItem target = new SimulatedMemory.AppItem(new byte[1500]);
    private final MachineBed.Outcome outcome = new MachineBed.Outcome();

    private void open(boolean metadata) {
      bed = new MachineBed(MachineBed.like(true).metadata(metadata));
    }

    private MachineBed.Outcome cancelled() {
      MachineBed.Outcome heard = new MachineBed.Outcome();
      bed.handle(heard, 4).cancel(bed.now);
      bed.settle();
      assertThat(heard.events).containsExactly("CANCELLED");
      return heard;
    }

    /** Cancels so many calls at once, and returns their XIDs. */
    private int[] cancelled(int count) {
      bed.call(4);
      bed.receive(success(FIRST, 4));
      List<TestCall> calls = Stream.generate(() -> bed.handle(new MachineBed.Outcome(), 4)).limit(count).toList();
      int[] xids = bed.takeSent().stream().skip(1).mapToInt(GivingUpTest::xid).toArray();
      calls.forEach(call -> call.cancel(bed.now));
      bed.settle();
      return xids;
    }

    private TestCall lending() {
      TestCall call = new TestCall(
          Said.of(new XdrWriter().int32(1), List.of(new Said.Room(1500, Optional.of(target))), 8), outcome);
      bed.machine.call(call, bed.now + 5 * MachineBed.SECOND);
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
      MachineBed.Outcome waiting = bed.call(4);
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
      MachineBed.Outcome first = bed.call(4);
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
      bed.machine.call(call, bed.now + 5 * MachineBed.SECOND);
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
      MachineBed.Outcome first = new MachineBed.Outcome() {
        @Override
        public void failed(CallFailure cause) {
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
      MachineBed.Outcome first = new MachineBed.Outcome() {
        @Override
        public void failed(CallFailure cause) {
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
  }

  @Nested
  class TheResponder {

    private static final int XID = 0x3001;

    private final List<String> abandoned = new ArrayList<>();

    private void open(boolean metadata) {
      bed = new MachineBed(MachineBed.like(false).metadata(metadata).remoteInvalidation(true));
    }

    private void call(int xid) {
      call(xid, NO_LISTS);
    }

    private void call(int xid, String lists) {
      String number = "%08x ".formatted(xid);
      int served = bed.incoming.size();
      bed.receive(number + "00000001 00000020 00000000" + lists + number + CALL
          + (bed.machine.settings().metadata() ? BLOCK : ""));
      if (bed.incoming.size() > served) {
        bed.incoming.get(served).watchCaller(() -> abandoned.add(number.strip()));
      }
    }

    private void giveUpThem(int... xids) {
      bed.receive(giveUp(XID, 32, xids));
    }

    private List<String> xidsSent() {
      return bed.takeSent().stream().map(message -> message.substring(0, 8)).toList();
    }

    @Test
    @DisplayName("A call that is given up is answered at once, its service hears, and then GIVE_UP is answered")
    void heard() {
      open(true);
      call(0x1111);
      call(0x1112);
      giveUpThem(0x1112);
      assertThat(abandoned).containsExactly("00001112");
      List<String> sent = bed.takeSent();
      assertThat(sent).hasSize(2);
      assertThat(sent.get(0)).startsWith("00001112").contains("00000005 4d440000");
      assertThat(sent.get(1)).isEqualTo(success(XID, MachineBed.GRANTED));
      // What the service says now is for nobody.
      bed.incoming.get(1).reply(writer -> writer.int32(1));
      bed.settle();
      assertThat(bed.takeSent()).isEmpty();
      giveUpThem(0x1112);
      assertThat(abandoned).hasSize(1);
      assertThat(xidsSent()).containsExactly("00003001");
    }

    @Test
    @DisplayName("GIVE_UP for what is not there is answered, and nothing else")
    void stray() {
      open(true);
      giveUpThem(0x1111);
      assertThat(xidsSent()).containsExactly("00003001");
      call(0x1111);
      bed.incoming.get(0).reply(writer -> writer.int32(1));
      bed.settle();
      giveUpThem(0x1111, XID);
      assertThat(abandoned).isEmpty();
      assertThat(bed.disconnected).isEmpty();
      assertThat(xidsSent()).containsExactly("00001111", "00003001");
    }

    /** Fails if {@code Responder.end} answers a call that is being pulled. */
    @Test
    @DisplayName("A call that is being pulled is answered when its Reads have ended, not executed, and confirmed then")
    void pulling() {
      open(true);
      bed.held = true;
      call(0x1111, "00000001 00000028 0000aa01 00000010 00000000 00000000 00000000 00000000 00000000");
      giveUpThem(0x1111);
      assertThat(xidsSent()).isEmpty();
      bed.held = false;
      bed.settle();
      assertThat(xidsSent()).containsExactly("00001111", "00003001");
      assertThat(bed.incoming).isEmpty();
    }

    /** Fails if {@code Responder.end} leaves it where it waits. */
    @Test
    @DisplayName("A call that waits to be pulled is answered at once, and never pulled")
    void waiting() {
      open(true);
      bed.held = true;
      String chunk = "00000001 00000028 0000aa01 00015f90 00000000 00000000 00000000 00000000 00000000";
      call(0x1111, chunk);
      call(0x1112, chunk);
      giveUpThem(0x1112);
      assertThat(xidsSent()).containsExactly("00001112");
      bed.held = false;
      bed.settle();
      bed.endServices();
      assertThat(xidsSent()).containsExactly("00003001", "invalida", "00001111");
      assertThat(bed.bytesPulled).isEqualTo(0x15f90);
    }

    /** Fails if {@code Responder.judge} asks who makes a call that is given up. */
    @Test
    @DisplayName("A Long call whose head is being pulled is answered when it is here, and nobody is asked who makes it")
    void pullingHead() {
      open(true);
      bed.held = true;
      bed.authenticator = (header, message, later) -> {
        throw new AssertionError("asked");
      };
      bed.readable.put(0xaa01, Hex.bytes("00001111" + CALL + BLOCK));
      bed.receive("00001111 00000001 00000020 00000001 00000001 00000000 0000aa01 0000002c 00000000 00000000"
          + NO_LISTS);
      giveUpThem(0x1111);
      assertThat(xidsSent()).isEmpty();
      bed.held = false;
      bed.settle();
      assertThat(xidsSent()).containsExactly("00001111", "00003001");
    }

    /** Fails if {@code GiveUp.waitFor} counts a call that another GIVE_UP waits for. */
    @Test
    @DisplayName("A call that is named twice is waited for once")
    void twice() {
      open(true);
      bed.held = true;
      call(0x1111, "00000001 00000028 0000aa01 00000010 00000000 00000000 00000000 00000000 00000000");
      giveUpThem(0x1111);
      bed.receive(giveUp(XID + 1, 32, 0x1111));
      assertThat(xidsSent()).containsExactly("00003002");
      bed.held = false;
      bed.settle();
      assertThat(xidsSent()).containsExactly("00001111", "00003001");
    }

    /** Fails if {@code Replies.drop} does not tell that the call is over. */
    @Test
    @DisplayName("A call that is given up, and for whose arguments there is no memory, is confirmed")
    void pullFails() {
      open(true);
      bed.memoryHeld = true;
      call(0x1111, "00000001 00000028 0000aa01 00000010 00000000 00000000 00000000 00000000 00000000");
      giveUpThem(0x1111);
      assertThat(xidsSent()).isEmpty();
      bed.memoryFails = true;
      bed.releaseMemory();
      assertThat(xidsSent()).containsExactly("00001111", "00003001");
    }

    /** Fails if {@code Responder.giveUp} sets no deadline. */
    @Test
    @DisplayName("A GIVE_UP whose calls do not end is answered SYSTEM_ERR when a service's time is over")
    void endless() {
      open(true);
      call(0x1111, "00000000 00000000 00000001 00000001 0000aa01 00001000 00000000 00000000");
      bed.memoryHeld = true;
      bed.incoming.get(0).reply(writer -> writer.opaque(new byte[2000]));
      bed.settle();
      giveUpThem(0x1111);
      bed.now += MachineBed.SERVICE_TIME;
      bed.deadlines.advance(bed.now);
      bed.settle();
      assertThat(bed.takeSent()).singleElement().asString().startsWith("00003001").endsWith("00000005 " + BLOCK);
    }

    /** Fails if {@code Responder.giveUp} ends one call before it waits for all. */
    @Test
    @DisplayName("A service that answers another call when it hears that its own is given up keeps nothing back")
    void answersAnother() {
      open(true);
      call(0x1111);
      call(0x1112);
      bed.incoming.get(0).watchCaller(() -> bed.incoming.get(1).reply(XdrEncoder.VOID));
      bed.incoming.get(1).watchCaller(() -> bed.incoming.get(0).reply(XdrEncoder.VOID));
      giveUpThem(0x1111, 0x1112);
      assertThat(xidsSent()).containsExactlyInAnyOrder("00001111", "00001112", "00003001").endsWith("00003001");
    }

    /** Fails if {@code Responder.giveUp} knows nothing of messages that may be replies. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("A Long message with the XID of a call of this end is waited for, whether it is a call or a reply")
    void undecided(boolean call) {
      bed = new MachineBed(MachineBed.like(false).metadata(true)
          .largeReplies(new LargeReplies(true, true, false, 1 << 20, 10 * MachineBed.SECOND)));
      bed.call(4);
      bed.takeSent();
      bed.held = true;
      String xid = "%08x".formatted(MachineBed.FIRST_XID);
      bed.readable.put(0xaa01, Hex.bytes(xid + (call ? CALL : "00000001 00000000 00000000 00000000 00000000") + BLOCK));
      bed.receive(xid + "00000001 00000020 00000001 00000001 00000000 0000aa01 " + (call ? "0000002c" : "0000001c")
          + "00000000 00000000" + NO_LISTS);
      giveUpThem(MachineBed.FIRST_XID);
      assertThat(xidsSent()).isEmpty();
      bed.held = false;
      bed.settle();
      assertThat(bed.incoming).isEmpty();
      // The call is answered; RDMA_DONE tells that the reply has been pulled.
      assertThat(xidsSent()).containsExactly(xid, "00003001");
    }

    /** Fails if {@code PulledReplies} says that none has come while another is being pulled. */
    @Test
    @DisplayName("A reply that is pulled first does not stand for the call that has the same XID")
    void undecidedBehindReply() {
      bed = new MachineBed(MachineBed.like(false).metadata(true)
          .largeReplies(new LargeReplies(true, true, false, 1 << 20, 10 * MachineBed.SECOND)));
      bed.call(4);
      bed.takeSent();
      bed.held = true;
      String xid = "%08x".formatted(MachineBed.FIRST_XID);
      bed.readable.put(0xaa01, Hex.bytes(xid + "00000001 00000000 00000000 00000000 00000000" + BLOCK));
      bed.readable.put(0xaa02, Hex.bytes(xid + CALL + BLOCK));
      String head = xid + "00000001 00000020 00000001 00000001 00000000";
      bed.receive(head + "0000aa01 0000001c 00000000 00000000" + NO_LISTS);
      bed.receive(head + "0000aa02 0000002c 00000000 00000000" + NO_LISTS);
      giveUpThem(MachineBed.FIRST_XID);
      bed.answer();
      assertThat(xidsSent()).as("RDMA_DONE of the reply alone").containsExactly(xid);
      bed.held = false;
      bed.settle();
      assertThat(bed.incoming).isEmpty();
      assertThat(xidsSent()).containsExactly(xid, "00003001");
    }

    /** Fails if {@code Responder.giveUp} does not look at replies that are under way. */
    @Test
    @DisplayName("A reply that waits for memory is sent before GIVE_UP is answered, and names no tag")
    void replying() {
      open(true);
      call(0x1111, "00000000 00000000 00000001 00000001 0000aa01 00001000 00000000 00000000");
      bed.memoryHeld = true;
      bed.incoming.get(0).reply(writer -> writer.opaque(new byte[2000]));
      bed.settle();
      giveUpThem(0x1111);
      assertThat(xidsSent()).isEmpty();
      bed.memoryHeld = false;
      bed.releaseMemory();
      bed.settle();
      assertThat(xidsSent()).containsExactly("write 20", "00001111", "00003001");
    }

    @Test
    @DisplayName("RFC 8797 §4.1: a reply to a caller who still waits names a tag, and one that comes too late none")
    void late() {
      open(true);
      String chunk = "00000000 00000000 00000001 00000001 0000aa01 00001000 00000000 00000000";
      call(0x1111, chunk);
      bed.incoming.get(0).reply(XdrEncoder.VOID);
      bed.settle();
      assertThat(xidsSent()).containsExactly("invalida", "00001111");
      // 1 ms left
      bed.receive("00001112 00000001 00000020 00000000" + chunk + "00001112" + CALL
          + "00020004 000003e8 4d440008");
      bed.now += 1_000_000;
      bed.deadlines.advance(bed.now);
      bed.settle();
      assertThat(xidsSent()).containsExactly("00001112");
    }

    @Test
    @DisplayName("A call whose caller is being judged is answered at once, and never executed")
    void judged() {
      open(true);
      List<Authenticator.Listener> judges = new ArrayList<>();
      bed.authenticator = (header, message, later) -> {
        judges.add(later);
        return Verdict.PENDING;
      };
      call(0x1111);
      giveUpThem(0x1111);
      assertThat(xidsSent()).containsExactly("00001111", "00003001");
      judges.get(0).judged(CallSecurity.NONE);
      bed.settle();
      assertThat(bed.incoming).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000c9", "00000001", "00000000 00000000"})
    @DisplayName("GIVE_UP of too many XIDs, of fewer than it says, or with something behind them is garbage")
    void garbage(String arguments) {
      open(true);
      bed.receive("00003001 00000001 00000020 00000000" + NO_LISTS + "00003001" + GIVE_UP + arguments + BLOCK);
      assertThat(bed.takeSent()).singleElement().asString().endsWith("00000004 " + BLOCK);
    }

    /** Fails if {@code Responder.judge} does not look at the chunks of such a call. */
    @Test
    @DisplayName("With chunks it is a call of a program as any other")
    void withChunks() {
      open(true);
      call(0x1111);
      bed.receive("00003001 00000001 00000020 00000000 00000000 00000000 00000001 00000001 0000aa01 00001000"
          + "00000000 00000000 00003001" + GIVE_UP + "00000001 00001111" + BLOCK);
      assertThat(abandoned).isEmpty();
      assertThat(bed.incoming).hasSize(2);
    }

    @Test
    @DisplayName("R-341: from a peer without metadata it is a call of a program as any other")
    void unknown() {
      open(false);
      call(0x1111);
      bed.receive(giveUp(XID, 32, 0x1111).replace(" " + BLOCK, ""));
      assertThat(abandoned).isEmpty();
      assertThat(bed.incoming).hasSize(2);
      assertThat(bed.takeSent()).isEmpty();
    }

    @Test
    @DisplayName("A service hears when its time is over")
    void overOtherwise() {
      open(true);
      call(0x1111);
      bed.now = MachineBed.SECOND * 1000;
      bed.deadlines.advance(bed.now);
      bed.settle();
      assertThat(abandoned).containsExactly("00001111");
    }
  }
}
