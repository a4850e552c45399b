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
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is wrong touches no memory, and neither does anything that comes behind it, though it is good and
 * came in the same read.
 */
@DisplayName("iWARP: nothing of a fault, and nothing behind it")
final class NothingBehindFaultTest {

  private static final byte[] EIGHT = {1, 2, 3, 4, 5, 6, 7, 8};

  private final Machine machine = new Machine(false);
  private final HostMemory inbox = machine.receive(1, 8);
  private final HostMemory written = machine.memory(8);
  private final HostMemory readOnly = machine.memory(8);
  private final HostMemory sink = machine.memory(8);
  private final SiwExposure writable = machine.expose(written, Access.REMOTE_WRITE);
  private final SiwExposure readable = machine.expose(readOnly, Access.REMOTE_READ);
  private final int tag = writable.steeringTag();
  private final long at = writable.remoteOffset();
  private final int sinkTag;

  NothingBehindFaultTest() {
    machine.feed(Fpdus.write(0, 0));
    machine.post(9, Opcode.READ, sink, 7, 0, false);
    sinkTag = ByteBuffer.wrap(machine.drain(1000)).getInt(2 + DdpHeader.UNTAGGED_BYTES);
  }

  /** One error for each check. */
  private enum Bad {
    CRC, DDP_VERSION, RDMAP_VERSION, OPCODE, QUEUE, SHORT,
    SEND_SEQUENCE, SEND_OFFSET, SEND_LONG, SEND_INVALIDATES_NONE,
    WRITE_TAG, WRITE_RIGHTS, WRITE_BOUNDS, WRITE_WRAP,
    READ_TAG, READ_BOUNDS, READ_SHORT,
    RESPONSE_TAG, RESPONSE_BOUNDS, RESPONSE_LONG, RESPONSE_SHORT
  }

  private byte[] fpdu(Bad bad) {
    return switch (bad) {
      case CRC -> {
        byte[] broken = Fpdus.send(1, EIGHT);
        broken[broken.length - 1] ^= 0x40;
        yield broken;
      }
      case DDP_VERSION -> Fpdus.untagged(0x40, 0x43, 0, 0, 1, 0, EIGHT);
      case RDMAP_VERSION -> Fpdus.untagged(0x41, 0x03, 0, 0, 1, 0, EIGHT);
      case OPCODE -> Fpdus.tagged(0xC1, 0x43, tag, at, EIGHT);
      case QUEUE -> Fpdus.untagged(0x41, 0x43, 0, 1, 1, 0, EIGHT);
      case SHORT -> Fpdus.frame(new byte[] {0x41, 0x43});
      case SEND_SEQUENCE -> Fpdus.send(2, EIGHT);
      case SEND_OFFSET -> Fpdus.untagged(0x41, 0x43, 0, 0, 1, 1, EIGHT);
      case SEND_LONG -> Fpdus.send(1, Arrays.copyOf(EIGHT, 9));
      case SEND_INVALIDATES_NONE -> Fpdus.untagged(0x41, 0x44, tag ^ 1, 0, 1, 0, EIGHT);
      case WRITE_TAG -> Fpdus.write(tag ^ 1, at, EIGHT);
      case WRITE_RIGHTS -> Fpdus.write(readable.steeringTag(), readable.remoteOffset(), EIGHT);
      case WRITE_BOUNDS -> Fpdus.write(tag, at + 1, EIGHT);
      case WRITE_WRAP -> Fpdus.write(tag, -4, EIGHT);
      case READ_TAG -> Fpdus.readRequest(1, 5, 8, tag ^ 1, at);
      case READ_BOUNDS ->
          Fpdus.readRequest(1, 5, 9, readable.steeringTag(), readable.remoteOffset());
      case READ_SHORT -> Fpdus.untagged(0x41, 0x41, 0, 1, 1, 0, EIGHT);
      case RESPONSE_TAG -> Fpdus.tagged(0xC1, 0x42, sinkTag ^ 1, 0, EIGHT);
      case RESPONSE_BOUNDS -> Fpdus.tagged(0xC1, 0x42, sinkTag, 1, EIGHT);
      case RESPONSE_LONG -> Fpdus.tagged(0xC1, 0x42, sinkTag, 0, Arrays.copyOf(EIGHT, 9));
      case RESPONSE_SHORT -> Fpdus.tagged(0xC1, 0x42, sinkTag, 0, Arrays.copyOf(EIGHT, 7));
    };
  }

  private byte[] good() {
    return Fpdus.concat(Fpdus.write(tag, at, EIGHT),
        Fpdus.tagged(0xC1, 0x42, sinkTag, 0, EIGHT),
        Fpdus.readRequest(1, 5, 8, readable.steeringTag(), readable.remoteOffset()),
        Fpdus.send(1, EIGHT));
  }

