// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * By whatever way a call ends: what it had exposed is out of the peer's reach before the caller hears
 * of it or gets memory back (RFC 8166 §4.4.1, §8.1.3). The bed fails any test in which memory is freed
 * that the peer may still reach.
 */
class FencingTest {

  private static final String REPLY = "51000000 00000001 00000001 00000000" + NO_LISTS
      + "51000000 00000001 00000000 00000000 00000000 00000000 00000001";
  private static final int RESULTS = 2000;
  private static final int PLACED = 1500;

  private final MachineBed bed = new MachineBed(true);
  private final SimulatedMemory.AppItem target = new SimulatedMemory.AppItem(new byte[PLACED]);

  @AfterEach
  void nothingIsLeft() {
    bed.held = false;
    bed.settle();
    bed.lose("the end");
    bed.checkAtRest();
  }

  /** A call that offers memory of the application, tag 0x1001, and of the pool, tag 0x1002. */
  private Said placing() {
    return Said.of(new XdrWriter().int32(1), List.of(new Said.Room(PLACED, Optional.of(target))), RESULTS);
  }

  private TestCall call(MachineBed.Heard outcome) {
    TestCall call = new TestCall(placing(), outcome);
    bed.machine.call(call.carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    return call;
  }

  @ParameterizedTest
  @CsvSource({
      "reply 00000001, " + REPLY,
      "BAD_REPLY, 51000000 00000001 00000001 00000063" + NO_LISTS,
      "BAD_REPLY, 51000000 00000001 00000001 00000001" + NO_LISTS,
      "BAD_REPLY, 51000000 00000002 00000001 00000000" + NO_LISTS,
      "REMOTE_ERROR, 51000000 00000001 00000001 00000004 00000002"})
  @DisplayName("R-171 R-325 R-326: whatever is answered, all is revoked before the call ends")
  void answered(String outcome, String message) {
    MachineBed.Heard heard = new MachineBed.Heard();
    call(heard);
    bed.held = true;
    bed.receive(message);
    assertThat(bed.revoked).containsExactly("1001", "1002");
    assertThat(bed.machine.pendingCalls()).as("its outcome is still to be heard").isEqualTo(1);
    int regions = bed.regions;
    bed.answer();
    assertThat(heard.events).isEmpty();
    assertThat(bed.regions).isEqualTo(regions);
    bed.answer();
    assertThat(heard.events).containsExactly(outcome);
    assertThat(bed.regions).isZero();
  }

  @ParameterizedTest
  @CsvSource({
      REPLY,
      "51000000 00000001 00000001 00000004 00000002"})
  @DisplayName("R-171: a listener that throws keeps no memory, and nobody from closing")
  void listenerThrows(String message) {
    bed.machine.call(new TestCall(placing(), new Throwing()).carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    assertThatThrownBy(() -> bed.receive(message)).hasMessage("on purpose");
    assertThat(bed.regions).isZero();
    bed.machine.close(bed.now);
    bed.settle();
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  private static final class Throwing implements CallListener {

    @Override
    public void replied(XdrReader results) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void rejected(ReplyHeader header) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void failed(Outcome.Failed failure) {
      throw new IllegalStateException("on purpose");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("R-172 R-326: given up, the application's memory is revoked first, the pool's set aside")
  void givenUp(boolean cancelled) {
    MachineBed.Heard heard = new MachineBed.Heard();
    TestCall handle = call(heard);
    bed.held = true;
    if (cancelled) {
      handle.cancel(bed.now);
    } else {
      bed.now += 5 * MachineBed.SECOND;
      bed.deadlines.advance(bed.now);
    }
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(heard.events).as("the peer may still write there").isEmpty();
    int regions = bed.regions;
    bed.answer();
    assertThat(bed.regions).as("the application has its own back").isEqualTo(regions - 1);
    assertThat(heard.events).containsExactly(cancelled ? "CANCELLED" : "TIMEOUT");
    assertThat(bed.machine.bytesSetAside()).isEqualTo(RESULTS + 24);
    bed.receive(REPLY);
    assertThat(bed.revoked).as("by the late reply").containsExactly("1001", "1002");
    assertThat(bed.regions).isPositive();
    bed.answer();
    assertThat(bed.regions).isZero();
    assertThat(heard.events).hasSize(1);
  }

  @Test
  @DisplayName("R-172: more than may be set aside is revoked, and freed no sooner")
  void noRoomToSetAside() {
    int half = 600_000;
    MachineBed.Heard first = new MachineBed.Heard();
    MachineBed.Heard second = new MachineBed.Heard();
    bed.call(4);
    bed.receive(REPLY.replaceFirst("00000001 00000001", "00000001 00000004"));
    TestCall one = bed.handle(first, half);
    TestCall two = bed.handle(second, half);
    bed.held = true;
    one.cancel(bed.now);
    two.cancel(bed.now);
    assertThat(first.events).containsExactly("CANCELLED");
    assertThat(second.events).containsExactly("CANCELLED");
    assertThat(bed.machine.bytesSetAside()).isEqualTo(half + 24);
    assertThat(bed.revoked).hasSize(1);
    int regions = bed.regions;
    bed.answer();
    assertThat(bed.regions).isEqualTo(regions - 1);
    bed.now += MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(bed.revoked).as("the time to live of the other is over").hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @DisplayName("R-326: given up while memory is being exposed: revoked as soon as it can be, then heard")
  void givenUpWhilePreparing(int exposedBefore) {
    bed.held = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    TestCall handle = call(heard);
    for (int i = 0; i < exposedBefore; i++) {
      bed.answer();
    }
    handle.cancel(bed.now);
    handle.cancel(bed.now);
    int regions = bed.regions;
    for (int i = exposedBefore; i < 2; i++) {
      assertThat(bed.revoked).isEmpty();
      bed.answer();
    }
    assertThat(bed.revoked).containsExactly("1001", "1002");
    assertThat(bed.regions).isEqualTo(regions);
    assertThat(heard.events).as("a peer that guesses the tag may still write there").isEmpty();
    bed.answer();
    assertThat(heard.events).as("1001 is the application's").containsExactly("CANCELLED");
    bed.answer();
    assertThat(bed.regions).isZero();
    assertThat(bed.takeSent()).isEmpty();
    assertThat(heard.events).hasSize(1);
  }

  @Test
  @DisplayName("R-326: given up while memory of the pool alone is being exposed: heard at once")
  void givenUpWhilePoolIsPrepared() {
    bed.held = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    TestCall handle = bed.handle(heard, RESULTS);
    handle.cancel(bed.now);
    assertThat(heard.events).containsExactly("CANCELLED");
    bed.answer();
    assertThat(bed.revoked).containsExactly("1001");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("R-159 R-326: lost while memory is being exposed, after it was given up or not: heard once")
  void lostWhilePreparing(boolean givenUp) {
    bed.held = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    TestCall handle = call(heard);
    bed.answer();
    if (givenUp) {
      handle.cancel(bed.now);
    }
    bed.lose("the cable");
    assertThat(heard.events).containsExactly(givenUp ? "CANCELLED" : "CONNECTION_LOST");
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("R-326: memory that comes after its call was given up is not exposed")
  void memoryComesLate() {
    bed.memoryHeld = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    TestCall handle = call(heard);
    assertThat(bed.exposures()).as("the application's, which is there").isEqualTo(1);
    handle.cancel(bed.now);
    bed.settle();
    assertThat(heard.events).as("some memory is still to come").isEmpty();
    bed.releaseMemory();
    assertThat(bed.exposures()).isEqualTo(1);
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(heard.events).containsExactly("CANCELLED");
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("R-159 R-326: lost while memory is still to come: heard once, and the memory is given back")
  void lostBeforeMemoryComes() {
    bed.memoryHeld = true;
    MachineBed.Heard owner = new MachineBed.Heard();
    MachineBed.Heard other = new MachineBed.Heard();
    call(owner).cancel(bed.now);
    bed.handle(other, RESULTS).cancel(bed.now);
    bed.lose("the cable");
    assertThat(owner.events).containsExactly("CANCELLED");
    assertThat(bed.regions).as("his memory is the owner's again").isZero();
    bed.releaseMemory();
    assertThat(owner.events).hasSize(1);
    assertThat(other.events).containsExactly("CANCELLED");
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("R-159 R-326: the same without memory of the application")
  void lostBeforePoolMemoryComes() {
    bed.memoryHeld = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    bed.handle(heard, RESULTS).cancel(bed.now);
    assertThat(heard.events).containsExactly("CANCELLED");
    bed.lose("the cable");
    bed.releaseMemory();
    assertThat(heard.events).hasSize(1);
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("A call that was given up keeps its credit, and nothing of its caller")
  void nothingOfTheCallerIsKept() throws InterruptedException {
    ReferenceQueue<CallListener> collected = new ReferenceQueue<>();
    WeakReference<CallListener> caller = givenUpFor(collected);
    Reference<? extends CallListener> first = null;
    for (int i = 0; i < 100 && first == null; i++) {
      System.gc();
      first = collected.remove(100);
    }
    assertThat((Object) first).isSameAs(caller);
    assertThat(bed.machine.bytesSetAside()).as("the call's own memory stays").isPositive();
    bed.receive(REPLY);
    assertThat(bed.machine.bytesSetAside()).isZero();
  }

  /** Makes a call and gives it up, for a caller that is gone after that. */
  private WeakReference<CallListener> givenUpFor(ReferenceQueue<CallListener> queue) {
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.handle(outcome, RESULTS).cancel(bed.now);
    assertThat(outcome.events).containsExactly("CANCELLED");
    return new WeakReference<>(outcome, queue);
  }

  @Test
  @DisplayName("R-326: given up while it waits for the send queue: revoked, never sent")
  void withdrawn() {
    bed.held = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    TestCall handle = call(heard);
    bed.fillSendQueue();
    bed.answer();
    bed.answer();
    assertThat(bed.takeSent()).allMatch(post -> post.startsWith("write"));
    handle.cancel(bed.now);
    assertThat(bed.revoked).containsExactly("1001", "1002");
    assertThat(heard.events).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(heard.events).containsExactly("CANCELLED");
    assertThat(bed.takeSent()).noneMatch(post -> post.startsWith("51000000"));
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("B-082: a reply to a call that waits for the send queue is a reply to no call")
  void replyBeforeItsCall() {
    bed.held = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    call(heard);
    bed.fillSendQueue();
    bed.answer();
    bed.answer();
    bed.receive(REPLY);
    assertThat(bed.machine.counters().discarded()).isEqualTo(1);
    bed.held = false;
    bed.settle();
    assertThat(heard.events).as("the call has left now").isEmpty();
    bed.receive(REPLY);
    assertThat(heard.events).hasSize(1);
  }

  /** Without 2: a Send that has not completed is flushed before the connection's end is told. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  @DisplayName("R-159 R-326: the connection is lost: the exposures go with it, then the call ends")
  void lost(int answersBefore) {
    bed.held = true;
    MachineBed.Heard heard = new MachineBed.Heard();
    call(heard);
    for (int i = 0; i < answersBefore; i++) {
      bed.answer();
    }
    assertThat(heard.events).isEmpty();
    assertThat(bed.regions).isPositive();
    bed.lose("lost");
    assertThat(heard.events).containsExactly("CONNECTION_LOST");
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("R-155 R-326: the connection is lost while revoking: the outcome is what it was to be")
  void lostWhileRevoking() {
    MachineBed.Heard heard = new MachineBed.Heard();
    call(heard);
    bed.held = true;
    bed.receive(REPLY);
    assertThat(heard.events).isEmpty();
    bed.lose("lost");
    assertThat(heard.events).containsExactly("reply 00000001");
  }

  @Test
  @DisplayName("R-326: closed: a call that does not finish in time ends with the connection")
  void closed() {
    MachineBed.Heard heard = new MachineBed.Heard();
    call(heard);
    bed.held = true;
    bed.machine.close(bed.now);
    bed.now += MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(bed.disconnected).isNotEmpty();
    assertThat(heard.events).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(heard.events).containsExactly("CONNECTION_LOST");
  }
}
