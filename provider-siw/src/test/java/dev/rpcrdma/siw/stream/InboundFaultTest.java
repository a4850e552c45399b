// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each error of a peer is found before a byte is placed, and named as the RFCs name it. */
@DisplayName("iWARP: errors of the peer")
final class InboundFaultTest {

  private final Machine machine = new Machine(false);

  private void assertFault(TerminateCode code, byte[]... fpdus) {
    machine.feed(Fpdus.concat(fpdus));
    assertThat(machine.fault).isNotNull();
    assertThat(machine.fault.code()).isEqualTo(code);
    // Nothing is delivered afterwards (RFC 5044 §8), and one Terminate is all that is sent.
    int events = machine.events.size();
    machine.feed(Fpdus.send(1, (byte) 1));
    assertThat(machine.events).hasSize(events);
    byte[] sent = machine.drain(1000);
    assertThat(sent[3] & 0xFF).isEqualTo(0x40 | RdmapOpcode.TERMINATE);
    assertThat(ByteBuffer.wrap(sent).getInt(2 + DdpHeader.UNTAGGED_BYTES) >>> 16)
        .isEqualTo(code.layer() << 12 | code.type() << 8 | code.code());
    assertThat(machine.drain(1000)).isEmpty();
  }

  @Test
  @DisplayName("P-013, B-001, B-002: a first FPDU too short for its header, for each opcode")
  void tooShort() {
    for (int opcode = 0; opcode < 16; opcode++) {
      boolean tagged = opcode == RdmapOpcode.WRITE || opcode == RdmapOpcode.READ_RESPONSE;
      int header = tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES;
      for (int length = 0; length < header; length++) {
        byte[] ulpdu = new byte[length];
        if (length > 0) {
          ulpdu[0] = (byte) (tagged ? 0xC1 : 0x41);
        }
        if (length > 1) {
          ulpdu[1] = (byte) (0x40 | opcode);
        }
        Machine fresh = new Machine(false);
        fresh.receive(1, 64);
        fresh.feed(Fpdus.frame(ulpdu));
        assertThat(fresh.fault.code()).isEqualTo(TerminateCode.DDP_CATASTROPHIC);
        assertThat(fresh.drain(1000)).isNotEmpty();
      }
    }
  }

  @Test
  @DisplayName("B-001: a Read Request or Terminate without its header")
  void shortControlMessages() {
    assertFault(TerminateCode.INVALID_OFFSET, Fpdus.untagged(0x41, 0x41, 0, 1, 1, 0,
        new byte[27]));
  }

  @Test
  @DisplayName("B-001: a Terminate without its word")
  void shortTerminate() {
    assertFault(TerminateCode.INVALID_OFFSET, Fpdus.untagged(0x41, 0x47, 0, 2, 1, 0,
        new byte[3]));
  }

  @Test
  @DisplayName("A Read Request that is too long")
  void longReadRequest() {
    assertFault(TerminateCode.MESSAGE_TOO_LONG, Fpdus.untagged(0x41, 0x41, 0, 1, 1, 0,
        new byte[29]));
  }

  @Test
  @DisplayName("P-015: DDP versions")
  void ddpVersion() {
    assertFault(TerminateCode.UNTAGGED_VERSION, Fpdus.untagged(0x42, 0x43, 0, 0, 1, 0));
  }

  @Test
  @DisplayName("P-015: DDP version of a tagged segment")
  void taggedDdpVersion() {
    assertFault(TerminateCode.TAGGED_VERSION, Fpdus.tagged(0xC0, 0x40, 1, 0));
  }

  @Test
  @DisplayName("P-015: RDMAP version")
  void rdmapVersion() {
    assertFault(TerminateCode.RDMAP_VERSION, Fpdus.untagged(0x41, 0x83, 0, 0, 1, 0));
  }

  @Test
  @DisplayName("P-015: an unknown opcode")
  void unknownOpcode() {
    assertFault(TerminateCode.UNEXPECTED_OPCODE, Fpdus.untagged(0x41, 0x48, 0, 0, 1, 0));
  }

  @Test
  @DisplayName("P-015: an untagged opcode in a tagged segment")
  void opcodeOfOtherKind() {
    assertFault(TerminateCode.UNEXPECTED_OPCODE, Fpdus.tagged(0xC1, 0x43, 1, 0));
  }

  @Test
  @DisplayName("P-013: a queue that is none")
  void unknownQueue() {
    assertFault(TerminateCode.INVALID_QUEUE, Fpdus.untagged(0x41, 0x43, 0, 3, 1, 0));
  }

  @Test
  @DisplayName("P-013: an opcode on another's queue")
  void otherQueue() {
    assertFault(TerminateCode.INVALID_QUEUE, Fpdus.untagged(0x41, 0x43, 0, 1, 1, 0));
  }

  @Test
  @DisplayName("P-012: a message sequence number out of turn")
  void sequenceNumber() {
    machine.receive(1, 64);
    assertFault(TerminateCode.SEQUENCE_RANGE, Fpdus.send(2, (byte) 1));
  }