  private void assertUntouched() {
    for (HostMemory memory : List.of(inbox, written, readOnly, sink)) {
      assertThat(Machine.bytes(memory)).containsOnly(0);
    }
    assertThat(machine.events).isEmpty();
  }

  /** Fails if a check stands behind the placing, or if FPDUs behind a fault are handled in the same call. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("P-007, P-013: checks come before memory is touched, nothing more is placed, all is told")
  void checkedFirst(Bad bad) {
    machine.feed(Fpdus.concat(fpdu(bad), good()));
    assertThat(machine.fault).isNotNull();
    assertUntouched();
    machine.feed(good());
    assertUntouched();
    byte[] told = machine.drain(1000);
    assertThat(told[3] & 0xF).isEqualTo(RdmapOpcode.TERMINATE);
    assertThat(machine.drain(1000)).as("behind the Terminate").isEmpty();
    assertThat(writable.hasEnded()).isFalse();
  }

  @Test
  @DisplayName("P-013: the same bytes without the fault are placed and delivered")
  void goodOnes() {
    machine.feed(good());
    assertThat(machine.fault).isNull();
    for (HostMemory memory : List.of(inbox, written, sink)) {
      assertThat(Machine.bytes(memory)).isEqualTo(EIGHT);
    }
    assertThat(machine.events).containsExactly("RECEIVE 1 8", "READ 9");
  }

  /** Fails if the CRC leaves out the length field, the header, the payload, or a part of itself. */
  @Test
  @DisplayName("P-007: no flipped bit behind the length field gets a byte placed, whatever the segment is")
  void anyBit() {
    int bits = 8 * Fpdus.write(tag, at, EIGHT).length;
    for (int bit = 16; bit < bits; bit++) {
      Machine fresh = new Machine(false);
      HostMemory memory = fresh.memory(8);
      SiwExposure exposure = fresh.expose(memory, Access.REMOTE_WRITE);
      byte[] own = Fpdus.write(exposure.steeringTag(), exposure.remoteOffset(), EIGHT);
      own[bit / 8] ^= (byte) (1 << bit % 8);
      fresh.feed(own);
      assertThat(fresh.fault.code()).as("bit %d", bit).isEqualTo(TerminateCode.CRC_MISMATCH);
      assertThat(Machine.bytes(memory)).containsOnly(0);
    }
  }

  /** Fails if a marker is skipped without a look at it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("P-007: nothing of an FPDU whose marker disagrees, and nothing behind it, is placed")
  void marker(boolean behind) {
    Machine marked = new Machine(false, Agreements.of(true, false, true, 4, 4, Rtr.WRITE), 1);
    HostMemory memory = marked.memory(1500);
    SiwExposure exposure = marked.expose(memory, Access.REMOTE_WRITE);
    PeerFramer framer = new PeerFramer(true);
    byte[] data = new byte[1500];
    Arrays.fill(data, (byte) 7);
    byte[] framed = Fpdus.write(exposure.steeringTag(), exposure.remoteOffset(), data);
    byte[] sent = framer.frame(Arrays.copyOfRange(framed, 2, 2 + DdpHeader.TAGGED_BYTES + 1500));
    // The second marker tells a place four bytes off, and the CRC is right all the same.
    sent[512 + 3] += 4;
    CRC32C crc = new CRC32C();
    crc.update(sent, 0, sent.length - 4);
    ByteBuffer.wrap(sent).putInt(sent.length - 4, Integer.reverseBytes((int) crc.getValue()));
    byte[] next = framer.frame(Arrays.copyOfRange(framed, 2, 2 + DdpHeader.TAGGED_BYTES + 1500));
    marked.feed(behind ? Fpdus.concat(sent, next) : sent);
    assertThat(marked.fault.code()).isEqualTo(TerminateCode.MARKER_MISMATCH);
    assertThat(Machine.bytes(memory)).containsOnly(0);
  }

  /** Fails if a part of an FPDU is handled at the end of the stream. */
  @Test
  @DisplayName("P-007: nothing is placed of an FPDU that TCP has cut off; what was posted is flushed")
  void cutOff() {
    byte[] send = Fpdus.send(1, EIGHT);
    machine.feed(Arrays.copyOf(send, send.length - 1));
    machine.end();
    for (HostMemory memory : List.of(inbox, written, readOnly, sink)) {
      assertThat(Machine.bytes(memory)).containsOnly(0);
    }
    assertThat(machine.events).containsExactly("READ 9 FLUSHED", "RECEIVE 1 FLUSHED");
  }
}
