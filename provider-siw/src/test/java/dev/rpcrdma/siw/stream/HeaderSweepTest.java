// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each field of each header with each value that has bitten someone: a segment is taken or ends the
 * stream by a Terminate, and no byte is placed outside what was offered.
 */
@DisplayName("iWARP: every field of every header")
@Tag("large")
final class HeaderSweepTest {

  private static final int[] WORDS = {0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000,
      0x80000001, 0xFFFFFFF8, 0xFFFFFFFE, 0xFFFFFFFF};
  private static final int MEMORY = 256;
  private static final int FROM = 64;
  private static final int LENGTH = 128;
  private static final byte GUARD = 0x5A;

  private Machine machine;
  private HostMemory written;
  private HostMemory received;
  private HostMemory sink;
  private SiwExposure writable;
  private SiwExposure readable;
  private int faults;
  private int taken;

  /** A machine with everything that a segment can want, in the middle of guarded memory. */
  @BeforeEach
  void fresh() {
    machine = new Machine(true, 4, 4, Rtr.WRITE, 1);
    written = guarded();
    received = guarded();
    sink = guarded();
    writable = machine.endpoint.exposures().expose(1, written, FROM, LENGTH,
        Access.REMOTE_WRITE);
    readable = machine.endpoint.exposures().expose(2, guarded(), FROM, LENGTH,
        Access.REMOTE_READ);
    machine.endpoint.receiveQueue().post(1, received, FROM, LENGTH);
    machine.endpoint.sendQueue().post(2, Opcode.READ, sink, FROM, LENGTH, 7, 0, false);
    machine.endpoint.sendQueue().ring();
  }

  private HostMemory guarded() {
    byte[] guard = new byte[MEMORY];
    Arrays.fill(guard, GUARD);
    return machine.memory(guard);
  }

  /** Sends the outstanding Read and finds its sink tag. */
  private int sinkTag() {
    ByteBuffer sent = ByteBuffer.wrap(machine.drain(1000));
    // Behind the ready-to-receive Write of 20 bytes and the length field.
    return sent.getInt(24 - 4 + 2 + DdpHeader.UNTAGGED_BYTES);
  }

  private byte[] ulpdu(int kind) {
    byte[] framed = switch (kind) {
      case 0 -> Fpdus.send(1, new byte[16]);
      case 1 -> Fpdus.write(writable.steeringTag(), writable.remoteOffset(), new byte[16]);
      case 2 -> Fpdus.readRequest(1, 5, 16, readable.steeringTag(), readable.remoteOffset());
      case 3 -> Fpdus.tagged(0xC1, 0x42, sinkTag(), 0, new byte[LENGTH]);
      case 4 -> Fpdus.untagged(0x41, 0x44, writable.steeringTag(), 0, 1, 0, new byte[16]);
      default -> Fpdus.untagged(0x41, 0x47, 0, 2, 1, 0, new byte[] {0x12, 2, 0, 0});
    };
    return Arrays.copyOfRange(framed, 2, 2 + (framed[0] << 8 | framed[1] & 0xFF));
  }

  private void attack(byte[] ulpdu, String what) {
    machine.feed(Fpdus.frame(ulpdu));
    if (machine.fault == null) {
      taken++;
      machine.feed(Fpdus.send(2));
    } else {
      faults++;
      byte[] sent = machine.drain(1000);
      assertThat(sent[sent.length > 3 ? 3 : 0] & 0xF).as(what).isBetween(0, 7);
    }
    machine.drain(1000);
    for (HostMemory memory : new HostMemory[] {written, received, sink}) {
      byte[] bytes = Machine.bytes(memory);
      for (int i = 0; i < MEMORY; i++) {
        if (i < FROM || i >= FROM + LENGTH) {
          assertThat(bytes[i]).as("%s, byte %d", what, i).isEqualTo(GUARD);
        }
      }
    }
  }

  private static int fields(int kind) {
    return kind == 1 || kind == 3 ? DdpHeader.TAGGED_BYTES
        : DdpHeader.UNTAGGED_BYTES + (kind == 2 ? ReadRequestHeader.BYTES : 0);
  }

  @Test
  @DisplayName("P-013, B-001, B-013: all values of the control bytes, edge values of all words")
  void eachField() {
    for (int kind = 0; kind < 6; kind++) {
      for (int control = 0; control < 2; control++) {
        for (int value = 0; value < 256; value++) {
          fresh();
          byte[] ulpdu = ulpdu(kind);
          ulpdu[control] = (byte) value;
          attack(ulpdu, "kind " + kind + ", control byte " + control + " = " + value);
        }
      }
      for (int at = 2; at + 4 <= fields(kind); at += 2) {
        for (int value : WORDS) {
          fresh();
          byte[] ulpdu = ulpdu(kind);
          ByteBuffer.wrap(ulpdu).putInt(at, value);
          attack(ulpdu, "kind " + kind + ", word at " + at + " = " + value);
        }
      }
    }
    assertThat(faults).isGreaterThan(2000);
    assertThat(taken).isGreaterThan(100);
  }

  @Test
  @DisplayName("P-013, B-001: each kind of segment cut to each length")
  void eachLength() {
    for (int kind = 0; kind < 6; kind++) {
      fresh();
      int whole = ulpdu(kind).length;
      for (int length = 0; length < whole; length++) {
        fresh();
        attack(Arrays.copyOf(ulpdu(kind), length), "kind " + kind + " of " + length);
      }
    }
  }

  @Test
  @DisplayName("P-013: random headers and random changes of good ones, 20 000 seeds")
  void random() {
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      fresh();
      byte[] ulpdu = ulpdu(random.nextInt(6));
      for (int i = random.nextInt(4); i >= 0; i--) {
        ulpdu[random.nextInt(ulpdu.length)] = (byte) random.nextInt();
      }
      attack(ulpdu, "seed " + seed);
    }
  }
}
