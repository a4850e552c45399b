// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.ExtensionListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that something protects: what they leave to the call that it needs, and what belongs to one transmission. */
class ProtectedCallsTest {

  /** RPCSEC_GSS_CREDPROBLEM. */
  private static final String REFUSED = "00000001 00000001 00000001 0000000d";
  private static final int SLOTS = 1 << MachineBed.SLOT_BITS;
  private static final long PATIENCE = 5 * MachineBed.SECOND;

  /** Protects nothing, while it has a context. */
  private static final class Context implements CallProtector, CallProtection {

    private final List<Listener> waiting = new ArrayList<>();
    private boolean stands = true;
    private int verifierLength = OpaqueAuth.NONE.encodedLength();
    /** How many transmissions were to be protected. */
    private int begun;

    @Override
    public void protection(SecureChannel channel, Listener listener) {
      begun++;
      if (stands) {
        listener.ready(this);
      } else {
        waiting.add(listener);
      }
    }

    @Override
    public Optional<BodyProtection> bodies() {
      return Optional.empty();
    }

    @Override
    public int verifierLength() {
      return verifierLength;
    }

    @Override
    public boolean outdated(AuthStatus status) {
      stands = false;
      return true;
    }

    @Override
    public void ended() {}

    @Override
    public int lengthInCall() {
      return OpaqueAuth.NONE.lengthInCall();
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      OpaqueAuth.NONE.writeInCall(target, start);
    }

    @Override
    public boolean verifies(OpaqueAuth verifier) {
      return true;
    }
  }

  private final MachineBed bed = new MachineBed(true);
  private final Context context = new Context();

  /** Has the context stand again, with a verifier for which nobody has room. */
  private void growVerifiers() {
    context.verifierLength = Integer.MAX_VALUE;
    context.stands = true;
    List.copyOf(context.waiting).forEach(listener -> listener.ready(context));
    bed.settle();
  }

