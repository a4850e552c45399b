// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes out, byte by byte: gathered or copied, in which order, and what a Terminate shows. */
@DisplayName("iWARP: what is sent")
final class SentBytesTest {

  private static final HexFormat HEX = HexFormat.of();

  /** Fails if head or tail leave out a byte, a pad, or a part of the CRC. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("P-005, P-008: a payload that leaves from where it is is framed as one that is copied")
  void gathered(boolean crc) {
    Random random = new Random(1);
    for (int length = 0; length < 40; length++) {
      byte[] data = new byte[length];
      random.nextBytes(data);
      List<byte[]> sent = new ArrayList<>();
      for (boolean gather : new boolean[] {true, false}) {
        Machine machine = new Machine(true, Agreements.of(crc, false, false, 4, 4, Rtr.WRITE), 1);
        machine.drain(1000);
        machine.send(1, machine.memory(data));
        sent.add(gather ? gather(machine) : machine.drain(1000));
      }
      assertThat(sent.get(0)).as("%d bytes", length).isEqualTo(sent.get(1));
    }
  }

  private static byte[] gather(Machine machine) {
    OutboundStream out = machine.endpoint.outbound();
    FpduEncoder encoder = machine.endpoint.encoder();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertThat(encoder.mustCopy()).isFalse();
    while (out.prepare(1000)) {
      ByteBuffer around = ByteBuffer.allocate(FpduEncoder.bytesAround(out));
      int whole = encoder.bytes(out);
      ByteBuffer payload = out.payload().buffer().slice(out.payloadIndex(), out.payloadLength());
      assertThat(whole).isEqualTo(around.capacity() + payload.limit());
      encoder.head(out, around);
      bytes.write(around.array(), 0, around.position());
      byte[] copy = new byte[payload.limit()];
      payload.get(0, copy);
      bytes.writeBytes(copy);
      int behind = around.position();
      encoder.tail(out, payload, around);
      assertThat(around.hasRemaining()).isFalse();
      bytes.write(around.array(), behind, around.position() - behind);
    }
    return bytes.toByteArray();
  }

  @Test
  @DisplayName("P-006: with markers a payload is copied, and its FPDU is as long as is told")
  void marked() {
    Machine machine = new Machine(true, Agreements.of(true, true, false, 4, 4, Rtr.WRITE), 1);
    assertThat(machine.endpoint.encoder().mustCopy()).isTrue();
    for (int i = 0; i < 20; i++) {
      machine.send(i, machine.memory(new byte[100 + 37 * i]));
    }
    ByteBuffer out = ByteBuffer.allocateDirect(1 << 16);
    while (machine.endpoint.outbound().prepare(1000)) {
      int told = machine.endpoint.encoder().bytes(machine.endpoint.outbound());
      int before = out.position();
      machine.endpoint.encodeCopy(out);
      assertThat(out.position() - before).isEqualTo(told);
    }
  }

  /** Fails if Responses, or what is posted, always go first. */
  @Test
  @DisplayName("P-016: Responses and what is posted take turns, message by message")
  void turns() {
    Machine machine = new Machine(false);
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_READ);
    for (int i = 1; i <= 3; i++) {
      machine.feed(Fpdus.readRequest(i, i, 8, exposure.steeringTag(), exposure.remoteOffset()));
      machine.send(i, machine.memory(8));
    }
    List<Integer> opcodes = new ArrayList<>();
    byte[] sent = machine.drain(1000);
    for (int at = 0; at < sent.length; at += Fpdu.bytes((sent[at] & 0xFF) << 8 | sent[at + 1] & 0xFF)) {
      opcodes.add(sent[at + 3] & 0xF);
    }
    int response = RdmapOpcode.READ_RESPONSE;
    assertThat(opcodes).containsExactly(response, RdmapOpcode.SEND, response, RdmapOpcode.SEND, response,
        RdmapOpcode.SEND);
  }

  private static String terminate(byte[] fpdu) {
    Machine machine = new Machine(false);
    machine.feed(Fpdus.write(0, 0));
    machine.feed(fpdu);
    byte[] sent = machine.drain(1000);
    int length = (sent[0] & 0xFF) << 8 | sent[1] & 0xFF;
    return HEX.formatHex(sent, 2 + DdpHeader.UNTAGGED_BYTES, 2 + length);
  }

  /** Fails if another header or length is told than RFC 5040 §4.8 has in its figure 10. */
  @Test
  @DisplayName("P-021: a Terminate shows the headers that belong to its error, and the length of the segment")
  void shownHeaders() {
    byte[] broken = Fpdus.send(1, (byte) 1);
    broken[broken.length - 1] ^= 1;
    assertThat(terminate(broken)).as("MPA").isEqualTo("20020000");
    assertThat(terminate(Fpdus.frame(new byte[] {0x41}))).as("too short").isEqualTo("10000000");
    assertThat(terminate(Fpdus.write(0x12345678, 9, new byte[] {1, 2, 3}))).as("tagged, DDP")
        .isEqualTo("1100c000" + "0011" + "c140" + "12345678" + "0000000000000009");
    assertThat(terminate(Fpdus.send(7, (byte) 1))).as("untagged, DDP").isEqualTo("1203c000" + "0013"
        + "4143" + "00000000" + "00000000" + "00000007" + "00000000");
    assertThat(terminate(Fpdus.readRequest(1, 5, 8, 0x11223344, 6))).as("Read Request, RDMAP")
        .isEqualTo("0100e000" + "002e" + "4141" + "00000000" + "00000001" + "00000001" + "00000000"
            + "00000005" + "0000000000000000" + "00000008" + "11223344" + "0000000000000006");
    assertThat(terminate(Fpdus.readRequest(3, 5, 8, 0x11223344, 6))).as("Read Request, DDP")
        .isEqualTo("1203c000" + "002e" + "4141" + "00000000" + "00000001" + "00000003" + "00000000");
    assertThat(terminate(Fpdus.untagged(0x41, 0x48, 0, 0, 1, 0))).as("untagged, RDMAP")
        .isEqualTo("0206c000" + "0012" + "4148" + "00000000" + "00000000" + "00000001" + "00000000");
  }

  @Test
  @DisplayName("P-010, P-021: the Terminate of a startup that cannot go on is a whole FPDU")
  void refusal() {
    byte[] sent = FpduEncoder.terminate(Agreements.refused(
        Agreements.of(true, false, false, 4, 4, Rtr.WRITE), TerminateCode.INSUFFICIENT_IRD));
    assertThat(sent).isEqualTo(Fpdus.untagged(0x41, 0x47, 0, 2, 1, 0, new byte[] {0x20, 6, 0, 0}));
  }

  @Test
  @DisplayName("P-021: a Terminate of four bytes is enough, and its sequence number is 1")
  void shortestTerminate() {
    Machine machine = new Machine(false);
    machine.feed(Fpdus.untagged(0x41, 0x47, 0, 2, 1, 0, new byte[] {0x12, 2, 0, 0}));
    assertThat(machine.fault).isNull();
    assertThat(machine.events).containsExactly("TERMINATED no buffer");
    Machine other = new Machine(false);
    other.feed(Fpdus.untagged(0x41, 0x47, 0, 2, 2, 0, new byte[] {0x12, 2, 0, 0}));
    assertThat(other.fault).isNotNull();
    assertThat(other.events).isEmpty();
  }

  @Test
  @DisplayName("P-011: one more message without effect wakes a peer, and takes neither Receive nor IRD")
  void nudge() {
    Machine machine = new Machine(true, 1, 1, Rtr.READ, 1);
    machine.drain(1000);
    assertThat(machine.drain(1000)).isEmpty();
    machine.endpoint.nudge();
    byte[] sent = machine.drain(1000);
    assertThat(sent[3] & 0xF).isEqualTo(RdmapOpcode.WRITE);
    assertThat(sent).hasSize(20);
  }

  @Test
  @DisplayName("P-022, B-023: at the end Responses give their memory up, and what is posted is told to be so")
  void end() {
    Machine machine = new Machine(false);
    assertThat(machine.endpoint.capacity()).isEqualTo(128);
    assertThat(machine.endpoint.hasPosted()).isFalse();
    HostMemory memory = machine.memory(8);
    SiwExposure exposure = machine.expose(memory, Access.REMOTE_READ);
    SiwExposure plain = machine.expose(memory, Access.REMOTE_READ);
    machine.feed(Fpdus.readRequest(1, 5, 8, exposure.steeringTag(), exposure.remoteOffset()));
    machine.endpoint.exposures().revoke(exposure, machine.revoked::add);
    machine.post(1, Opcode.WRITE, machine.memory(4), 7, 0, false);
    assertThat(machine.endpoint.hasPosted()).isTrue();
    machine.receive(2, 8);
    machine.end();
    assertThat(machine.events).containsExactly("WRITE 1 FLUSHED", "RECEIVE 2 FLUSHED");
    assertThat(machine.revoked).containsExactly(exposure);
    assertThat(plain.hasEnded()).isTrue();
    assertThat(machine.endpoint.exposures().size()).isZero();
    assertThat(machine.endpoint.hasPosted()).isFalse();
    machine.receive(3, 8);
    assertThat(machine.endpoint.hasPosted()).as("a Receive alone").isTrue();
    assertThat(memory.deregister().succeeded()).isTrue();
  }
}
