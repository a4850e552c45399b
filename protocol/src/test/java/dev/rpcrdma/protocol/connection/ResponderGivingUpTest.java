// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GIVE_UP: what the peer names ends, and GIVE_UP is answered when nothing of it is in use any more. */
class ResponderGivingUpTest extends GivingUpBed {

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
