// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rules that hold for each segment, and not for the first one of a message only. */
@DisplayName("iWARP: each segment of a message")
final class SegmentRulesTest {

  private static final int FIRST = 0x01;
  private static final int LAST = 0x41;

  private final Machine machine = new Machine(false);

  private void assertFault(TerminateCode code) {
    assertThat(machine.fault).as("a fault").isNotNull();
    assertThat(machine.fault.code()).isEqualTo(code);
  }

  /** Fails if a message has begun only when it has bytes. */
  @Test
  @DisplayName("P-012: a Send that begins with an empty segment does not change its opcode or its tag")
  void emptyFirstSegment() {
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_READ);
    machine.receive(1, 8);
    machine.feed(Fpdus.untagged(FIRST, 0x43, 0, 0, 1, 0));
    assertThat(machine.fault).isNull();
    machine.feed(Fpdus.untagged(LAST, 0x44, exposure.steeringTag(), 0, 1, 0, (byte) 1));
    assertFault(TerminateCode.UNEXPECTED_OPCODE);
    assertThat(exposure.hasEnded()).isFalse();
    assertThat(machine.events).isEmpty();
  }

  /** Fails if {@code InboundStream.send} invalidates with a segment that is not the last one. */
  @Test
  @DisplayName("P-012, P-020: a Send With Invalidate of several segments invalidates once, with its last one")
  void invalidateInSegments() {
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_READ);
    machine.receive(1, 8);
    machine.feed(Fpdus.untagged(FIRST, 0x44, exposure.steeringTag(), 0, 1, 0, (byte) 1));
    assertThat(exposure.hasEnded()).isFalse();
    machine.feed(Fpdus.untagged(LAST, 0x44, exposure.steeringTag(), 0, 1, 1, (byte) 2));
    assertThat(machine.fault).isNull();
    assertThat(exposure.hasEnded()).isTrue();
    assertThat(machine.events).containsExactly("RECEIVE 1 2 invalidated");
  }

  @Test
  @DisplayName("P-012: an empty segment before the last one is no message of its own")
  void emptyMiddleSegment() {
    machine.receive(1, 8);
    machine.receive(2, 8);
    machine.feed(Fpdus.concat(Fpdus.untagged(FIRST, 0x43, 0, 0, 1, 0),
        Fpdus.untagged(LAST, 0x43, 0, 0, 1, 0, (byte) 1), Fpdus.send(2)));
    assertThat(machine.fault).isNull();
    assertThat(machine.events).containsExactly("RECEIVE 1 1", "RECEIVE 2 0");
  }

  /** Fails if either L or the message offset of a Terminate is not looked at. */
  @Test
  @DisplayName("P-012, P-021: a Terminate is one segment at offset 0")
  void terminate() {
    byte[] word = {0x12, 2, 0, 0};
    machine.feed(Fpdus.untagged(FIRST, 0x47, 0, 2, 1, 0, word));
    assertFault(TerminateCode.INVALID_OFFSET);
    Machine other = new Machine(false);
    other.feed(Fpdus.untagged(LAST, 0x47, 0, 2, 1, 99, word));
    assertThat(other.fault.code()).isEqualTo(TerminateCode.INVALID_OFFSET);
    assertThat(machine.events).isEmpty();
    assertThat(other.events).isEmpty();
  }

  /** Fails if the tag of a Write is looked up in each segment and compared in none. */
  @Test
  @DisplayName("P-012, P-023: the segments of one Write name one tag")
  void writeThatHops() {
    HostMemory first = machine.memory(8);
    HostMemory second = machine.memory(8);
    SiwExposure one = machine.expose(first, Access.REMOTE_WRITE);
    SiwExposure two = machine.expose(second, Access.REMOTE_WRITE);
    // Two messages may go to two places, whatever came in between.
    machine.feed(Fpdus.concat(
        Fpdus.tagged(0x81, 0x40, one.steeringTag(), one.remoteOffset(), (byte) 1),
        Fpdus.tagged(0xC1, 0x40, one.steeringTag(), one.remoteOffset() + 1, (byte) 2),
        Fpdus.tagged(0x81, 0x40, two.steeringTag(), two.remoteOffset(), (byte) 3),
        Fpdus.tagged(0xC1, 0x40, 0, 0)));
    assertThat(machine.fault).isNull();
    machine.feed(Fpdus.tagged(0x81, 0x40, one.steeringTag(), one.remoteOffset() + 2, (byte) 4));
    assertThat(machine.fault).isNull();
    machine.feed(Fpdus.tagged(0xC1, 0x40, two.steeringTag(), two.remoteOffset() + 7, (byte) 5));
    assertFault(TerminateCode.INVALID_TAG);
    assertThat(Machine.bytes(first)).containsExactly(1, 2, 4, 0, 0, 0, 0, 0);
    assertThat(Machine.bytes(second)).containsExactly(3, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Fails if the sink tag is compared in the first segment only. */
  @Test
  @DisplayName("P-018, B-013: each segment of a Response names the sink tag")
  void responseThatHops() {
    Machine reader = new Machine(true);
    HostMemory sink = reader.memory(8);
    reader.post(1, Opcode.READ, sink, 7, 0, false);
    int tag = sinkTag(reader.drain(1000), 20);
    reader.feed(Fpdus.tagged(0x81, 0x42, tag, 0, (byte) 1, (byte) 2));
    assertThat(reader.fault).isNull();
    reader.feed(Fpdus.tagged(0x81, 0x42, tag ^ 1, 2, (byte) 3));
    assertThat(reader.fault.code()).isEqualTo(TerminateCode.INVALID_TAG);
    assertThat(Machine.bytes(sink)).containsExactly(1, 2, 0, 0, 0, 0, 0, 0);
  }

  /** Fails if the rest of a Read is looked at in the last segment only, or is the whole of it. */
  @Test
  @DisplayName("P-018, P-013, B-013: each segment of a Response fits into what is left of the Read")
  void responseThatGrows() {
    for (int second = 1; second <= 9; second++) {
      Machine reader = new Machine(true);
      HostMemory sink = reader.memory(20);
      reader.endpoint.sendQueue().post(1, Opcode.READ, sink, 0, 8, 7, 0, false);
      reader.endpoint.sendQueue().ring();
      int tag = sinkTag(reader.drain(1000), 20);
      reader.feed(Fpdus.tagged(0x81, 0x42, tag, 0, (byte) 1, (byte) 1, (byte) 1));
      byte[] more = new byte[second];
      Arrays.fill(more, (byte) 2);
      reader.feed(Fpdus.tagged(0x81, 0x42, tag, 3, more));
      if (second <= 5) {
        assertThat(reader.fault).as("%d bytes more", second).isNull();
      } else {
        assertThat(reader.fault.code()).isEqualTo(TerminateCode.BOUNDS);
        assertThat(Machine.bytes(sink)).endsWith(new byte[17]);
      }
    }
  }

  /** The sink tag of the Read Request at an index of what was sent. */
  private static int sinkTag(byte[] sent, int at) {
    return ByteBuffer.wrap(sent).getInt(at + 2 + DdpHeader.UNTAGGED_BYTES);
  }

  /** Fails if sequence numbers are compared without their top bit. */
  @Test
  @DisplayName("P-012, B-015: a sequence number has 32 bits, in both directions")
  void sequenceNumbers() {
    machine.receive(1, 8);
    machine.feed(Fpdus.send(0x80000001));
    assertFault(TerminateCode.SEQUENCE_RANGE);
    Machine late = new Machine(false, 4, 4, Rtr.WRITE, -2);
    late.receive(1, 8);
    late.feed(Fpdus.send(0x7FFFFFFE));
    assertThat(late.fault.code()).isEqualTo(TerminateCode.SEQUENCE_RANGE);
    Machine sender = new Machine(true, 4, 4, Rtr.WRITE, -2);
    sender.send(1, sender.memory(1));
    assertThat(ByteBuffer.wrap(sender.drain(1000)).getInt(20 + 2 + 10)).isEqualTo(-2);
    Machine reader = new Machine(false, 4, 4, Rtr.WRITE, 1);
    reader.feed(Fpdus.readRequest(0x80000001, 9, 0, 0, 0));
    assertThat(reader.fault.code()).isEqualTo(TerminateCode.SEQUENCE_RANGE);
  }

  /** Fails if a ready-to-receive Send is expected for ever. */
  @Test
  @DisplayName("P-011, P-019: only the very first FPDU can be a ready-to-receive Send")
  void readyToReceiveOnce() {
    Machine begun = new Machine(false, 4, 4, Rtr.SEND, 1);
    begun.receive(7, 8);
    begun.feed(Fpdus.concat(Fpdus.send(1), Fpdus.send(2)));
    assertThat(begun.events).containsExactly("RECEIVE 7 0");
    // Begun by something else, it is not waited for.
    Machine other = new Machine(false, 4, 4, Rtr.SEND, 1);
    other.receive(7, 8);
    other.feed(Fpdus.concat(Fpdus.write(0, 0), Fpdus.send(1)));
    assertThat(other.events).containsExactly("RECEIVE 7 0");
    // Where a Write was agreed on, a Send is a message.
    Machine none = new Machine(false, 4, 4, Rtr.WRITE, 1);
    none.receive(7, 8);
    none.feed(Fpdus.send(1));
    assertThat(none.events).containsExactly("RECEIVE 7 0");
  }

  /**
   * Fails if a Read is done with the first segment of its Response, with the peer's bytes alone, or when its
   * Request has been handed over.
   */
  @Test
  @DisplayName("P-018: a Read completes with the end of its Response, in the order of the requests")
  void readsComplete() {
    Machine reader = new Machine(true);
    reader.drain(1000);
    reader.post(1, Opcode.READ, reader.memory(4), 7, 0, false);
    byte[] first = reader.drain(1000);
    reader.post(2, Opcode.READ, reader.memory(4), 7, 0, false);
    reader.send(3, reader.memory(1));
    byte[] second = reader.drain(1000);
    assertThat(reader.events).isEmpty();
    int one = sinkTag(first, 0);
    int two = sinkTag(second, 0);
    reader.feed(Fpdus.tagged(0x81, 0x42, one, 0, (byte) 1, (byte) 2));
    assertThat(reader.events).as("after a part").isEmpty();
    reader.feed(Fpdus.tagged(0x81, 0x42, one, 2, (byte) 3, (byte) 4));
    assertThat(reader.events).as("after all bytes, but not the last segment").isEmpty();
    reader.feed(Fpdus.tagged(0xC1, 0x42, one, 4));
    assertThat(reader.events).containsExactly("READ 1");
    reader.feed(Fpdus.tagged(0xC1, 0x42, two, 0, new byte[4]));
    assertThat(reader.events).containsExactly("READ 1", "READ 2", "SEND 3");
    assertThat(reader.fault).isNull();
    // The Response to the second one first.
    Machine other = new Machine(true);
    other.drain(1000);
    HostMemory sink = other.memory(4);
    other.post(1, Opcode.READ, sink, 7, 0, false);
    other.post(2, Opcode.READ, sink, 7, 0, false);
    byte[] both = other.drain(1000);
    other.feed(Fpdus.tagged(0xC1, 0x42, sinkTag(both, both.length / 2), 0, (byte) 9, (byte) 9,
        (byte) 9, (byte) 9));
    assertThat(other.fault.code()).isEqualTo(TerminateCode.INVALID_TAG);
    assertThat(Machine.bytes(sink)).containsOnly(0);
    assertThat(other.events).isEmpty();
  }
}