  private MachineBed.Heard call() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.nothing(4), outcome).protectedBy(context).carried(), bed.now + PATIENCE);
    bed.settle();
    return outcome;
  }

  private void receive(int number, String rest) {
    receive(bed, number, rest);
  }

  private static void receive(MachineBed at, int number, String rest) {
    String xid = "%08x".formatted(MachineBed.FIRST_XID + number);
    at.receive(xid + "00000001 00000004 00000000" + MachineBed.NO_LISTS + xid + rest);
  }

  private void reply(int number) {
    receive(number, "00000001 00000000 00000000 00000000 00000000 0000002a");
  }

  private void refuse(int number) {
    receive(number, REFUSED);
  }

  /** Fails if {@code Requester.hasSlot} leaves none, or if {@code Requester.next} looks at the first alone. */
  @Test
  @DisplayName("R-222: calls that keep their slots until there is another context leave one to the call that makes it")
  void leaveOneSlot() {
    List<MachineBed.Heard> outcomes = new ArrayList<>();
    outcomes.add(call());
    reply(0);
    for (int i = 1; i < SLOTS; i++) {
      outcomes.add(call());
    }
    for (int i = 1; i < SLOTS; i++) {
      refuse(i);
    }
    bed.takeSent();
    // As of another connection: what made it ready is not known to be outdated yet.
    context.stands = true;
    call();
    context.stands = false;
    assertThat(bed.takeSent()).as("all slots but one are taken").isEmpty();
    MachineBed.Heard creation = bed.call(4);
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    reply(SLOTS);
    assertThat(creation.events).containsExactly("reply 0000002a");
    context.stands = true;
    context.waiting.forEach(listener -> listener.ready(context));
    bed.settle();
    for (int i = 1; i < SLOTS; i++) {
      reply(i);
    }
    assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.events).containsExactly("reply 0000002a"));
  }

  /**
   * Fails if {@code Requester.nextUnprotected} does not ask for a slot, or not for those that are protected, or if
   * {@code Requester.call} queues a refused call behind others.
   */
  @Test
  @DisplayName("R-222: what protects calls is not held by calls that wait for the slots of others that need it")
  void nothingWithoutSlot() {
    call();
    reply(0);
    for (int i = 1; i < SLOTS; i++) {
      call();
    }
    for (int i = 1; i < SLOTS - 1; i++) {
      refuse(i);
    }
    context.stands = true;
    int begun = context.begun;
    MachineBed.Heard later = call();
    assertThat(context.begun).as("all slots but one are taken by calls that wait").isEqualTo(begun);
    refuse(SLOTS - 1);
    assertThat(context.begun).as("what has a slot goes ahead").isEqualTo(++begun);
    context.stands = true;
    context.waiting.forEach(listener -> listener.ready(context));
    bed.settle();
    for (int i = 1; i < SLOTS; i++) {
      reply(i);
    }
    assertThat(context.begun).isEqualTo(begun + 1);
    reply(SLOTS);
    assertThat(later.events).containsExactly("reply 0000002a");
  }

  /** Fails if {@code Requester.nextUnprotected} does not count those that are being protected. */
  @Test
  @DisplayName("R-222: no more calls are protected at a time than there are slots for")
  void asManyAsSlots() {
    context.stands = false;
    for (int i = 0; i < SLOTS; i++) {
      call();
    }
    assertThat(context.begun).as("one slot is left to the call that makes the context").isEqualTo(SLOTS - 1);
  }

  /** Fails if {@code Requester.neverSent} leaves the call among those that are to be protected. */
  @Test
  @DisplayName("A call that is given up while it waits for a slot is not protected later")
  void givenUpWithoutSlot() {
    while (bed.xids.available() > 1) {
      bed.xids.take();
    }
    MachineBed.Heard outcome = new MachineBed.Heard();
    TestCall call = new TestCall(Said.nothing(4), outcome).protectedBy(context);
    bed.machine.call(call.carried(), bed.now + PATIENCE);
    bed.settle();
    call.cancel(bed.now);
    assertThat(outcome.events).containsExactly("CANCELLED");
    bed.xids.free(MachineBed.FIRST_XID);
    bed.call(4);
    reply(SLOTS - 1);
    bed.settle();
    assertThat(context.begun).isZero();
    assertThat(bed.machine.pendingCalls()).isZero();
  }

  private MachineBed.Heard call(Said said) {
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(said, outcome).protectedBy(context).carried(), bed.now + PATIENCE);
    bed.settle();
    return outcome;
  }

  /** Fails if {@code Requester.queue} or {@code pump} goes on to no other call when the first one is refused. */
  @Test
  @DisplayName("R-222: a call that is refused when its turn comes gives its slot to the next that is to be protected")
  void refusedWhenStarted() {
    while (bed.xids.available() > 2) {
      bed.xids.take();
    }
    context.stands = false;
    MachineBed.Heard unplannable = call(Said.of(new XdrWriter().int32(7), List.of(), Integer.MAX_VALUE));
    MachineBed.Heard good = call();
    assertThat(context.begun).isEqualTo(1);
    context.stands = true;
    List.copyOf(context.waiting).forEach(listener -> listener.ready(context));
    bed.settle();
    assertThat(unplannable.events).containsExactly("RESOURCES");
    assertThat(bed.takeSent()).as("the good call has a credit and a slot").hasSize(1);
    assertThat(good.failure).isNull();
  }

  /**
   * Fails if {@code Requester.securingEnded} or {@code neverSent} leaves the call among those that need a slot: no call
   * would ever be protected again.
   */
  @Test
  @DisplayName("Calls that are given up while they are protected, or wait for a credit, leave nothing")
  void givenUpLeavesNothing() {
    for (boolean stands : new boolean[] {false, true}) {
      context.stands = stands;
      if (stands) {
        // The only credit.
        bed.call(4);
        bed.settle();
      }
      for (int i = 0; i < SLOTS - 1; i++) {
        MachineBed.Heard outcome = new MachineBed.Heard();
        TestCall call = new TestCall(Said.nothing(4), outcome).protectedBy(context);
        bed.machine.call(call.carried(), bed.now + PATIENCE);
        bed.settle();
        call.cancel(bed.now);
        assertThat(outcome.events).containsExactly("CANCELLED");
      }
      int begun = context.begun;
      call();
      assertThat(context.begun).isEqualTo(begun + 1);
    }
  }

  /** Fails if {@code OutboundCall.unsuccessful} does not remember that the call was refused before. */
  @Test
  @DisplayName("RFC 2203 §5.3.3.3: a call that is refused with another context too is not sent a third time")
  void refusedTwice() {
    MachineBed.Heard outcome = call();
    refuse(0);
    context.stands = true;
    context.waiting.forEach(listener -> listener.ready(context));
    bed.settle();
    assertThat(bed.takeSent()).hasSize(2);
    refuse(0);
    assertThat(outcome.events).singleElement().asString().startsWith("rejected ").contains("CREDPROBLEM");
    assertThat(bed.takeSent()).isEmpty();
  }

  /** Fails if {@code OutboundCall.keepsXid} says no: under another XID it would be executed once more. */
  @Test
  @DisplayName("R-159: a call that another connection has sent keeps its XID when its credential is refused")
  void refusedWhenRepeated() {
    int slots = bed.xids.available();
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.nothing(4), outcome).sentBefore(bed.xids).protectedWhenRefused(context)
        .carried(), bed.now + PATIENCE);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().startsWith("%08x".formatted(MachineBed.FIRST_XID));
    refuse(0);
    assertThat(bed.takeSent()).singleElement().asString().startsWith("%08x".formatted(MachineBed.FIRST_XID));
    reply(0);
    assertThat(outcome.events).containsExactly("reply 0000002a");
    assertThat(bed.xids.available()).isEqualTo(slots);
  }

  /** Fails if {@code Requester.securingEnded} does not go on with those that wait, or the XID ends behind it. */
  @Test
  @DisplayName("R-222: a call that waits for a slot is sent when those that keep theirs have waited too long")
  void slotsOfThoseGivenUp() {
    for (int i = 0; i < SLOTS - 1; i++) {
      call();
    }
    for (int i = 0; i < SLOTS - 1; i++) {
      refuse(i);
    }
    bed.takeSent();
    bed.now += PATIENCE / 2;
    context.stands = true;
    MachineBed.Heard last = call();
    assertThat(bed.takeSent()).as("all slots but one are taken").isEmpty();
    bed.now += PATIENCE / 2;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    reply(SLOTS - 1);
    assertThat(last.events).containsExactly("reply 0000002a");
  }

  /** Fails if {@code Requester.secureThoseThatWait} takes for granted that it still needs its protection. */
  @Test
  @DisplayName("A call that needs its protection no more when its turn has come is sent without")
  void needsNoneAnyMore() {
    MachineBed.Heard second = new MachineBed.Heard();
    MachineBed.Heard first = new MachineBed.Heard();
    CallProtector making = (channel, listener) -> {
      // Its turn comes behind the first one's, which is just being protected.
      TestCall next = new TestCall(Said.nothing(4), second).protectedBy(context);
      bed.machine.call(next.carried(), bed.now + PATIENCE);
      next.protectedBy(null);
      listener.ready(context);
    };
    bed.machine.call(new TestCall(Said.nothing(4), first).protectedBy(making).carried(), bed.now + PATIENCE);
    bed.settle();
    reply(0);
    reply(1);
    assertThat(List.of(first, second))
        .allSatisfy(outcome -> assertThat(outcome.events).containsExactly("reply 0000002a"));
  }

  /** Fails if {@code Requester.fencingEnded} does not go on with those that wait. */
  @Test
  @DisplayName("A call that waits for a slot is sent when a protected one has its reply, behind the fence")
  void slotIsFreeLater() {
    MachineBed.Heard first = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.nothing(2000), first).protectedBy(context).carried(), bed.now + PATIENCE);
    bed.settle();
    while (bed.xids.available() > 1) {
      bed.xids.take();
    }
    call();
    bed.takeSent();
    bed.held = true;
    reply(0);
    assertThat(first.events).as("its Reply chunk may still be written to").isEmpty();
    assertThat(bed.takeSent()).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(first.events).containsExactly("reply 0000002a");
    assertThat(bed.takeSent()).hasSize(1);
  }

  /** Fails if {@code Requester.call} counts those that wait to be protected for a call that is not. */
  @Test
  @DisplayName("The call that makes a context is not refused because of those that wait for it")
  void fullQueue() {
    context.stands = false;
    List<MachineBed.Heard> outcomes = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      outcomes.add(call());
    }
    assertThat(outcomes.remove(8).events).as("one more than may wait").containsExactly("RESOURCES");
    MachineBed.Heard creation = bed.call(4);
    reply(0);
    assertThat(creation.events).containsExactly("reply 0000002a");
    assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.events).isEmpty());
  }

  /** Fails if {@code Requester.call} counts a call that goes ahead, or queues it behind others. */
  @Test
  @DisplayName("Calls that others need go ahead of those that wait for a credit, and are not refused")
  void ahead() {
    List<MachineBed.Heard> outcomes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      outcomes.add(bed.call(4));
    }
    assertThat(outcomes.get(9).events).as("one is sent, eight may wait").containsExactly("RESOURCES");
    List<MachineBed.Heard> needed = List.of(new MachineBed.Heard(), new MachineBed.Heard());
    needed.forEach(outcome ->
        bed.machine.call(new TestCall(Said.nothing(4), outcome).ahead().carried(), bed.now + PATIENCE));
    for (int i = 0; i < 3; i++) {
      reply(i);
    }
    assertThat(needed).allSatisfy(outcome -> assertThat(outcome.events).containsExactly("reply 0000002a"));
    assertThat(outcomes.subList(1, 9)).allSatisfy(outcome -> assertThat(outcome.events).isEmpty());
  }

  /** Fails if {@code OutboundCall.cancel} forgets that a call was cancelled which has a reply already. */
  @Test
  @DisplayName("A call that is cancelled while the memory of its refused transmission is revoked is not sent again")
  void cancelledWhileFenced() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    TestCall call = new TestCall(Said.of(new XdrWriter().opaque(new byte[20_000]), List.of(), 4), outcome)
        .protectedBy(context);
    bed.machine.call(call.carried(), bed.now + PATIENCE);
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    bed.held = true;
    refuse(0);
    assertThat(outcome.events).isEmpty();
    call.cancel(bed.now);
    bed.held = false;
    bed.settle();
    context.stands = true;
    context.waiting.forEach(listener -> listener.ready(context));
    bed.settle();
    assertThat(bed.takeSent()).isEmpty();
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(outcome.failure.sent()).as("nobody has signed the refusal").isTrue();
  }

  /** Fails if {@code OutboundCall.unsuccessful} believes what nobody has signed. */
  @Test
  @DisplayName("R-334: a call of which a reply says that the server had too many may have been executed")
  void overloaded() {
    MachineBed.Heard signed = overload(true);
    assertThat(signed.events).containsExactly("OVERLOADED");
    assertThat(signed.failure.sent()).isTrue();
    MachineBed.Heard plain = overload(false);
    assertThat(plain.events).containsExactly("OVERLOADED");
    assertThat(plain.failure.sent()).as("nothing is signed without a context, and TLS holds for all").isFalse();
  }

  private MachineBed.Heard overload(boolean protectedCall) {
    MachineBed other = new MachineBed(MachineBed.like(true).metadata(true));
    MachineBed.Heard outcome = new MachineBed.Heard();
    other.machine.call(new TestCall(Said.nothing(4), outcome).protectedBy(protectedCall ? context : null).carried(),
        other.now + PATIENCE);
    other.settle();
    receive(other, 0, "00000001 00000000 00000000 00000000 00000005 00060000 4d440004");
    return outcome;
  }

  /** Fails if {@code OutboundCall.unsuccessful} takes a refusal of what nothing has signed for a forged one. */
  @Test
  @DisplayName("A call without a context that was refused, and gets none to be sent with, was not executed")
  void refusedToken() {
    context.stands = false;
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.nothing(4), outcome).protectedWhenRefused(context).carried(),
        bed.now + PATIENCE);
    bed.settle();
    refuse(0);
    assertThat(context.begun).isEqualTo(1);
    context.waiting.forEach(listener -> listener.unavailable("no ticket"));
    bed.settle();
    assertThat(outcome.events).containsExactly("NOT_PROTECTED");
    assertThat(outcome.failure.sent()).isFalse();
  }

  /** Fails if {@code OutboundCall.takeOn} keeps what another connection's peer has refused. */
  @Test
  @DisplayName("A call that was refused at one server, and is refused at another one as well, is sent once more there")
  void refusedAtTwoServers() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    TestCall call = new TestCall(Said.nothing(4), outcome).protectedBy(context);
    bed.machine.call(call.carried(), bed.now + PATIENCE);
    bed.settle();
    refuse(0);
    bed.lose("cut");
    MachineBed other = new MachineBed(true);
    context.stands = true;
    other.machine.call(call.again().carried(), other.now + PATIENCE);
    other.settle();
    assertThat(other.takeSent()).hasSize(1);
    receive(other, 0, REFUSED);
    context.stands = true;
    List.copyOf(context.waiting).forEach(listener -> listener.ready(context));
    other.settle();
    assertThat(other.takeSent()).hasSize(1);
    assertThat(outcome.events).as("of the first connection").containsExactly("CONNECTION_LOST");
  }

  /** Fails if {@code Requester.refuseAtStart} does not look whether the connection is drained. */
  @Test
  @DisplayName("A connection that is closed ends when the last of its calls is refused as it is sent again")
  void drainedByRefusal() {
    MachineBed.Heard outcome = call();
    bed.machine.close(bed.now);
    bed.settle();
    refuse(0);
    growVerifiers();
    assertThat(outcome.events).containsExactly("RESOURCES");
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  /** Fails if {@code Requester.refuseAtStart} does not ask for messages that wait for a slot. */
  @Test
  @DisplayName("R-222: the slot of a call that is refused as it is sent again goes to a message that waits for one")
  void slotOfRefused() {
    MachineBed.Heard outcome = call();
    while (bed.xids.available() > 0) {
      bed.xids.take();
    }
    refuse(0);
    bed.settle();
    bed.takeSent();
    bed.machine.extension(77, new byte[8], new ExtensionListener() {
      @Override
      public void answered(ByteBuffer body) {
        throw new AssertionError("Nobody has answered");
      }

      @Override
      public void unsupported() {
        throw new AssertionError("Nobody has answered");
      }

      @Override
      public void failed(Outcome.Failed failure) {
        throw new AssertionError(failure);
      }
    }, bed.now + PATIENCE);
    bed.settle();
    assertThat(bed.takeSent()).isEmpty();
    growVerifiers();
    assertThat(outcome.events).containsExactly("RESOURCES");
    assertThat(bed.takeSent()).hasSize(1);
  }

  /** Fails if {@code Requester.refuseAtStart} keeps the deadline. */
  @Test
  @DisplayName("A call that is refused as it is sent has no deadline any more")
  void refusedWithoutDeadline() {
    MachineBed.Heard outcome = call(Said.of(new XdrWriter().int32(7), List.of(), Integer.MAX_VALUE));
    assertThat(outcome.events).containsExactly("RESOURCES");
    bed.now += 2 * PATIENCE;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(outcome.events).containsExactly("RESOURCES");
  }

  /** Fails if {@code OutboundCall.tell} believes what nobody has signed. */
  @Test
  @DisplayName("R-334: a call that was refused, and waits for another context when its connection is lost, may have been"
      + " executed: somebody on the path can refuse it")
  void refusedAndLost() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.nothing(4), outcome).protectedBy(context).carried(), bed.now + PATIENCE);
    bed.settle();
    refuse(0);
    bed.lose("cut");
    assertThat(outcome.events).last().isEqualTo("CONNECTION_LOST");
    assertThat(outcome.failure.sent()).isTrue();
  }

  /** Fails if {@code Requester.queueAhead} puts a call in front of earlier ones. */
  @Test
  @DisplayName("Calls of the control program that wait are sent in the order in which they were made")
  void announcementsInOrder() {
    bed.call(4);
    bed.settle();
    bed.takeSent();
    for (int procedure = 1; procedure <= 3; procedure++) {
      bed.machine.call(new TestCall(new Said(0x2006F000, procedure, OpaqueAuth.NONE, new XdrWriter().toPayloadStream(),
          List.of(), 0, 0), new MachineBed.Heard()).carried(), bed.now + PATIENCE);
    }
    String xid = "%08x".formatted(MachineBed.FIRST_XID);
    bed.receive(xid + "00000001 00000004 00000000" + MachineBed.NO_LISTS + xid
        + "00000001 00000000 00000000 00000000 00000000 0000002a");
    bed.settle();
    List<String> sent = bed.takeSent();
    assertThat(sent).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(sent.get(i)).contains("2006f000 00000001 0000000" + (i + 1));
    }
  }

  /** A credential that counts how often it is written. */
  private static final class Counting implements Credential {

    private int written;

    @Override
    public int lengthInCall() {
      return 20;
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      target.putInt(6).putInt(4).putInt(++written).putInt(0).putInt(0);
    }

    @Override
    public boolean verifies(OpaqueAuth verifier) {
      return true;
    }
  }

  /** Fails if {@code MessageChunks.preparePositionZero} writes the head when the memory comes. */
  @Test
  @DisplayName("Memory that comes for a Long call when it is on another connection is not filled with that one's head")
  void lateMemory() {
    Counting credential = new Counting();
    Said said = Said.of(new XdrWriter().fixedOpaque(new byte[2000]), List.of(), 4).by(credential);
    TestCall call = new TestCall(said, new MachineBed.Heard());
    bed.memoryHeld = true;
    bed.machine.call(call.carried(), bed.now + PATIENCE);
    bed.settle();
    bed.lose("cut");
    MachineBed second = new MachineBed(true);
    second.machine.call(call.carried(), second.now + PATIENCE);
    second.settle();
    bed.releaseMemory();
    assertThat(second.exposed.values()).singleElement()
        .satisfies((Region region) -> assertThat(region.bytes().getInt(24 + 8)).isEqualTo(2));
    assertThat(credential.written).as("once for each connection").isEqualTo(2);
    assertThat(bed.regions).isZero();
  }

  /** Fails if {@code AbandonedCall} has what protects the call, and not just what ends that. */
  @Test
  @DisplayName("A protected call that was given up keeps its credit, and nothing of its caller")
  void nothingOfTheCallerIsKept() throws InterruptedException {
    ReferenceQueue<CallListener> collected = new ReferenceQueue<>();
    WeakReference<CallListener> caller = givenUpFor(collected);
    Reference<? extends CallListener> first = null;
    for (int i = 0; i < 100 && first == null; i++) {
      System.gc();
      first = collected.remove(100);
    }
    assertThat((Object) first).isSameAs(caller);
    assertThat(bed.machine.pendingCalls()).isEqualTo(1);
  }

  /** Makes a call and gives it up, for a caller that is gone after that. */
  private WeakReference<CallListener> givenUpFor(ReferenceQueue<CallListener> queue) {
    MachineBed.Heard outcome = new MachineBed.Heard();
    TestCall call = new TestCall(Said.nothing(4), outcome).protectedBy(context);
    bed.machine.call(call.carried(), bed.now + PATIENCE);
    bed.settle();
    call.cancel(bed.now);
    assertThat(outcome.events).containsExactly("CANCELLED");
    return new WeakReference<>(outcome, queue);
  }
}