  @Test
  @DisplayName("P-012: a message offset that leaves a gap")
  void messageOffset() {
    HostMemory inbox = machine.receive(1, 64);
    assertFault(TerminateCode.INVALID_OFFSET, Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, (byte) 1),
        Fpdus.untagged(0x41, 0x43, 0, 0, 1, 2, (byte) 2));
    assertThat(Machine.bytes(inbox)[2]).isZero();
  }

  @Test
  @DisplayName("P-019: no Receive")
  void noReceive() {
    assertFault(TerminateCode.NO_BUFFER, Fpdus.send(1, (byte) 1));
  }

  @Test
  @DisplayName("P-019: a message of no bytes needs a Receive too")
  void noReceiveForNothing() {
    assertFault(TerminateCode.NO_BUFFER, Fpdus.send(1));
  }

  @Test
  @DisplayName("P-019: longer than the Receive, in its second segment")
  void messageTooLong() {
    HostMemory memory = machine.memory(64);
    machine.endpoint.receiveQueue().post(1, memory, 0, 8);
    assertFault(TerminateCode.MESSAGE_TOO_LONG,
        Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, new byte[] {1, 1, 1, 1}),
        Fpdus.untagged(0x41, 0x43, 0, 0, 1, 4, new byte[] {1, 1, 1, 1, 1}));
    assertThat(Machine.bytes(memory)).startsWith(1, 1, 1, 1, 0, 0, 0, 0, 0);
  }

  @Test
  @DisplayName("P-007: a CRC that does not match")
  void crc() {
    machine.receive(1, 64);
    byte[] fpdu = Fpdus.send(1, (byte) 1, (byte) 2);
    fpdu[fpdu.length - 1] ^= 1;
    assertFault(TerminateCode.CRC_MISMATCH, fpdu);
    assertThat(machine.events).isEmpty();
  }

  @Test
  @DisplayName("P-007: each flipped bit is found")
  void flippedBits() {
    byte[] fpdu = Fpdus.send(1, (byte) 1, (byte) 2, (byte) 3);
    for (int bit = 16; bit < fpdu.length * 8; bit++) {
      Machine fresh = new Machine(false);
      fresh.receive(1, 64);
      byte[] broken = fpdu.clone();
      broken[bit / 8] ^= (byte) (1 << bit % 8);
      fresh.feed(broken);
      assertThat(fresh.fault.code()).isEqualTo(TerminateCode.CRC_MISMATCH);
    }
  }

  @Test
  @DisplayName("P-023: Writes to unknown tags, beyond rights, bounds and 64 bits")
  void writes() {
    HostMemory memory = machine.memory(64);
    SiwExposure exposure = machine.expose(memory, Access.REMOTE_WRITE);
    SiwExposure readable = machine.expose(memory, Access.REMOTE_READ);
    int tag = exposure.steeringTag();
    long at = exposure.remoteOffset();
    byte[] bytes = {1, 2, 3, 4};
    assertWriteFault(TerminateCode.INVALID_TAG, Fpdus.write(tag + 1, at, bytes));
    assertWriteFault(TerminateCode.ACCESS_RIGHTS,
        Fpdus.write(readable.steeringTag(), readable.remoteOffset(), bytes));
    assertWriteFault(TerminateCode.BOUNDS, Fpdus.write(tag, at - 1, bytes));
    assertWriteFault(TerminateCode.BOUNDS, Fpdus.write(tag, at + 61, bytes));
    assertWriteFault(TerminateCode.BOUNDS, Fpdus.write(tag, at + (1L << 32), bytes));
    assertWriteFault(TerminateCode.OFFSET_WRAP, Fpdus.write(tag, -2, bytes));
    assertWriteFault(TerminateCode.BOUNDS, Fpdus.write(tag, -4, bytes));
    assertThat(Machine.bytes(memory)).containsOnly(0);
  }

  /** Feeds the endpoint directly, so that it can go on after the fault. */
  private void assertWriteFault(TerminateCode code, byte[] fpdu) {
    ByteBuffer in = ByteBuffer.allocateDirect(fpdu.length).put(0, fpdu);
    try {
      machine.endpoint.receive(in, 0, fpdu.length);
      throw new AssertionError("Taken, where " + code + " is due");
    } catch (StreamFault fault) {
      assertThat(fault.code()).isEqualTo(code);
    }
  }

  @Test
  @DisplayName("P-023: Reads of unknown tags, beyond rights, bounds and 64 bits")
  void reads() {
    HostMemory memory = machine.memory(64);
    SiwExposure exposure = machine.expose(memory, Access.REMOTE_READ);
    SiwExposure writable = machine.expose(memory, Access.REMOTE_WRITE);
    int tag = exposure.steeringTag();
    long at = exposure.remoteOffset();
    assertWriteFault(TerminateCode.READ_INVALID_TAG, Fpdus.readRequest(1, 9, 8, tag + 1, at));
    assertWriteFault(TerminateCode.ACCESS_RIGHTS, Fpdus.readRequest(1, 9, 8,
        writable.steeringTag(), writable.remoteOffset()));
    assertWriteFault(TerminateCode.READ_BOUNDS, Fpdus.readRequest(1, 9, 65, tag, at));
    assertWriteFault(TerminateCode.READ_BOUNDS, Fpdus.readRequest(1, 9, -1, tag, at));
    assertWriteFault(TerminateCode.READ_OFFSET_WRAP, Fpdus.readRequest(1, 9, 8, tag, -1));
    assertThat(machine.drain(1000)).isEmpty();
  }

  @Test
  @DisplayName("P-017: more Read Requests than IRD")
  void tooManyReads() {
    SiwExposure exposure = machine.expose(machine.memory(64), Access.REMOTE_READ);
    for (int i = 1; i <= 4; i++) {
      machine.feed(Fpdus.readRequest(i, 9, 8, exposure.steeringTag(), exposure.remoteOffset()));
      assertThat(machine.fault).isNull();
    }
    assertFault(TerminateCode.NO_BUFFER,
        Fpdus.readRequest(5, 9, 8, exposure.steeringTag(), exposure.remoteOffset()));
  }

  @Test
  @DisplayName("P-020: Send With Invalidate of a tag that is none")
  void invalidateUnknown() {
    machine.receive(1, 64);
    assertFault(TerminateCode.CANNOT_INVALIDATE,
        Fpdus.untagged(0x41, 0x44, 0x7777, 0, 1, 0, (byte) 1));
    assertThat(machine.events).isEmpty();
  }

  @Test
  @DisplayName("B-013: a Read Response that nobody asked for")
  void unsolicitedResponse() {
    assertFault(TerminateCode.INVALID_TAG, Fpdus.tagged(0xC1, 0x42, 5, 0, (byte) 1));
  }

  @Test
  @DisplayName("B-013: Read Responses that are longer, shorter or elsewhere than the Read")
  void wrongResponses() {
    assertResponseFault(TerminateCode.BOUNDS, 0xC1, 0, 0, 9);
    assertResponseFault(TerminateCode.BOUNDS, 0xC1, 0, 0, 7);
    assertResponseFault(TerminateCode.BOUNDS, 0x81, 0, 0, 9);
    assertResponseFault(TerminateCode.BOUNDS, 0xC1, 0, 1, 8);
    assertResponseFault(TerminateCode.BOUNDS, 0xC1, 0, -1, 8);
    assertResponseFault(TerminateCode.INVALID_TAG, 0xC1, 1, 0, 8);
    assertResponseFault(TerminateCode.BOUNDS, 0xC1, 0, 0, 0);
  }

  private static void assertResponseFault(TerminateCode code, int ddp, int tagDelta, long offset,
      int length) {
    Machine reader = new Machine(true);
    HostMemory sink = reader.memory(16);
    reader.endpoint.sendQueue().post(1, Opcode.READ, sink, 4, 8, 0, 0, false);
    reader.endpoint.sendQueue().ring();
    byte[] request = reader.drain(1000);
    int tag = ByteBuffer.wrap(request).getInt(20 + 2 + DdpHeader.UNTAGGED_BYTES);
    byte[] data = new byte[length];
    java.util.Arrays.fill(data, (byte) 7);
    reader.feed(Fpdus.tagged(ddp, 0x42, tag + tagDelta, offset, data));
    assertThat(reader.fault.code()).isEqualTo(code);
    assertThat(Machine.bytes(sink)).containsOnly(0);
  }

  @Test
  @DisplayName("B-013: nothing more is placed once the Read is done")
  void responseAfterTheEnd() {
    Machine reader = new Machine(true);
    HostMemory sink = reader.memory(8);
    reader.post(1, Opcode.READ, sink, 0, 0, false);
    byte[] request = reader.drain(1000);
    int tag = ByteBuffer.wrap(request).getInt(20 + 2 + DdpHeader.UNTAGGED_BYTES);
    reader.feed(Fpdus.tagged(0xC1, 0x42, tag, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
    assertThat(reader.events).containsExactly("READ 1");
    reader.feed(Fpdus.tagged(0xC1, 0x42, tag, 0, new byte[] {9, 9, 9, 9, 9, 9, 9, 9}));
    assertThat(reader.fault.code()).isEqualTo(TerminateCode.INVALID_TAG);
    assertThat(Machine.bytes(sink)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  @DisplayName("P-018: a Write to the sink tag of a Read is a Write to nothing")
  void writeToSinkTag() {
    Machine reader = new Machine(true);
    HostMemory sink = reader.memory(8);
    reader.post(1, Opcode.READ, sink, 0, 0, false);
    byte[] request = reader.drain(1000);
    int tag = ByteBuffer.wrap(request).getInt(20 + 2 + DdpHeader.UNTAGGED_BYTES);
    reader.feed(Fpdus.write(tag, 0, (byte) 1));
    assertThat(reader.fault.code()).isEqualTo(TerminateCode.INVALID_TAG);
    assertThat(Machine.bytes(sink)).containsOnly(0);
  }
}
