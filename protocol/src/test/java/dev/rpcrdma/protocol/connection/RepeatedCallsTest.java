// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.CallRecord;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.responder.Reply;
import dev.rpcrdma.protocol.session.ForeignCache;
import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that come again, and calls whose connection is gone, at a server's machine. */
class RepeatedCallsTest extends RepeatedCallsChecks {

  @Test
  @DisplayName("R-152: a call whose tags the peer's device has refused three times is answered ERR_CHUNK;"
      + " no other call suffers for it")
  void loop() {
    SessionCache history = MachineBed.newHistory();
    for (int i = 0; i < 3; i++) {
      MachineBed bed = MachineBed.remembering(history);
      // Its answer is given again, and refused again.
      assertThat(executed(bed, PLACED)).isEqualTo(i == 0);
      // It is under way each time, too, and comes again each time.
      assertThat(executed(bed, OTHER_PLACED)).isEqualTo(i == 0);
      bed.machine.disconnected("The peer's device refused", OptionalInt.of(0xabcd), bed.now);
      bed.endServices();
    }
    MachineBed bed = MachineBed.remembering(history);
    bed.receive(PLACED);
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK);
    bed.receive(OTHER_PLACED);
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000005");
    assertThat(bed.incoming).isEmpty();
  }

  @Test
  @DisplayName("R-152: a connection that was just lost, or for an unknown reason, is nobody's fault")
  void justLost() {
    SessionCache history = MachineBed.newHistory();
    for (int i = 0; i < 5; i++) {
      MachineBed bed = MachineBed.remembering(history);
      assertThat(executed(bed, PLACED.replace("11111111", "%08x".formatted(i << 3 | 1)))).isTrue();
      bed.lose("cut");
      bed.endServices();
    }
  }

  @Test
  @DisplayName("R-159 B-095: a repeated call gets its first answer, over another connection, and by"
      + " the chunks that it brings there")
  void otherChunks() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(first, INLINE)).isTrue();
    first.lose("cut");
    // Only now the service answers, with an item.
    first.incoming.get(0).reply(writer -> writer.dataItem(
        DataItem.of(new byte[] {1, 2, 3, 4})));
    assertThat(first.takeSent()).isEmpty();
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, INLINE)).isFalse();
    second.settle();
    assertThat(second.takeSent()).containsExactly("11111111 00000001 00000003 00000000 00000000"
        + " 00000000 00000000 11111111 00000001 00000000 00000000 00000000 00000000 00000004"
        + " 01020304");
    MachineBed third = MachineBed.remembering(first.history);
    assertThat(executed(third, PLACED)).isFalse();
    third.settle();
    assertThat(third.takeSent()).containsExactly("write 4 to abcd+0",
        "11111111 00000001 00000003 00000000 00000000 00000001 00000001 0000abcd 00000004"
            + " 00000000 00000000 00000000 00000000 11111111 00000001 00000000 00000000 00000000"
            + " 00000000 00000004");
    assertThat(second.regions + third.regions).isZero();
  }

  @Test
  @DisplayName("R-159 R-320: a result that is still in the arguments' memory when its connection is gone")
  void resultInsideOfArguments() {
    String stream = "11111111" + CALL + "00000004 01020304";
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    first.readable.put(0x77, Hex.bytes(stream));
    assertThat(executed(first, "11111111 00000001 00000020 00000001 00000001 00000000 00000077 00000030"
        + "00000000 00000000 00000000 00000000 00000000")).isTrue();
    IncomingCall call = first.incoming.get(0);
    ByteBuffer view = call.arguments().opaqueView(4);
    first.lose("cut");
    call.reply(writer -> writer.opaque(view));
    assertThat(first.regions).isZero();
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second,
        "11111111 00000001 00000020 00000000 00000000 00000000 00000000" + stream)).isFalse();
    second.settle();
    assertThat(second.takeSent()).hasSize(1).first().asString().endsWith("00000004 01020304");
  }

  @Test
  @DisplayName("A repeated call whose reply was not kept is answered ERR_CHUNK, and not executed")
  void replyLost() {
    SessionCache none = new SessionCache(3, new Deadlines(), 0, 0);
    MachineBed other = MachineBed.remembering(none);
    assertThat(executed(other, INLINE)).isTrue();
    other.incoming.get(0).reply(writer -> writer.int32(7));
    other.settle();
    other.takeSent();
    assertThat(executed(other, INLINE)).isFalse();
    other.settle();
    assertThat(other.takeSent()).containsExactly(ERR_CHUNK);
  }

  @Test
  @DisplayName("R-159 R-327: what a repeated call brings is not kept while the first is being executed")
  void argumentsOfRepetitions() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(first, REDUCED)).isTrue();
    assertThat(first.regions).isEqualTo(1);
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, REDUCED)).isFalse();
    assertThat(second.regions).isZero();
    second.lose("cut");
    MachineBed third = MachineBed.remembering(first.history);
    for (int i = 0; i < 2; i++) {
      // Nothing of it is pulled.
      assertThat(executed(third, REDUCED)).isFalse();
    }
    first.incoming.get(0).reply(writer -> writer.int32(42));
    first.settle();
    third.settle();
    assertThat(third.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("0000002a"));
    first.checkAtRest();
    third.checkAtRest();
  }

  @Test
  @DisplayName("R-060 R-159: results that may not be sent are not remembered either")
  void strayResultsTooLate() {
    List<Throwable> failures = new ArrayList<>();
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    first.encodingFailed = failures::add;
    assertThat(executed(first, INLINE)).isTrue();
    first.incoming.get(0).eligibleResults(0);
    first.lose("cut");
    first.incoming.get(0).reply(writer -> writer.dataItem(DataItem.of(new byte[] {1, 2, 3, 4})));
    assertThat(failures).hasSize(1);
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, PLACED)).isFalse();
    second.settle();
    assertThat(second.takeSent()).singleElement().asString().endsWith("00000000 00000005");
  }

  @Test
  @DisplayName("R-159: a reply is remembered before it is sent")
  void rememberedFirst() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    bed.receive(INLINE);
    List<Integer> sentBefore = new ArrayList<>();
    bed.incoming.get(0).record(new CallRecord() {
      @Override
      public void replied(Supplier<Reply> reply) {
        sentBefore.add(bed.sent.size());
      }

      @Override
      public void refused(Reply reply) {}

      @Override
      public void dropped() {}

      @Override
      public void delivered(int xid) {
        throw new AssertionError("Nothing is pulled");
      }

      @Override
      public void undelivered(int xid, Reply reply) {
        throw new AssertionError("Nothing is pulled");
      }

      @Override
      public void orphaned(long deadline) {}

      @Override
      public void givenUp() {}
    });
    bed.incoming.get(0).reply(XdrEncoder.VOID);
    assertThat(sentBefore).containsExactly(0);
    assertThat(bed.sent).hasSize(1);
  }

  @Test
  @DisplayName("R-159: a reply is whole also if its repetition takes the last slot before it")
  void lastSlotTaken() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(bed, INLINE)).isTrue();
    assertThat(executed(bed, INLINE)).isFalse();
    bed.held = true;
    for (int i = 1; i < MachineBed.SEND_SLOTS; i++) {
      bed.receive("22222222 00000002 00000020 00000000 00000000 00000000 00000000");
    }
    assertThat(bed.takeSent()).hasSize(MachineBed.SEND_SLOTS - 1);
    bed.incoming.get(0).reply(writer -> writer.int32(42));
    assertThat(bed.sent).as("one slot was left").hasSize(1);
    bed.held = false;
    bed.settle();
    assertThat(bed.sent).hasSize(2);
    assertThat(bed.sent.get(1)).isEqualTo(bed.sent.get(0)).endsWith("0000002a");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-159: a service that never answers costs its caller a SYSTEM_ERR, with its connection or without,"
      + " and nobody else anything")
  void stuckService() {
    Deadlines deadlines = new Deadlines();
    SessionCache history = new SessionCache(3, deadlines, 1 << 20, 0);
    MachineBed first = MachineBed.remembering(history);
    assertThat(executed(first, INLINE)).isTrue();
    first.lose("cut");
    MachineBed second = MachineBed.remembering(history);
    assertThat(executed(second, INLINE)).as("its service is at work").isFalse();
    assertThat(second.takeSent()).isEmpty();
    assertThat(deadlines.next()).isEqualTo(MachineBed.SERVICE_TIME);
    deadlines.advance(MachineBed.SERVICE_TIME);
    second.settle();
    assertThat(second.takeSent()).singleElement().asString().endsWith("00000005");
    assertThat(executed(second, INLINE)).as("SYSTEM_ERR is kept").isFalse();
    assertThat(second.takeSent()).singleElement().asString().endsWith("00000005");
    // At last it answers, and nobody asks.
    first.incoming.get(0).reply(writer -> writer.int32(42));
    assertThat(executed(second, INLINE)).isFalse();
    assertThat(second.takeSent()).singleElement().asString().endsWith("00000005");
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("R-159: what is remembered of a call ends when its slot is used for another one, and not before")
  void slots() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(bed, INLINE)).isTrue();
    bed.incoming.get(0).reply(writer -> writer.int32(42));
    bed.settle();
    for (int slot = 0; slot < 8; slot++) {
      for (int counter = 1; counter < 30 && slot != 1; counter++) {
        bed.incoming.clear();
        assertThat(executed(bed, INLINE.replace("11111111", "%08x".formatted(counter << 3 | slot))))
            .isTrue();
        bed.endServices();
      }
    }
    bed.takeSent();
    assertThat(executed(bed, INLINE)).isFalse();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("0000002a");
    assertThat(executed(bed, INLINE.replace("11111111", "11111119"))).isTrue();
  }

  /** Fails if {@code SessionCache.isLate} is always false, or if it takes any lower number to be late. */
  @Test
  @DisplayName("R-159: a call whose slot has had another one since is not executed, as if somebody had held it back")
  void late() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(bed, INLINE.replace("11111111", "11111119"))).isTrue();
    bed.endServices();
    bed.takeSent();
    assertThat(executed(bed, INLINE)).isFalse();
    assertThat(bed.takeSent()).containsExactly("11111111 00000001 00000003 00000004 00000002");
    String next = INLINE.replace("11111111", "11111121");
    assertThat(executed(bed, next)).isTrue();
    bed.endServices();
    // Numbers begin again when there are no higher ones.
    assertThat(executed(bed, INLINE.replace("11111111", "00000001"))).isTrue();
    bed.endServices();
    ((SessionCache) bed.history).clear();
    assertThat(executed(bed, INLINE.replace("11111111", "fffffff1"))).as("forgotten").isTrue();
    bed.endServices();
  }

  @Test
  @DisplayName("A call that may be executed again joins while it is executed, and is executed again afterwards")
  void repeatable() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    bed.repeatable = true;
    assertThat(executed(bed, INLINE)).isTrue();
    assertThat(executed(bed, INLINE)).isFalse();
    bed.incoming.get(0).reply(writer -> writer.int32(42));
    bed.settle();
    assertThat(bed.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("0000002a"));
    assertThat(((SessionCache) bed.history).bytes()).as("no reply is kept").isZero();
    assertThat(executed(bed, INLINE)).isTrue();
    assertThat(executed(bed, INLINE)).isFalse();
    bed.incoming.get(1).reply(writer -> writer.int32(43));
    bed.settle();
    assertThat(bed.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("0000002b"));
  }

  @Test
  @DisplayName("A foreign client's call is remembered for a time from when it is whole")
  void foreignTime() {
    MachineBed bed = MachineBed.remembering(
        new ForeignCache(4, MachineBed.SECOND, new Deadlines(), 1 << 20));
    bed.now = 5 * MachineBed.SECOND;
    assertThat(executed(bed, INLINE)).isTrue();
    bed.endServices();
    bed.now += MachineBed.SECOND;
    assertThat(executed(bed, INLINE)).isFalse();
    bed.now++;
    assertThat(executed(bed, INLINE)).isTrue();
    bed.endServices();
  }

  @Test
  @DisplayName("A refused call leaves nothing behind, and whoever repeated it meanwhile hears the same")
  void refused() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    first.held = true;
    first.receive(REDUCED);
    MachineBed second = MachineBed.remembering(first.history);
    second.receive(REDUCED);
    first.service = call -> call.reject(new ReplyHeader.Accepted(call.xid(), AcceptStatus.PROG_UNAVAIL));
    late(first);
    second.settle();
    assertThat(first.takeSent()).singleElement().asString().endsWith("00000001");
    assertThat(second.takeSent()).singleElement().asString().endsWith("00000001");
    assertThat(((SessionCache) first.history).size()).isZero();
  }

  @Test
  @DisplayName("R-327: nothing is remembered of a call that was refused for want of room")
  void refusedForWantOfRoom() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(bed, REDUCED)).isTrue();
    assertThat(executed(bed, REDUCED.replace("11111111", "22222222"))).as("it waits for room").isFalse();
    bed.now = MachineBed.SERVICE_TIME;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("00000005"));
    assertThat(((SessionCache) bed.history).size()).as("the first one alone").isEqualTo(1);
    bed.endServices();
  }

  @Test
  @DisplayName("R-143 R-159: a call whose chunks cannot be pulled is as if it had not come")
  void pullFails() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    first.readsFail = true;
    assertThat(executed(first, REDUCED)).isFalse();
    assertThat(first.takeSent()).containsExactly(ERR_CHUNK);
    assertThat(first.refused).as("it is not for want of memory").isEmpty();
    assertThat(((SessionCache) first.history).size()).isZero();
    first.readsFail = false;
    assertThat(executed(first, REDUCED)).isTrue();
  }

  @Test
  @DisplayName("R-159: SYSTEM_ERR for a service that takes too long is remembered as any other reply")
  void serviceTimeOut() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(bed, INLINE)).isTrue();
    bed.now = MachineBed.SERVICE_TIME;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000005");
    bed.incoming.get(0).reply(writer -> writer.int32(42));
    bed.settle();
    assertThat(executed(bed, INLINE)).isFalse();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000005");
  }

  @Test
  @DisplayName("R-159: a call whose slot is used for another one while it is pulled is not executed")
  void slotTakenWhilePulled() {
    MachineBed bed = MachineBed.remembering(MachineBed.newHistory());
    bed.held = true;
    bed.receive(REDUCED);
    bed.receive(REDUCED);
    assertThat(executed(bed, INLINE.replace("11111111", "11111119"))).isTrue();
    late(bed);
    assertThat(bed.incoming).as("nothing but the other one").hasSize(1);
    assertThat(((SessionCache) bed.history).size()).isEqualTo(1);
    bed.endServices();
    assertThat(bed.regions).isZero();
    assertThat(bed.machine.activeCalls()).as("also who waited for it has an answer").isZero();
  }

  @Test
  @DisplayName("R-159: what a service answers late is no answer to the next call of its slot")
  void slotTakenWhileExecuted() {
    String next = INLINE.replace("11111111", "11111119");
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(first, INLINE)).isTrue();
    first.lose("its caller gives up, and its connection is cut");
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, next)).isTrue();
    first.incoming.get(0).reply(writer -> writer.int32(42));
    second.lose("cut");
    MachineBed third = MachineBed.remembering(first.history);
    assertThat(executed(third, next)).isFalse();
    assertThat(third.takeSent()).as("it is still being executed").isEmpty();
    second.incoming.get(0).reply(writer -> writer.int32(43));
    third.settle();
    assertThat(third.takeSent()).singleElement().asString().endsWith("0000002b");
  }

  @Test
  @DisplayName("A service that answers when its time is over ends no later execution of the same call")
  void lateAnswerOfRepeatable() {
    Deadlines deadlines = new Deadlines();
    SessionCache history = new SessionCache(3, deadlines, 1 << 20, 0);
    MachineBed first = MachineBed.remembering(history);
    first.repeatable = true;
    assertThat(executed(first, INLINE)).isTrue();
    first.lose("cut");
    deadlines.advance(MachineBed.SERVICE_TIME);
    MachineBed second = MachineBed.remembering(history);
    second.repeatable = true;
    assertThat(executed(second, INLINE)).isTrue();
    first.incoming.get(0).reply(writer -> writer.int32(42));
    assertThat(executed(second, INLINE)).as("it is executed still").isFalse();
    second.incoming.get(0).reply(writer -> writer.int32(43));
    second.settle();
    assertThat(second.takeSent()).hasSize(2).allMatch(reply -> reply.endsWith("0000002b"));
  }

  private static final TestSettings PROVIDING = MachineBed.like(false)
      .largeReplies(new LargeReplies(false, true, false, 100_000, MachineBed.SECOND));

  @Test
  @DisplayName("R-159: a large reply that was not pulled when its connection was lost is kept, until it is; cf. R-278")
  void largeReply() {
    SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
    MachineBed bed = new MachineBed(PROVIDING, history, true);
    assertThat(executed(bed, INLINE)).isTrue();
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(new byte[2000]);
    bed.incoming.get(0).reply(writer -> writer.dataItem(item));
    bed.settle();
    assertThat(history.largeBytes()).as("while it may be pulled").isZero();
    String provided = bed.takeSent().get(0);
    bed.machine.fence("there is another connection");
    assertThat(history.largeBytes()).isEqualTo(2004);
    MachineBed next = new MachineBed(PROVIDING, history, true);
    assertThat(executed(next, INLINE)).isFalse();
    assertThat(next.takeSent()).containsExactly(provided);
    bed.lose("cut");
    bed.settle();
    bed.checkAtRest();
    assertThat(item.owners).as("of what is kept, and of the second reply").isEqualTo(2);
    next.receive("11111111 00000001 00000004 00000003");
    assertThat(history.largeBytes()).isZero();
    assertThat(item.owners).isZero();
    next.checkAtRest();
    assertThat(executed(next, INLINE)).as("it is still known").isFalse();
    assertThat(next.takeSent()).containsExactly(ERR_CHUNK);
  }

  /** Fails if {@code DuplicateRequestCache.undelivered} keeps what its requester has by now. */
  @Test
  @DisplayName("A large reply that was pulled over the next connection is not kept again when the first one ends")
  void pulledMeanwhile() {
    SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
    MachineBed bed = new MachineBed(PROVIDING, history, true);
    assertThat(executed(bed, INLINE)).isTrue();
    bed.machine.fence("there is another connection");
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(new byte[2000]);
    bed.memoryHeld = true;
    bed.incoming.get(0).reply(writer -> writer.dataItem(item));
    assertThat(history.largeBytes()).isEqualTo(2004);
    MachineBed next = new MachineBed(PROVIDING, history, true);
    assertThat(executed(next, INLINE)).isFalse();
    assertThat(next.takeSent()).hasSize(1);
    next.receive("11111111 00000001 00000004 00000003");
    assertThat(history.largeBytes()).isZero();
    bed.releaseMemory();
    bed.lose("cut");
    bed.settle();
    assertThat(history.largeBytes()).as("nobody asks for it any more").isZero();
    assertThat(item.owners).isZero();
  }

  /** Fails if {@code DuplicateRequestCache.undelivered} does not compare XIDs. */
  @Test
  @DisplayName("R-159: a large reply that was not pulled is not kept for the next call of its slot")
  void largeReplyOfEarlierCall() {
    SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
    MachineBed first = new MachineBed(PROVIDING, history, true);
    assertThat(executed(first, INLINE)).isTrue();
    first.incoming.get(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    first.settle();
    MachineBed second = new MachineBed(PROVIDING, history, true);
    assertThat(executed(second, INLINE.replace("11111111", "11111119"))).isTrue();
    second.incoming.get(0).reply(writer -> writer.fixedOpaque(new byte[3000]));
    second.settle();
    first.lose("cut");
    assertThat(history.largeBytes()).as("of the other call").isZero();
    second.lose("cut");
    assertThat(history.largeBytes()).isEqualTo(3000);
  }

  /** Memory of an application that releases it while its reply waits to be pulled. */
  private static final class Released implements DataItem {

    private boolean released;

    @Override
    public int length() {
      return 2000;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      target.put(new byte[2000]);
    }

    @Override
    public boolean tryRetain() {
      return !released;
    }

    @Override
    public boolean tryRelease() {
      return !released;
    }
  }

  /** Fails if {@code DuplicateRequestCache.undelivered} keeps what it could not retain. */
  @Test
  @DisplayName("A large reply whose results the application has released is not kept")
  void releasedLargeReply() {
    SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
    MachineBed bed = new MachineBed(PROVIDING, history, true);
    assertThat(executed(bed, INLINE)).isTrue();
    Released item = new Released();
    bed.incoming.get(0).reply(writer -> writer.dataItem(item));
    bed.settle();
    item.released = true;
    bed.lose("cut");
    assertThat(history.largeBytes()).isZero();
    MachineBed next = new MachineBed(PROVIDING, history, true);
    assertThat(executed(next, INLINE)).isFalse();
    assertThat(next.takeSent()).containsExactly(ERR_CHUNK);
  }

  @Test
  @DisplayName("Of large replies that were not pulled the youngest are kept, up to a number of bytes")
  void largeReplyBytes() {
    SessionCache history = new SessionCache(3, new Deadlines(), 8, 5000);
    MachineBed bed = new MachineBed(PROVIDING, history, true);
    List<SimulatedMemory.AppItem> items = new ArrayList<>();
    for (int xid = 0; xid < 3; xid++) {
      executed(bed, INLINE.replace("11111111", "%08x".formatted(xid)));
      items.add(new SimulatedMemory.AppItem(new byte[xid == 1 ? 5000 : 1996]));
      SimulatedMemory.AppItem item = items.get(xid);
      bed.incoming.get(xid).reply(writer -> writer.dataItem(item));
      bed.settle();
    }
    bed.lose("cut");
    bed.settle();
    assertThat(history.largeBytes()).as("two of 2000; one of 5004 is too large").isEqualTo(4000);
    assertThat(items.stream().map(item -> item.owners)).containsExactly(1, 0, 1);
    MachineBed next = new MachineBed(PROVIDING, history, true);
    executed(next, INLINE.replace("11111111", "00000003"));
    next.incoming.get(0).reply(writer -> writer.dataItem(new SimulatedMemory.AppItem(new byte[1996])));
    next.settle();
    next.lose("cut");
    next.settle();
    assertThat(items.stream().map(item -> item.owners)).as("the oldest is given up").containsExactly(0, 0, 1);
    history.clear();
    assertThat(history.largeBytes()).isZero();
    assertThat(items.stream().map(item -> item.owners)).containsExactly(0, 0, 0);
  }

  @Test
  @DisplayName("Replies are kept up to a number of bytes, to the last one")
  void replyBytes() {
    SessionCache history = new SessionCache(3, new Deadlines(), 8, 0);
    MachineBed bed = MachineBed.remembering(history);
    for (int xid = 0; xid < 3; xid++) {
      assertThat(executed(bed, INLINE.replace("11111111", "%08x".formatted(xid)))).isTrue();
      bed.incoming.get(xid).reply(writer -> writer.int32(7));
      bed.settle();
    }
    assertThat(history.bytes()).as("results of two calls").isEqualTo(8);
    assertThat(history.size()).isEqualTo(3);
    bed.takeSent();
    assertThat(executed(bed, INLINE.replace("11111111", "00000000"))).isFalse();
    assertThat(bed.takeSent()).containsExactly(ERR_CHUNK.replace("11111111", "00000000"));
    assertThat(executed(bed, INLINE.replace("11111111", "00000001"))).isFalse();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000007");
    history.clear();
    assertThat(history.size()).isZero();
    assertThat(history.bytes()).isZero();
  }

  @Test
  @DisplayName("R-152: of the calls with chunks the last ones are blamed, twice as many as were granted")
  void lastOnes() {
    for (int blamed = 1; blamed <= 2; blamed++) {
      SessionCache history = MachineBed.newHistory();
      MachineBed bed = MachineBed.remembering(history);
      for (int i = 1; i <= 2 * MachineBed.GRANTED + 1; i++) {
        assertThat(executed(bed, PLACED.replace("11111111", "%08x".formatted(i))
            .replace("0000abcd", "%08x".formatted(0xab00 + i)))).isTrue();
        bed.endServices();
        bed.incoming.clear();
      }
      CallHistory counted = history;
      for (int i = 0; i < 3; i++) {
        assertThat(counted.hopeless(blamed)).isFalse();
        bed.machine.disconnected("refused", OptionalInt.of(0xab00 + blamed), bed.now);
        bed = MachineBed.remembering(history);
        for (int j = 1; j <= 2 * MachineBed.GRANTED + 1; j++) {
          bed.receive(PLACED.replace("11111111", "%08x".formatted(j))
              .replace("0000abcd", "%08x".formatted(0xab00 + j)));
        }
        bed.settle();
      }
      assertThat(counted.hopeless(blamed)).as("call %d", blamed).isEqualTo(blamed == 2);
    }
  }

  @Test
  @DisplayName("R-159 R-320: a reply with an item goes to the call and to its repetition, and the item is released"
      + " once by each")
  void itemForBoth() {
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(new byte[] {1, 2, 3, 4});
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(first, PLACED)).isTrue();
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, PLACED)).isFalse();
    first.held = true;
    second.held = true;
    first.incoming.get(0).reply(writer -> writer.dataItem(item));
    assertThat(item.owners).isPositive();
    first.held = false;
    first.settle();
    second.held = false;
    second.settle();
    assertThat(first.takeSent()).hasSize(2).first().isEqualTo("write 4 to abcd+0");
    assertThat(second.takeSent()).hasSize(2).first().isEqualTo("write 4 to abcd+0");
    assertThat(item.owners).isZero();
  }
}
