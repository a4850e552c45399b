// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.Liveness;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a requester gives back when a call of it ends in an unusual way. */
class CreditsTest {

  private static final String REPLY = "%1$08x 00000001 00000003 00000000 00000000 00000000 00000000"
      + " %1$08x 00000001 00000000 00000000 00000000 00000000";

  private static String reply(int xid) {
    return REPLY.formatted(xid);
  }

  @Test
  @DisplayName("R-023: a call that is cancelled while its memory is prepared gives credit and XID back")
  void cancelledWhilePreparing() {
    MachineBed bed = new MachineBed(true);
    bed.memoryHeld = true;
    MachineBed.Heard outcome = new MachineBed.Heard();
    TestCall handle = bed.handle(outcome, 5000);
    MachineBed.Heard next = bed.call(4);
    assertThat(bed.takeSent()).as("there is one credit").isEmpty();
    handle.cancel(bed.now);
    assertThat(outcome.events).containsExactly("CANCELLED");
    bed.releaseMemory();
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(reply(MachineBed.FIRST_XID + 1));
    assertThat(next.events).hasSize(1);
    bed.checkAtRest();
    assertThat(bed.xids.inUse()).isZero();
  }

  @Test
  @DisplayName("R-222: a call keeps its slot until its late reply has come, or its connection is lost")
  void lateReply() {
    for (boolean lost : new boolean[] {false, true}) {
      MachineBed bed = new MachineBed(true);
      MachineBed.Heard outcome = new MachineBed.Heard();
      bed.handle(outcome, 4).cancel(bed.now);
      assertThat(outcome.events).containsExactly("CANCELLED");
      assertThat(bed.xids.inUse()).isEqualTo(1);
      if (lost) {
        bed.lose("cut");
      } else {
        bed.receive(reply(MachineBed.FIRST_XID));
      }
      assertThat(bed.xids.inUse()).as("lost: %s", lost).isZero();
    }
  }

