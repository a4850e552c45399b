// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Replies that fit nowhere, which this end keeps to be pulled. */
class ProvidedRepliesTest {

  private static final long WAIT = 20 * MachineBed.SECOND;
  private static final int TAG = 0x1001;

  private MachineBed bed = bed(5000, false);

  private static MachineBed bed(long maxProvided, boolean remoteInvalidation) {
    return new MachineBed(MachineBed.like(false).remoteInvalidation(remoteInvalidation)
        .largeReplies(new LargeReplies(false, true, false, maxProvided, WAIT)));
  }

  @AfterEach
  void nothingIsLeft() {
    bed.lose("the end");
    bed.held = false;
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
  }

  /** A call without chunks, which is answered by so many zeros. */
  private void call(int xid, int bytes) {
    bed.receive("%1$08x 00000001 00000020 00000000".formatted(xid) + NO_LISTS + "%08x".formatted(xid) + CALL);
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[bytes]));
    bed.settle();
  }

  private void done(int xid) {
    bed.receive("%08x 00000001 00000004 00000003".formatted(xid));
  }

  private static String provided(int xid, int tag, int length) {
    return "%08x 00000001 00000003 00000001 00000001 00000000 %08x %08x 00000000 00000000 00000000 00000000 00000000"
        .formatted(xid, tag, length);
  }

  @Test
  @DisplayName("R-261 R-262 R-264 R-276 R-283 R-286 R-337: a reply that fits nowhere is there to be read, until DONE")
  void provided() {
    call(0x1111, 2000);
    assertThat(bed.takeSent()).containsExactly(provided(0x1111, TAG, 2024));
    ByteBuffer kept = bed.exposed.get(TAG).bytes();
    assertThat(kept.remaining()).isEqualTo(2024);
    assertThat(kept.getInt(0)).isEqualTo(0x1111);
    assertThat(bed.writable.get(TAG)).isFalse();
    assertThat(bed.machine.providedReplies()).isEqualTo(1);
    assertThat(bed.revoked).isEmpty();
    done(0x1111);
    assertThat(bed.revoked).containsExactly("1001");
    bed.checkAtRest();
    assertThat(bed.takeSent()).as("DONE is not answered").isEmpty();
  }

  @Test
  @DisplayName("R-282: inline if it fits, else in the Reply chunk if it fits that, else to be pulled")
  void forms() {
    call(0x1111, 100);
    assertThat(bed.takeSent()).singleElement().asString().startsWith("00001111 00000001 00000003 00000000");
    for (int bytes : new int[] {1500, 2500}) {
      bed.receive("00002222 00000001 00000020 00000000 00000000 00000000 00000001 00000001 00000abc 00000800"
          + "00000000 00000020 00002222" + CALL);
      bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[bytes]));
      bed.settle();
    }
    assertThat(bed.takeSent()).containsExactly("write 1524 to abc+32",
        "00002222 00000001 00000003 00000001 00000000 00000000 00000001 00000001 00000abc 000005f4 00000000 00000020",
        "00002222 00000001 00000003 00000001 00000001 00000000 00001001 000009dc 00000000 00000000 00000000"
            + " 00000000 00000001 00000001 00000abc 00000000 00000000 00000020");
    done(0x2222);
  }

  @Test
  @DisplayName("R-263: items go into the Write chunks of their call as ever")
  void writeChunks() {
    bed.receive("00001111 00000001 00000020 00000000 00000000 00000001 00000001 00000abc 00000800 00000000 00000000"
        + "00000000 00000000 00001111" + CALL);
    bed.incoming.remove(0).reply(writer -> writer.dataItem(DataItem.of(new byte[600])).opaque(new byte[1500]));
    bed.settle();
    assertThat(bed.takeSent()).containsExactly("write 600 to abc+0",
        "00001111 00000001 00000003 00000001 00000001 00000000 00001001 000005fc 00000000 00000000 00000000"
            + " 00000001 00000001 00000abc 00000258 00000000 00000000 00000000 00000000");
    done(0x1111);
  }

  @Test
  @DisplayName("R-261: large items are read where they are, and what is between them is copied")
  void inPlace() {
    bed = bed(100_000, false);
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    SimulatedMemory.AppItem first = item(4097);
    SimulatedMemory.AppItem second = item(5000);
    bed.incoming.remove(0).reply(writer -> writer.dataItem(first).dataItem(item(100)).dataItem(second));
    bed.settle();
    String zeros = " 00000000 00000000";
    assertThat(bed.takeSent()).containsExactly("00001111 00000001 00000003 00000001"
        + " 00000001 00000000 00001001 0000001c" + zeros + " 00000001 00000000 00001002 00001001" + zeros
        // Padding, an item of 100 bytes with its length, the length of the next.
        + " 00000001 00000000 00001003 0000006f" + zeros + " 00000001 00000000 00001004 00001388" + zeros
        + " 00000000 00000000 00000000");
    assertThat(bed.exposed.get(0x1002).bytes().get(4096)).isEqualTo((byte) 7);
    assertThat(bed.exposed.get(0x1003).bytes().getInt(3)).as("behind three bytes of padding").isEqualTo(100);
    done(0x1111);
    bed.checkAtRest();
  }

  /** Fails if {@code ReplyTransmission.parts} reads one item more where it is, or any number. */
  @Test
  @DisplayName("R-261: no more items are read where they are than the message has room to name")
  void mostInPlace() {
    int room = 42;
    int inline = 28 + room * 24;
    bed = new MachineBed(MachineBed.like(false).inline(inline, inline)
        .largeReplies(new LargeReplies(false, true, false, 100_000, WAIT)));
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    bed.incoming.remove(0).reply(writer -> {
      for (int i = 0; i < room / 2; i++) {
        writer.dataItem(item(4097));
      }
    });
    bed.settle();
    assertThat(bed.takeSent()).hasSize(1);
    assertThat(bed.exposed).hasSize(room - 1);
    done(0x1111);
    bed.checkAtRest();
  }

  private static SimulatedMemory.AppItem item(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 7);
    return new SimulatedMemory.AppItem(bytes);
  }

  @Test
  @DisplayName("R-265: where the peer does not pull, and where there is no memory, the answer is ERR_CHUNK")
  void refused() {
    bed.memoryFails = true;
    call(0x1111, 2000);
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000004 00000002");
    assertThat(bed.refused).singleElement().asString().contains("None left").doesNotContain("@MaxReply");
    bed.memoryFails = false;
    bed.exposingFails = true;
    call(0x1111, 2000);
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000004 00000002");
    bed.checkAtRest();
    bed = new MachineBed(false);
    call(0x1111, 2000);
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000004 00000002");
    assertThat(bed.refused).singleElement().asString().contains("@MaxReply");
  }

  @Test
  @DisplayName("R-276: memory is kept until the Send has completed and DONE has come, whichever is first")
  void sendCompletesLast() {
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    bed.held = true;
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    bed.answer();
    assertThat(bed.takeSent()).as("exposed, and sent").hasSize(1);
    done(0x1111);
    assertThat(bed.revoked).isEmpty();
    assertThat(bed.regions).isPositive();
    bed.held = false;
    bed.settle();
    assertThat(bed.revoked).containsExactly("1001");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-131 R-270 C-05: DONE that is early, doubled or for nothing is dropped in silence")
  void strayDone() {
    long dropped = bed.machine.counters().discarded();
    done(0x1111);
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    bed.held = true;
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    done(0x1111);
    bed.held = false;
    bed.settle();
    assertThat(bed.machine.providedReplies()).as("DONE came before the reply was sent").isEqualTo(1);
    done(0x2222);
    assertThat(bed.machine.providedReplies()).isEqualTo(1);
    done(0x1111);
    done(0x1111);
    assertThat(bed.machine.counters().discarded() - dropped).isEqualTo(4);
    assertThat(bed.disconnected).isEmpty();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-275 C-28: what DONE invalidates must be of that reply, and is not revoked any more")
  void invalidated() {
    call(0x1111, 2000);
    bed.receive("00001111 00000001 00000004 00000003", OptionalInt.of(TAG));
    assertThat(bed.revoked).isEmpty();
    bed.checkAtRest();
    call(0x1111, 2000);
    call(0x2222, 2000);
    bed.receive("00001111 00000001 00000004 00000003", OptionalInt.of(TAG + 2));
    assertThat(bed.disconnected).contains("belongs to no reply");
  }

  @Test
  @DisplayName("R-277: two replies with one XID are two")
  void sameXid() {
    call(0x1111, 2000);
    call(0x1111, 2200);
    done(0x1111);
    assertThat(bed.revoked).containsExactly("1001");
    done(0x1111);
    assertThat(bed.revoked).containsExactly("1001", "1002");
  }

  /** Fails if {@code ProvidedReplies.done} takes a reply twice whose Send has not completed. */
  @Test
  @DisplayName("R-277: so they are before their Sends have completed")
  void sameXidBeforeSendsComplete() {
    for (int i = 0; i < 2; i++) {
      bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    }
    bed.held = true;
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2200]));
    // Both are exposed, and sent.
    bed.answer();
    bed.answer();
    assertThat(bed.takeSent()).hasSize(2);
    done(0x1111);
    done(0x1111);
    bed.held = false;
    bed.settle();
    assertThat(bed.revoked).containsExactly("1001", "1002");
  }

  /** Has a call answered by an item of the application. */
  private SimulatedMemory.AppItem answered(int xid, int length) {
    SimulatedMemory.AppItem item = item(length);
    bed.receive("%1$08x 00000001 00000020 00000000".formatted(xid) + NO_LISTS + "%08x".formatted(xid) + CALL);
    bed.incoming.remove(0).reply(writer -> writer.dataItem(item));
    bed.settle();
    return item;
  }

  /** Fails if {@code ProvidedReply.free} lets RDMA_DONE come for what is being freed. */
  @Test
  @DisplayName("R-278: RDMA_DONE for a reply whose time is over, and that is being taken back, is for nothing")
  void doneWhileTakenBack() {
    SimulatedMemory.AppItem item = answered(0x1111, 2000);
    long dropped = bed.machine.counters().discarded();
    bed.held = true;
    advance(WAIT);
    done(0x1111);
    assertThat(bed.machine.counters().discarded()).isEqualTo(dropped + 1);
    bed.held = false;
    bed.settle();
    assertThat(item.owners).isZero();
  }

  /** Fails if {@code ProvidedReplies.abandon} forgets those that wait for room. */
  @Test
  @DisplayName("R-278: with the connection goes a reply that waits for room, and what it is made of")
  void lostWhileWaiting() {
    bed = bed(2500, false);
    SimulatedMemory.AppItem first = answered(0x1111, 2000);
    SimulatedMemory.AppItem waits = answered(0x2222, 2000);
    assertThat(bed.takeSent()).hasSize(1);
    bed.lose("cut");
    bed.settle();
    assertThat(first.owners).isZero();
    assertThat(waits.owners).isZero();
  }

  @Test
  @DisplayName("R-272 R-278 R-338: a peer that says nothing keeps a reply for a while, and as long as it reads")
  void neverDone() {
    call(0x1111, 2000);
    bed.bytesServed = 1000;
    advance(WAIT);
    assertThat(bed.machine.providedReplies()).as("it has been read from").isEqualTo(1);
    advance(WAIT);
    assertThat(bed.revoked).containsExactly("1001");
    assertThat(bed.machine.counters().repliesNotPulled()).isEqualTo(1);
    bed.checkAtRest();
    done(0x1111);
    assertThat(bed.disconnected).isEmpty();
  }

  private void advance(long time) {
    bed.now += time;
    bed.deadlines.advance(bed.now);
    bed.settle();
  }

  @Test
  @DisplayName("R-278 R-338: no more wait to be pulled than calls were granted, and no more bytes than are allowed")
  void bounds() {
    bed = bed(1 << 20, false);
    for (int i = 1; i <= MachineBed.GRANTED + 1; i++) {
      call(i, 2000);
    }
    assertThat(bed.takeSent()).hasSize(MachineBed.GRANTED);
    assertThat(bed.machine.counters().congestedReplies()).isEqualTo(1);
    done(1);
    assertThat(bed.takeSent()).containsExactly(provided(MachineBed.GRANTED + 1, 0x1004, 2024));
    bed.lose("the next");
    bed.settle();
    bed = bed(5000, false);
    call(1, 2000);
    call(2, 2000);
    call(3, 2000);
    assertThat(bed.takeSent()).hasSize(2);
    assertThat(bed.machine.counters().providedBytes()).isEqualTo(2 * 2024);
    done(1);
    assertThat(bed.takeSent()).hasSize(1);
    done(2);
    done(3);
    call(4, 9000);
    assertThat(bed.takeSent()).as("one that is larger, alone").hasSize(1);
    done(4);
  }

  @Test
  @DisplayName("R-279 C-29: there is a Receive for DONE of each reply that may wait")
  void receives() {
    ConnectionSettings without = TestSettings.of(false).credits(2, 3).build();
    assertThat(without.receives()).isEqualTo(6);
    assertThat(TestSettings.of(false).credits(2, 3).largeReplies(false, true).build().receives()).isEqualTo(9);
    assertThat(TestSettings.of(false).credits(2, 3).largeReplies(true, false).build().receives()).isEqualTo(6);
  }

  @Test
  @DisplayName("Closing waits until replies are pulled, as long as draining may take")
  void close() {
    call(0x1111, 2000);
    bed.machine.close(bed.now);
    bed.settle();
    assertThat(bed.disconnected).isEmpty();
    done(0x1111);
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  @Test
  @DisplayName("R-278: with the connection go its replies, wherever they are")
  void lost() {
    bed = bed(2500, false);
    call(0x1111, 2000);
    call(0x2222, 2000);
    bed.receive("00003333 00000001 00000020 00000000" + NO_LISTS + "00003333" + CALL);
    bed.held = true;
    bed.memoryHeld = true;
    done(0x1111);
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    bed.lose("cut");
    bed.releaseMemory();
    assertThat(bed.machine.providedReplies()).isZero();
  }

  @Test
  @DisplayName("R-276: a Send that completes when the connection is lost leaves nothing behind")
  void sentTooLate() {
    bed.held = true;
    call(0x1111, 2000);
    bed.answer();
    assertThat(bed.takeSent()).containsExactly(provided(0x1111, TAG, 2024));
    bed.lose("cut");
    bed.held = false;
    bed.settle();
    bed.checkAtRest();
  }
}
