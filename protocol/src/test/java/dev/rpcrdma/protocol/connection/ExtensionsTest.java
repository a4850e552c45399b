// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** OPTIONAL header types: found out by trying, served if known. */
@DisplayName("OPTIONAL header types")
final class ExtensionsTest {

  private static final int SEVEN = 7;
  private static final int EIGHT = 8;
  private static final byte[] BODY = Hex.bytes("0a0b0c0d");

  private final MachineBed bed = new MachineBed(true);

  private ExtensionOutcome send(int procedure) {
    ExtensionOutcome outcome = new ExtensionOutcome();
    bed.machine.extension(procedure, BODY, outcome, bed.now + MachineBed.SECOND);
    bed.settle();
    return outcome;
  }

  private static String message(int xid, int credits, int procedure, String body) {
    return "%08x 00000001 %08x %08x %s".formatted(MachineBed.FIRST_XID + xid, credits, procedure,
        body);
  }

  private static String errChunk(int xid) {
    return message(xid, 1, 4, "00000002");
  }

  /** Lets more than one message be in flight. */
  private void grantAll() {
    MachineBed.Heard first = bed.call(4);
    bed.receive(message(0, 4, 0, MachineBed.NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000 00000001"));
    assertThat(first.events).hasSize(1);
    bed.takeSent();
  }

  /** Fails if {@code Requester.extension} grants anything. */
  @Test
  @DisplayName("R-036: the header of an OPTIONAL type tells no direction: its credit field grants nothing")
  void grantsNothing() {
    for (boolean client : new boolean[] {true, false}) {
      MachineBed end = new MachineBed(client);
      end.answerType(SEVEN, body -> BODY);
      ExtensionOutcome outcome = new ExtensionOutcome();
      end.machine.extension(SEVEN, BODY, outcome, MachineBed.SECOND);
      end.settle();
      end.takeSent();
      // The peer's own question may look like this.
      end.receive(message(0, 4, SEVEN, "01020304"));
      assertThat(end.machine.grantedCredits()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("R-222: a message gives its XID back when it is answered, refused, or given up and answered late")
  void xids() {
    ExtensionOutcome answered = send(SEVEN);
    assertThat(bed.xids.inUse()).isEqualTo(1);
    bed.receive(message(0, 1, SEVEN, "01020304"));
    assertThat(answered.events).containsExactly("answered 01020304");
    assertThat(bed.xids.inUse()).isZero();
    ExtensionOutcome refused = send(EIGHT);
    bed.receive(errChunk(1));
    assertThat(refused.events).containsExactly("unsupported");
    assertThat(bed.xids.inUse()).isZero();
    ExtensionOutcome late = send(SEVEN);
    bed.now += MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(late.events).containsExactly("TIMEOUT, sent");
    assertThat(bed.xids.inUse()).isEqualTo(1);
    bed.receive(message(2, 1, SEVEN, "01020304"));
    assertThat(bed.xids.inUse()).isZero();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-310: no number of version 1 is served as another type, nor sent")
  void numbersOfVersionOne() {
    assertThatThrownBy(() -> bed.answerType(3, body -> new byte[4]))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("version 1's own");
    assertThatThrownBy(() -> send(3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("R-303: what comes before the message has left is no answer to it")
  void answerBeforeItsMessage() {
    bed.held = true;
    bed.fillSendQueue();
    bed.takeSent();
    ExtensionOutcome outcome = send(SEVEN);
    bed.receive(message(0, 3, SEVEN, "01020304"));
    bed.receive(errChunk(0));
    assertThat(outcome.events).isEmpty();
    bed.held = false;
    bed.settle();
    assertThat(bed.takeSent()).contains("51000000 00000001 00000004 00000007 0a0b0c0d");
    bed.receive(message(0, 3, SEVEN, "01020304"));
    assertThat(outcome.events).containsExactly("answered 01020304");
  }

  @Test
  @DisplayName("R-303: the first message of a type is the probe, and its answer shows support")
  void supported() {
    grantAll();
    ExtensionOutcome outcome = send(SEVEN);
    assertThat(bed.machine.pendingCalls()).as("it is no call").isZero();
    assertThat(bed.takeSent()).containsExactly("51000001 00000001 00000004 00000007 0a0b0c0d");
    bed.receive(message(1, 3, SEVEN, "01020304"));
    assertThat(outcome.events).containsExactly("answered 01020304");
    send(SEVEN);
    send(SEVEN);
    assertThat(bed.takeSent()).hasSize(2);
  }

  @Test
  @DisplayName("R-305: ERR_CHUNK to the first one: never sent again on this connection")
  void unsupported() {
    ExtensionOutcome first = send(SEVEN);
    ExtensionOutcome waiting = send(SEVEN);
    bed.takeSent();
    bed.receive(errChunk(0));
    assertThat(first.events).containsExactly("unsupported");
    assertThat(waiting.events).containsExactly("unsupported");
    assertThat(send(SEVEN).events).containsExactly("unsupported");
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.machine.pendingCalls()).isZero();
    // Nobody hears a second time, neither when others are sent nor when time has passed.
    assertThat(bed.deadlines.next()).isEqualTo(Long.MAX_VALUE);
    bed.call(4);
    assertThat(first.events).hasSize(1);
    assertThat(waiting.events).hasSize(1);
  }

  @Test
  @DisplayName("A probe whose time is over lets the next one go, which waited for it")
  void nextProbe() {
    grantAll();
    ExtensionOutcome probe = new ExtensionOutcome();
    bed.machine.extension(SEVEN, BODY, probe, bed.now + MachineBed.SECOND / 2);
    bed.settle();
    send(SEVEN);
    assertThat(bed.takeSent()).hasSize(1);
    bed.now += MachineBed.SECOND / 2;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(probe.events).containsExactly("TIMEOUT, sent");
    assertThat(bed.takeSent()).hasSize(1);
  }

  @Test
  @DisplayName("R-144 R-304: the answer to a message of this end is not answered, nor is what it answers refused")
  void answersAreNotAnswered() {
    MachineBed server = new MachineBed(false);
    ExtensionOutcome outcome = new ExtensionOutcome();
    server.machine.extension(SEVEN, BODY, outcome, MachineBed.SECOND);
    server.settle();
    server.takeSent();
    server.receive(message(0, 4, SEVEN, "00000001 00000002 00000003 00000004"));
    assertThat(outcome.events).hasSize(1);
    assertThat(server.takeSent()).isEmpty();
    server.answerType(SEVEN, body -> BODY);
    server.receive("00000011 00000001 00000004 00000007 00000001 00000002 00000003 00000004");
    assertThat(server.takeSent()).containsExactly("00000011 00000001 00000003 00000007 0a0b0c0d");
  }

  /** Fails if {@code Extensions.knows} says no of all. */
  @Test
  @DisplayName("C-07: what cannot be decoded, and may be the answer to a message of this end, is not answered")
  void undecodableAnswer() {
    MachineBed server = new MachineBed(false);
    server.machine.extension(SEVEN, BODY, new ExtensionOutcome(), MachineBed.SECOND);
    server.settle();
    server.takeSent();
    String undecodable = " 00000001 00000004 00000002 00000000 00000000 00000000 00000000";
    server.receive("51000000" + undecodable);
    assertThat(server.takeSent()).isEmpty();
    server.receive("51000001" + undecodable);
    assertThat(server.takeSent()).hasSize(1);
  }

  @Test
  @DisplayName("A closed connection ends when its last message is answered, or refused")
  void answeredWhileClosing() {
    for (String answer : new String[] {message(0, 1, SEVEN, ""), errChunk(0)}) {
      MachineBed closing = new MachineBed(true);
      closing.machine.extension(SEVEN, BODY, new ExtensionOutcome(), MachineBed.SECOND);
      closing.settle();
      closing.machine.close(closing.now);
      closing.settle();
      assertThat(closing.disconnected).isEmpty();
      closing.receive(answer);
      assertThat(closing.disconnected).isEqualTo("Closed");
    }
  }

  @Test
  @DisplayName("R-305: ERR_CHUNK after an answer speaks of that message alone")
  void badBody() {
    send(SEVEN);
    bed.receive(message(0, 4, SEVEN, ""));
    ExtensionOutcome bad = send(SEVEN);
    bed.receive(errChunk(1));
    assertThat(bad.events).containsExactly("REMOTE_ERROR, sent");
    bed.takeSent();
    send(SEVEN);
    assertThat(bed.takeSent()).hasSize(1);
  }

  @Test
  @DisplayName("R-306: one type is tried at a time")
  void oneProbeAtATime() {
    grantAll();
    send(SEVEN);
    send(EIGHT);
    send(SEVEN);
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(message(1, 4, SEVEN, ""));
    // The other one of the type that is known now, and the probe of the next.
    assertThat(bed.takeSent()).hasSize(2);
  }

  @Test
  @DisplayName("R-307: what was found out is of one connection")
  void forgotten() {
    send(SEVEN);
    bed.receive(errChunk(0));
    MachineBed next = new MachineBed(true);
    next.machine.extension(SEVEN, BODY, new ExtensionOutcome(), MachineBed.SECOND);
    next.settle();
    assertThat(next.takeSent()).hasSize(1);
  }

  @Test
  @DisplayName("R-023 R-302: a message takes a credit until it is answered, however late")
  void credits() {
    ExtensionOutcome outcome = send(SEVEN);
    bed.takeSent();
    MachineBed.Heard call = bed.call(4);
    bed.now = 2 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    assertThat(outcome.events).containsExactly("TIMEOUT, sent");
    assertThat(bed.takeSent()).isEmpty();
    bed.receive(message(0, 1, SEVEN, ""));
    assertThat(outcome.events).hasSize(1);
    assertThat(bed.takeSent()).hasSize(1);
    assertThat(call.events).isEmpty();
  }

  @Test
  @DisplayName("A probe without an answer tells nothing: the next one probes again")
  void silence() {
    grantAll();
    send(SEVEN);
    bed.now = 2 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.takeSent();
    ExtensionOutcome again = send(SEVEN);
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive(message(2, 4, SEVEN, ""));
    assertThat(again.events).containsExactly("answered ");
  }

  @Test
  @DisplayName("The loss of the connection, and its closing, end all of them")
  void ended() {
    ExtensionOutcome sent = send(SEVEN);
    ExtensionOutcome waiting = send(SEVEN);
    bed.machine.close(bed.now);
    bed.settle();
    assertThat(waiting.events).containsExactly("CLOSED");
    bed.lose("gone");
    assertThat(waiting.events).as("once").hasSize(1);
    assertThat(sent.events).containsExactly("CONNECTION_LOST, sent");
    assertThat(send(SEVEN).events).containsExactly("CLOSED");
  }

  @Test
  @DisplayName("A closed connection ends when the last message has timed out, and not later")
  void drained() {
    bed.machine.extension(SEVEN, BODY, new ExtensionOutcome(), bed.now + MachineBed.SECOND / 2);
    bed.settle();
    bed.machine.close(bed.now);
    bed.settle();
    assertThat(bed.disconnected).isEmpty();
    bed.now = MachineBed.SECOND / 2;
    bed.deadlines.advance(bed.now);
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  @Test
  @DisplayName("R-305: what cannot be sent fails at once, also while all credits are taken")
  void withoutCredit() {
    ExtensionOutcome first = send(SEVEN);
    bed.receive(errChunk(0));
    assertThat(first.events).hasSize(1);
    bed.call(4);
    assertThat(send(SEVEN).events).containsExactly("unsupported");
    ExtensionOutcome tooLong = new ExtensionOutcome();
    bed.machine.extension(EIGHT, new byte[1009], tooLong, bed.now + MachineBed.SECOND);
    assertThat(tooLong.events).containsExactly("RESOURCES");
  }

  @Test
  @DisplayName("A message longer than the peer's Receives does not go out")
  void tooLong() {
    ExtensionOutcome outcome = new ExtensionOutcome();
    bed.machine.extension(SEVEN, new byte[1009], outcome, MachineBed.SECOND);
    assertThat(outcome.events).containsExactly("RESOURCES");
    assertThat(bed.takeSent()).isEmpty();
    bed.machine.extension(SEVEN, new byte[1008], outcome, MachineBed.SECOND);
    assertThat(bed.takeSent()).hasSize(1);
  }

  @Test
  @DisplayName("Version 1's own header types are not extended")
  void ownTypes() {
    for (int procedure = 0; procedure <= 4; procedure++) {
      int own = procedure;
      assertThatThrownBy(() -> send(own)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("R-304: a type is served if it is known, and else answered ERR_CHUNK")
  void served() {
    MachineBed server = new MachineBed(false);
    String request = "00000011 00000001 00000004 00000007 00000005";
    server.receive(request + " 00000000 00000000");
    assertThat(server.takeSent()).containsExactly("00000011 00000001 00000003 00000004 00000002");
    server.answerType(SEVEN, body -> {
      if (body.remaining() != 4) {
        throw new IllegalArgumentException("Four bytes are due");
      }
      return ByteBuffer.allocate(4).putInt(body.getInt() + 1).array();
    });
    server.receive(request);
    assertThat(server.takeSent()).containsExactly("00000011 00000001 00000003 00000007 00000006");
    server.receive(request + " 00000000");
    assertThat(server.takeSent()).containsExactly("00000011 00000001 00000003 00000004 00000002");
  }

  @Test
  @DisplayName("B-052: a peer that asks without end and takes no answers loses the connection")
  void flood() {
    MachineBed server = new MachineBed(false);
    server.answerType(SEVEN, body -> BODY);
    server.held = true;
    for (int i = 0; i < 100 && server.disconnected.isEmpty(); i++) {
      server.receive("00000011 00000001 00000004 00000007");
    }
    assertThat(server.disconnected).contains("faster than it takes them");
  }
}
