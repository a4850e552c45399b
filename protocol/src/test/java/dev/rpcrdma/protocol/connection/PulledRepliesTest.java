// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.wire.WireLimits;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replies that their responder provides, and this end pulls. */
class PulledRepliesTest {

  private static final int XID = MachineBed.FIRST_XID;
  /** Words behind the XID of a reply without results. */
  private static final String SUCCESS = "00000001 00000000 00000000 00000000 00000000";
  private static final int TAG = 0xabc;

  private MachineBed bed = bed(false);

  private static MachineBed bed(boolean doneInvalidates) {
    return new MachineBed(MachineBed.like(true)
        .largeReplies(new LargeReplies(true, false, doneInvalidates, 0, MachineBed.SECOND)));
  }

  @AfterEach
  void nothingIsLeft() {
    bed.held = false;
    bed.lose("the end");
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
  }

  /** A call whose results nobody can predict. */
  private MachineBed.Heard call() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    handle(outcome);
    return outcome;
  }

  private TestCall handle(MachineBed.Heard outcome) {
    TestCall call = new TestCall(Said.of(new XdrWriter().int32(1), List.of(), 60_000).typically(0), outcome);
    bed.machine.call(call.carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    bed.takeSent();
    return call;
  }

  /** A Long message with a Position-Zero Read chunk under a tag of its own. */
  private void longMessage(int xid, int tag, String payload) {
    bed.readable.put(tag, Hex.bytes(payload));
    bed.receive("%08x 00000001 00000004 00000001 00000001 00000000 %08x %08x 00000000 00000000"
        .formatted(xid, tag, Hex.bytes(payload).length) + "00000000 00000000 00000000");
  }

  private static String reply(int xid, String results) {
    return "%08x".formatted(xid) + SUCCESS + results;
  }

  private static String done(int xid) {
    return "%08x 00000001 00000004 00000003".formatted(xid);
  }

  @Test
  @DisplayName("R-261 R-266 R-267 R-268 R-273 R-280: a call makes no room, its reply is pulled, and DONE is said")
  void pulled() {
    MachineBed.Heard outcome = call();
    assertThat(bed.exposures()).isZero();
    longMessage(XID, TAG, reply(XID, "0000002a"));
    assertThat(outcome.events).containsExactly("reply 0000002a");
    assertThat(bed.takeSent()).containsExactly(done(XID));
    assertThat(bed.machine.counters().pulledReplies()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-261: a chunk of several segments is one payload")
  void segments() {
    MachineBed.Heard outcome = call();
    bed.readable.put(0xa1, Hex.bytes(reply(XID, "")));
    bed.readable.put(0xa2, Hex.bytes("00000007 00000008"));
    bed.receive("%08x 00000001 00000004 00000001 ".formatted(XID)
        + "00000001 00000000 000000a1 00000018 00000000 00000000"
        + "00000001 00000000 000000a2 00000008 00000000 00000000 00000000 00000000 00000000");
    assertThat(outcome.events).containsExactly("reply 00000007 00000008");
    assertThat(bed.takeSent()).containsExactly(done(XID));
  }

  @Test
  @DisplayName("R-274 R-275 C-28: DONE invalidates a tag of the reply if the responder has said that it copes")
  void invalidating() {
    bed = bed(true);
    call();
    longMessage(XID, TAG, reply(XID, ""));
    assertThat(bed.takeSent()).containsExactly("invalidates abc", done(XID));
  }

  @Test
  @DisplayName("R-267 R-279: a call holds its credit, its XID and its deadline until its reply is here")
  void whilePulling() {
    MachineBed.Heard first = call();
    longMessage(XID, 0xa0, reply(XID, ""));
    for (int i = 1; i <= MachineBed.CREDITS; i++) {
      call();
    }
    assertThat(bed.machine.pendingCalls()).isEqualTo(MachineBed.CREDITS);
    assertThat(first.events).hasSize(1);
    bed.takeSent();
    bed.held = true;
    longMessage(XID + 1, 0xa1, reply(XID + 1, ""));
    MachineBed.Heard next = call();
    assertThat(bed.takeSent()).as("a fifth call").isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(bed.takeSent()).as("DONE, and then the call").hasSize(2).first().isEqualTo(done(XID + 1));
    bed.now += 5 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(next.events).containsExactly("TIMEOUT");
  }

  @Test
  @DisplayName("R-285: who gives a call up hears at once, memory follows the Reads, and then DONE is said")
  void givenUp() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    TestCall call = handle(outcome);
    bed.held = true;
    longMessage(XID, TAG, reply(XID, ""));
    call.cancel(bed.now);
    assertThat(outcome.events).containsExactly("CANCELLED");
    assertThat(bed.regions).as("what is read into").isEqualTo(1);
    assertThat(bed.takeSent()).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(bed.regions).isZero();
    assertThat(bed.takeSent()).containsExactly(done(XID));
    assertThat(bed.disconnected).isEmpty();
  }

  @Test
  @DisplayName("A call whose reply is being pulled is lost with its connection")
  void lost() {
    MachineBed.Heard outcome = call();
    bed.held = true;
    longMessage(XID, TAG, reply(XID, ""));
    bed.disconnected = "cut";
    bed.held = false;
    bed.settle();
    assertThat(outcome.events).as("a Read that is flushed says nothing yet").isEmpty();
    bed.lose("cut");
    assertThat(outcome.events).containsExactly("CONNECTION_LOST");
  }

  @Test
  @DisplayName("R-262 R-267: a reply that cannot be used fails its call, and is done with all the same")
  void useless() {
    MachineBed.Heard otherXid = call();
    longMessage(XID, TAG, reply(XID + 77, "0000002a"));
    assertThat(otherXid.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).containsExactly(done(XID));

    MachineBed.Heard twoChunks = call();
    bed.readable.put(TAG, Hex.bytes(reply(XID + 1, "0000002a")));
    bed.receive("%08x 00000001 00000004 00000001".formatted(XID + 1)
        + "00000001 00000000 00000abc 0000001c 00000000 00000000"
        + "00000001 00000018 00000abd 00000004 00000000 00000000 00000000 00000000 00000000");
    assertThat(twoChunks.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).containsExactly(done(XID + 1));

    MachineBed.Heard unreadable = call();
    bed.receive("%08x 00000001 00000004 00000001 00000001 00000000 00000abc".formatted(XID + 2)
        + "ffffffff 00000000 00000000 00000000 00000000 00000000");
    assertThat(unreadable.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).containsExactly(done(XID + 2));

    MachineBed.Heard nothing = call();
    longMessage(XID + 3, TAG, "");
    assertThat(nothing.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).containsExactly(done(XID + 3));
  }

  @Test
  @DisplayName("A reply for which there is no memory fails its call; a call of the peer's is refused as any other")
  void noMemory() {
    bed.largestRegion = 8;
    MachineBed.Heard outcome = call();
    longMessage(XID, TAG, reply(XID, "0000002a"));
    assertThat(outcome.events).containsExactly("RESOURCES");
    assertThat(bed.takeSent()).containsExactly(done(XID));

    MachineBed.Heard own = call();
    longMessage(XID + 1, TAG, "%08x".formatted(XID + 1) + MachineBed.CALL);
    assertThat(own.events).isEmpty();
    assertThat(bed.takeSent()).as("ERR_CHUNK").singleElement().asString().endsWith("00000004 00000002");
    bed.memoryFails = true;
    longMessage(XID + 1, TAG, reply(XID + 1, ""));
    assertThat(bed.disconnected).contains("no memory");
  }

  /** Fails if {@code Puller.released} wakes nobody. */
  @Test
  @DisplayName("A reply that waits for room is pulled when the memory of another one's call is out of reach at last")
  void roomAfterFence() {
    call();
    longMessage(XID, 0xa0, reply(XID, ""));
    MachineBed.Heard fenced = new MachineBed.Heard();
    XdrWriter arguments = new XdrWriter().dataItem(DataItem.of(new byte[3000])).dataItem(DataItem.of(new byte[3000]));
    bed.machine.call(new TestCall(Said.of(arguments, List.of(), 60_000).typically(0), fenced).carried(),
        bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    MachineBed.Heard waiting = call();
    String results = "0000002a".repeat(20_000);
    int others = bed.regions;
    bed.held = true;
    longMessage(XID + 1, 0xa1, reply(XID + 1, results));
    longMessage(XID + 2, 0xa2, reply(XID + 2, results));
    assertThat(bed.regions - others).as("there is room for one of them").isEqualTo(1);
    bed.held = false;
    bed.settle();
    assertThat(fenced.events).hasSize(1).allMatch(event -> event.startsWith("reply 0000002a"));
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(waiting.events).hasSize(1).allMatch(event -> event.startsWith("reply 0000002a"));
  }

  @Test
  @DisplayName("R-036 R-238 C-02: a Long message with the XID of an own call may be a call of the peer")
  void sameXid() {
    MachineBed.Heard own = call();
    int granted = bed.machine.grantedCredits();
    bed.held = true;
    longMessage(XID, 0xa1, "%08x".formatted(XID) + MachineBed.CALL);
    longMessage(XID, 0xa2, reply(XID, "0000002a"));
    bed.held = false;
    bed.answer();
    assertThat(bed.machine.grantedCredits()).as("of a call nothing is granted").isEqualTo(granted);
    bed.settle();
    assertThat(bed.incoming).hasSize(1);
    assertThat(own.events).containsExactly("reply 0000002a");
    bed.incoming.remove(0).reply(writer -> writer.int32(5));
    bed.settle();
    assertThat(bed.takeSent()).as("DONE and the reply").hasSize(2).first().isEqualTo(done(XID));
  }

  /** Fails if {@code PulledReplies.isReply} does not look at all that it looks at. */
  @Test
  @DisplayName("R-036: what was pulled and does not say for certain that it is the reply grants nothing")
  void uncertainDirection() {
    int xid = XID;
    for (String payload : List.of("", "%08x", "%08x 00000007", "%08x 00000007 00000000 00000000 00000000 00000000",
        "12345678 00000001 00000000 00000000 00000000 00000000")) {
      MachineBed.Heard outcome = call();
      longMessage(xid, TAG, payload.formatted(xid));
      assertThat(outcome.events).as(payload).containsExactly("BAD_REPLY");
      assertThat(bed.takeSent()).containsExactly(done(xid));
      assertThat(bed.machine.grantedCredits()).as(payload).isEqualTo(1);
      xid++;
    }
    call();
    longMessage(xid, TAG, reply(xid, "0000002a"));
    assertThat(bed.machine.grantedCredits()).isEqualTo(4);
  }

  /** Fails if {@code PulledReplies.isReply} counts the metadata block as part of the RPC message. */
  @Test
  @DisplayName("R-036: the metadata behind what was pulled is no direction")
  void metadataIsNoDirection() {
    bed = new MachineBed(MachineBed.like(true).metadata(true)
        .largeReplies(new LargeReplies(true, false, false, 0, MachineBed.SECOND)));
    MachineBed.Heard outcome = call();
    // XID, and a tag of a type that nobody knows.
    longMessage(XID, TAG, "%08x 00000001 00000000 4d440008".formatted(XID));
    assertThat(outcome.events).hasSize(1).doesNotContain("reply");
    assertThat(bed.machine.grantedCredits()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-269: a reply to no call is done with, and nothing more comes of it")
  void nobodys() {
    longMessage(0x77777777, TAG, reply(0x77777777, "0000002a"));
    assertThat(bed.takeSent()).containsExactly(done(0x77777777));
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.disconnected).isEmpty();
  }

  /** Ends that pull no more than 50,000 bytes at a time, of chunks of no more than 100,000. */
  private void smallBed(boolean client) {
    bed = new MachineBed(MachineBed.like(client).limits(new WireLimits(20, 100_000, 100_000, 50_000))
        .largeReplies(new LargeReplies(true, false, false, 0, MachineBed.SECOND)));
  }

  /**
   * Fails if {@code Responder.call} refuses what is too much to pull, or {@code MessageRouter.message} what is beyond
   * its limits, before the direction is known.
   */
  @ParameterizedTest
  @CsvSource({"true,60000", "false,60000", "true,100004", "false,100004"})
  @DisplayName("R-144 R-269: a reply to no call is done with, however large, and a call that is as large is refused")
  void nobodysAndLarge(boolean client, int bytes) {
    smallBed(client);
    int xid = 0x77777777;
    longMessage(xid, TAG, reply(xid, "00".repeat(bytes - 24)));
    assertThat(bed.takeSent()).containsExactly(done(xid));
    assertThat(bed.bytesPulled).as("XID and msg_type").isEqualTo(8);
    longMessage(xid, TAG, "%08x".formatted(xid) + MachineBed.CALL + "00".repeat(bytes - 40));
    assertThat(bed.takeSent()).containsExactly("77777777 00000001 00000003 00000004 00000002");
    assertThat(bed.bytesPulled).isEqualTo(16);
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.machine.activeCalls()).isZero();
    assertThat(bed.disconnected).isEmpty();
  }

  /** Fails if {@code MessageRouter.unreasonable} asks for the XID of any call, sent or not. */
  @Test
  @DisplayName("R-269: nor does a call that was not sent yet wait for a reply")
  void tooLargeBeforeItsCall() {
    smallBed(true);
    bed.held = true;
    bed.fillSendQueue();
    bed.takeSent();
    MachineBed.Heard outcome = new MachineBed.Heard();
    bed.machine.call(new TestCall(Said.of(new XdrWriter().int32(1), List.of(), 60_000).typically(0), outcome).carried(),
        bed.now + 5 * MachineBed.SECOND);
    longMessage(XID, TAG, reply(XID, "00".repeat(100_000)));
    bed.held = false;
    bed.settle();
    assertThat(outcome.events).isEmpty();
    assertThat(bed.takeSent()).contains(done(XID));
  }

  /** Fails if {@code Requester.unreadable} does not ask for the call, or says nothing of its reply. */
  @Test
  @DisplayName("R-143 R-269: of a Long message whose lists cannot be read a call's reply is done with, and no other")
  void unreadable() {
    bed.receive("%08x 00000001 00000004 00000001 00000005".formatted(XID) + "00000000 00000000");
    assertThat(bed.takeSent()).isEmpty();
    MachineBed.Heard outcome = call();
    bed.receive("%08x 00000001 00000004 00000001 00000005".formatted(XID) + "00000000 00000000");
    assertThat(bed.takeSent()).containsExactly(done(XID));
    assertThat(outcome.events).containsExactly("BAD_REPLY");
  }

  /** Fails if {@code Responder.unreasonable} does not ask whether the call is hopeless. */
  @Test
  @DisplayName("R-152: nothing is read of a call that is too large, and whose tags were refused before")
  void hopelessAndLarge() {
    SessionCache history = MachineBed.newHistory();
    int xid = 0x77777777;
    for (int i = 0; i < 3; i++) {
      history.operationsFailed(xid);
    }
    bed = new MachineBed(MachineBed.like(false).limits(new WireLimits(20, 100_000, 100_000, 50_000))
        .largeReplies(new LargeReplies(true, false, false, 0, MachineBed.SECOND)), history, true);
    longMessage(xid, TAG, "%08x".formatted(xid) + MachineBed.CALL + "00".repeat(100_000));
    assertThat(bed.takeSent()).containsExactly("77777777 00000001 00000003 00000004 00000002");
    assertThat(bed.bytesPulled).isZero();
  }

  /** Fails if {@code Responder.judge} looks at the XID inside first. */
  @Test
  @DisplayName("R-144 R-269: a reply to no call is no call, whatever XID is inside")
  void nobodysWithAnotherXid() {
    longMessage(0x77777777, TAG, reply(0x12345678, "0000002a"));
    assertThat(bed.takeSent()).containsExactly(done(0x77777777));
    assertThat(bed.disconnected).isEmpty();
  }

  /** Fails if {@code MessageRouter.unreasonable} asks for the direction where no replies are pulled. */
  @Test
  @DisplayName("C-02: where replies are not pulled, a Long message that is too large is refused unseen")
  void largeCall() {
    bed = new MachineBed(false);
    longMessage(0x77777777, TAG, "77777777" + MachineBed.CALL + "00".repeat(100_000));
    assertThat(bed.takeSent()).containsExactly("77777777 00000001 00000003 00000004 00000002");
    assertThat(bed.bytesPulled).isZero();
  }

  @Test
  @DisplayName("R-338: a peer that provides more replies than there can be calls loses the connection")
  void flood() {
    call();
    bed.held = true;
    for (int i = 0; i <= MachineBed.CREDITS + 2 * MachineBed.GRANTED; i++) {
      longMessage(XID, TAG, reply(XID, ""));
    }
    assertThat(bed.disconnected).contains("more replies");
  }

  @Test
  @DisplayName("R-130: without the feature RDMA_DONE is never said")
  void notAgreed() {
    bed = new MachineBed(true);
    MachineBed.Heard outcome = bed.call(4);
    bed.takeSent();
    longMessage(XID, TAG, reply(XID, ""));
    assertThat(outcome.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).isEmpty();
  }

  @Test
  @DisplayName("RFC 8797 4.1: what the reply's Send invalidates belongs to its call")
  void foreignTagInvalidated() {
    call();
    bed.receive("%08x 00000001 00000004 00000001 00000001 00000000 00000abc 0000001c 00000000 00000000"
        .formatted(XID) + "00000000 00000000 00000000", OptionalInt.of(0x4711));
    assertThat(bed.disconnected).contains("does not belong");
  }
}