  @Test
  @DisplayName("R-172: memory whose time to live is over does not count as set aside any more")
  void setAsideExpires() {
    MachineBed bed = new MachineBed(true);
    bed.handle(new MachineBed.Heard(), 5000).cancel(bed.now);
    assertThat(bed.machine.bytesSetAside()).isPositive();
    bed.now += MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.machine.bytesSetAside()).isZero();
    assertThat(bed.regions).isZero();
  }

  @Test
  @DisplayName("R-158: a result that fills more of its Write chunk than its length word says fails its call")
  void moreThanItsLength() {
    MachineBed bed = new MachineBed(true);
    MachineBed.Heard outcome = new MachineBed.Heard() {
      @Override
      public void replied(XdrReader results) {
        try {
          results.dataItem(2000);
          events.add("read");
        } catch (XdrException e) {
          events.add("refused");
        }
      }
    };
    bed.handle(outcome, 8, 2000);
    bed.takeSent();
    bed.receive(("%1$08x 00000001 00000003 00000000 00000000 00000001 00000001 00001001 00000008"
        + " 00000000 00000000 00000000 00000000 %1$08x 00000001 00000000 00000000 00000000 00000000"
        + " 00000004").formatted(MachineBed.FIRST_XID));
    assertThat(outcome.events).containsExactly("refused");
  }

  /** Memory of an application that releases it once too often. */
  private static final class Spoilt implements DataItem {

    private int owners = 1;

    @Override
    public int length() {
      return 8;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      if (owners == 0) {
        throw new IllegalStateException("The payload was released");
      }
      target.put(new byte[8]);
    }

    @Override
    public boolean tryRetain() {
      owners += owners == 0 ? 0 : 1;
      return owners > 0;
    }

    @Override
    public boolean tryRelease() {
      return owners > 0 && owners-- > 0;
    }
  }

  @Test
  @DisplayName("Arguments that are released while their call waits cost nobody but that call")
  void argumentsReleased() {
    for (int results : new int[] {4, 5000}) {
      MachineBed bed = new MachineBed(true);
      MachineBed.Heard first = bed.call(4);
      Spoilt item = new Spoilt();
      MachineBed.Heard spoilt = new MachineBed.Heard();
      bed.machine.call(new TestCall(Said.of(new XdrWriter().dataItem(item), List.of(), results), spoilt).carried(),
          bed.now + MachineBed.SECOND);
      MachineBed.Heard last = bed.call(4);
      item.owners = 0;
      bed.takeSent();
      bed.receive(reply(MachineBed.FIRST_XID).replace("00000003", "00000001"));
      assertThat(first.events).hasSize(1);
      assertThat(spoilt.events).containsExactly("RESOURCES");
      assertThat(bed.takeSent()).as("the next one goes out").hasSize(1);
      bed.receive(reply(MachineBed.FIRST_XID + 2));
      assertThat(last.events).hasSize(1);
      bed.checkAtRest();
      assertThat(bed.xids.inUse()).isZero();
    }
  }

  @Test
  @DisplayName("Results that are released while their reply waits make it SYSTEM_ERR, and cost nobody else"
      + " anything")
  void resultsReleased() {
    MachineBed bed = new MachineBed(false);
    bed.encodingFailed = cause -> { };
    bed.held = true;
    bed.fillSendQueue();
    bed.receive("22222222 00000001 00000020 00000000 00000000 00000000 00000000 22222222"
        + MachineBed.CALL);
    Spoilt item = new Spoilt();
    bed.incoming.remove(0).reply(writer -> writer.dataItem(item.retain()));
    item.owners = 0;
    bed.takeSent();
    bed.held = false;
    bed.settle();
    assertThat(bed.takeSent()).last().asString().startsWith("22222222").endsWith("00000005");
    assertThat(bed.disconnected).isEmpty();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("C-16: a result that can have no bytes gets an empty Write chunk at a server of ours, and one with"
      + " a segment at a foreign one")
  void emptyChunk() {
    MachineBed ours = new MachineBed(true);
    ours.call(8, 0, 2000);
    assertThat(ours.takeSent()).singleElement().asString()
        .contains("00000001 00000000 00000001 00000001 00001001 000007d0");
    MachineBed foreign = MachineBed.ofForeignServer();
    MachineBed.Heard outcome = foreign.call(8, 0, 2000);
    assertThat(foreign.takeSent()).singleElement().asString()
        .contains("00000001 00000001 00001001 00000004").contains("00001002 000007d0");
    foreign.receive(("%1$08x 00000001 00000003 00000000 00000001 00000001 00001001 00000000 00000000"
        + " 00000000 00000001 00000001 00001002 00000000 00000000 00000000 00000000 00000000"
        + " %1$08x 00000001 00000000 00000000 00000000 00000000").formatted(MachineBed.FIRST_XID));
    assertThat(outcome.events).hasSize(1);
    foreign.checkAtRest();
  }

  @Test
  @DisplayName("C-02 C-10: a reply in Read chunks, which nobody has agreed to, fails its call at once and is not"
      + " answered; a call under that XID is a call")
  void replyInReadChunks() {
    MachineBed bed = new MachineBed(true);
    MachineBed.Heard outcome = bed.call(4);
    bed.takeSent();
    String chunk = "%1$08x 00000001 00000003 00000001 00000001 00000000 00000077 00000018 00000000"
        + " 00000000 00000000 00000000 00000000";
    bed.readable.put(0x77, Hex.bytes(
        "%1$08x 00000001 00000000 00000000 00000000 00000000".formatted(MachineBed.FIRST_XID)));
    bed.receive(chunk.formatted(MachineBed.FIRST_XID));
    assertThat(outcome.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).isEmpty();
    // Nobody waits for it any more.
    long discarded = bed.machine.counters().discarded();
    bed.receive(chunk.formatted(MachineBed.FIRST_XID));
    assertThat(bed.machine.counters().discarded()).isEqualTo(discarded + 1);
    assertThat(bed.takeSent()).isEmpty();
    MachineBed.Heard other = bed.call(4);
    bed.takeSent();
    bed.readable.put(0x77, Hex.bytes(
        "%08x".formatted(MachineBed.FIRST_XID + 1) + MachineBed.CALL));
    bed.receive(chunk.formatted(MachineBed.FIRST_XID + 1).replace("00000018", "00000028"));
    assertThat(bed.incoming).hasSize(1);
    assertThat(other.events).isEmpty();
    bed.endServices();
  }

  @Test
  @DisplayName("C-02 C-10: an end that can pull nothing takes a Long message under the XID of its call for the"
      + " reply")
  void replyInReadChunksWithoutReads() {
    MachineBed bed = MachineBed.withLiveness(true, 0, Liveness.UNLIMITED);
    MachineBed.Heard outcome = bed.call(4);
    bed.takeSent();
    bed.receive("%1$08x 00000001 00000003 00000001 00000001 00000000 00000077 00000018 00000000 00000000"
        .formatted(MachineBed.FIRST_XID) + " 00000000 00000000 00000000");
    assertThat(outcome.events).containsExactly("BAD_REPLY");
    assertThat(bed.takeSent()).isEmpty();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-327: a peer that serves no Read of its call loses the connection after one service time, however"
      + " many it has served before")
  void readsServedBefore() {
    MachineBed bed = new MachineBed(false);
    String call = "%1$08x 00000001 00000020 00000000 00000001 0000002c 000000aa 00000008 00000000 00000000"
        + MachineBed.NO_LISTS + "%1$08x" + MachineBed.CALL + "00000008";
    bed.receive(call.formatted(0x11111111));
    bed.endServices();
    bed.held = true;
    bed.receive(call.formatted(0x22222222));
    bed.now = MachineBed.SERVICE_TIME;
    bed.deadlines.advance(bed.now);
    assertThat(bed.disconnected).contains("does not serve the Reads");
  }

  @Test
  @DisplayName("Replies whose Sends complete late hold their slots, and calls wait for them; nothing grows"
      + " beyond what was granted")
  void lateCompletions() {
    MachineBed bed = new MachineBed(false);
    bed.held = true;
    for (int i = 0; i < 20 * MachineBed.SEND_SLOTS; i++) {
      bed.receive("%1$08x 00000001 00000003 00000000 00000000 00000000 00000000 %1$08x".formatted(i)
          + MachineBed.CALL);
      bed.incoming.remove(0).reply(writer -> writer.int32(1));
      while (bed.takeSent().isEmpty()) {
        // The requester gets its credit back by the reply, and that waits for a slot.
        bed.answer();
      }
      assertThat(bed.regions).isLessThanOrEqualTo(MachineBed.SEND_SLOTS);
    }
    assertThat(bed.disconnected).isEmpty();
    bed.held = false;
    bed.settle();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("Results with a head that cannot be decoded: the call was sent")
  void badHead() {
    MachineBed bed = new MachineBed(true);
    Outcome.Failed[] failed = new Outcome.Failed[1];
    MachineBed.Heard outcome = new MachineBed.Heard() {
      @Override
      public void failed(Outcome.Failed failure) {
        failed[0] = failure;
      }
    };
    bed.handle(outcome, 4);
    bed.receive(("%1$08x 00000001 00000003 00000000 00000000 00000000 00000000 %1$08x 00000001 00000007"
        + " 00000000 00000000").formatted(MachineBed.FIRST_XID));
    assertThat(failed[0].kind()).isEqualTo(Outcome.Kind.BAD_REPLY);
    assertThat(failed[0].sent()).isTrue();
  }

  /** Fails if {@code Requester.mayStart} does not look at {@code hasXid}, or if that is always or never so. */
  @Test
  @DisplayName("R-222: without a free slot new calls wait; one that was sent before has its own")
  void noFreeSlot() {
    MachineBed bed = new MachineBed(true);
    MachineBed.Heard repeated = new MachineBed.Heard();
    TestCall before = new TestCall(Said.nothing(4), repeated).sentBefore(bed.xids);
    int own = MachineBed.FIRST_XID;
    while (bed.xids.available() > 0) {
      bed.xids.take();
    }
    bed.machine.call(before.carried(), bed.now + MachineBed.SECOND);
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(reply(own));
    assertThat(repeated.events).hasSize(1);
    while (bed.xids.available() > 0) {
      bed.xids.take();
    }
    MachineBed.Heard next = bed.call(4);
    assertThat(bed.takeSent()).isEmpty();
    bed.xids.free(own + 1);
    bed.machine.call(new TestCall(Said.nothing(4), new MachineBed.Heard()).carried(), bed.now + MachineBed.SECOND);
    bed.settle();
    assertThat(bed.takeSent()).as("the one that came first").hasSize(1);
    assertThat(next.events).isEmpty();
  }

  @Test
  @DisplayName("R-222: a repetition that is given up while it waits for a credit gives its XID back")
  void waitingRepetition() {
    MachineBed bed = new MachineBed(true);
    MachineBed.Heard repeated = new MachineBed.Heard();
    TestCall before = new TestCall(Said.nothing(4), repeated).sentBefore(bed.xids);
    bed.call(4);
    bed.machine.call(before.carried(), bed.now + MachineBed.SECOND);
    assertThat(bed.xids.inUse()).isEqualTo(2);
    bed.now += MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(repeated.events).containsExactly("TIMEOUT");
    assertThat(bed.xids.inUse()).isEqualTo(1);
  }

  @Test
  @DisplayName("R-150 R-172: an error that comes for a call given up frees what was set aside for it")
  void errorComesLate() {
    MachineBed bed = new MachineBed(true);
    bed.handle(new MachineBed.Heard(), 5000).cancel(bed.now);
    assertThat(bed.machine.bytesSetAside()).isPositive();
    bed.receive("51000000 00000001 00000001 00000004 00000002");
    assertThat(bed.machine.bytesSetAside()).isZero();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-172: all that may be set aside is, to the last byte; and nothing is of a call without chunks")
  void setAsideToTheLastByte() {
    MachineBed bed = new MachineBed(true);
    bed.handle(new MachineBed.Heard(), (1 << 20) - 24).cancel(bed.now);
    assertThat(bed.machine.bytesSetAside()).isEqualTo(1 << 20);
    MachineBed other = new MachineBed(true);
    other.handle(new MachineBed.Heard(), 4).cancel(other.now);
    assertThat(other.deadlines.next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("Results whose memory cannot be read for their Write chunk make the reply SYSTEM_ERR, and nobody"
      + " waits for it any more")
  void resultsReleasedBeforeTheirWrite() {
    MachineBed bed = new MachineBed(false);
    List<Throwable> told = new ArrayList<>();
    bed.encodingFailed = told::add;
    bed.receive("22222222 00000001 00000020 00000000 00000000"
        + "00000001 00000001 0000aaaa 00001000 00000000 00000000 00000000 00000000 22222222" + MachineBed.CALL);
    bed.incoming.remove(0).reply(writer -> writer.dataItem(new Unreadable()));
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().startsWith("22222222").endsWith("00000005");
    assertThat(told).hasSize(1);
    bed.machine.close(bed.now);
    bed.settle();
    assertThat(bed.disconnected).isEqualTo("Closed");
    bed.checkAtRest();
  }

  /** Memory that is gone when it is to be read. */
  private static final class Unreadable implements DataItem {

    @Override
    public int length() {
      return 2000;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      throw new IllegalStateException("The payload was released");
    }
  }

  @Test
  @DisplayName("Arguments that cannot be read for their Read chunk fail their call, and no other")
  void argumentsReleasedBeforeTheyAreExposed() {
    MachineBed bed = new MachineBed(true);
    MachineBed.Heard outcome = bed.call(new XdrWriter().dataItem(new Unreadable()));
    assertThat(outcome.events).containsExactly("RESOURCES");
    assertThat(bed.takeSent()).isEmpty();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("C-16: a foreign server gets memory of the pool where the caller's own has no bytes")
  void emptyTarget() {
    MachineBed foreign = MachineBed.ofForeignServer();
    SimulatedMemory.AppItem target = new SimulatedMemory.AppItem(new byte[0]);
    Said two = Said.of(new XdrWriter(), List.of(new Said.Room(0, Optional.of(target)),
        new Said.Room(2000, Optional.empty())), 8);
    foreign.machine.call(new TestCall(two, new MachineBed.Heard()).carried(), foreign.now + MachineBed.SECOND);
    foreign.settle();
    assertThat(foreign.takeSent()).singleElement().asString().contains("00000001 00000001 00001001 00000004");
  }
}
