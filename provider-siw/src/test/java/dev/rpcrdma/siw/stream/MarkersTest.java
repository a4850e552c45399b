// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Markers in both directions, against the RFC's examples and against a walk along the stream. */
@DisplayName("MPA markers")
final class MarkersTest {

  private static MpaAgreement agreement(boolean crc, boolean sent, boolean received) {
    return Agreements.of(crc, sent, received, 4, 4, Rtr.WRITE);
  }

  private static ByteBuffer send(int sequence, int length) {
    ByteBuffer ulpdu = ByteBuffer.allocate(DdpHeader.UNTAGGED_BYTES + length);
    DdpHeader.putUntagged(ulpdu, RdmapOpcode.SEND, true, 0, 0, sequence, 0);
    return ulpdu.clear();
  }

  private static ByteBuffer write(int length) {
    ByteBuffer ulpdu = ByteBuffer.allocate(DdpHeader.TAGGED_BYTES + length);
    DdpHeader.putTagged(ulpdu, RdmapOpcode.WRITE, true, 7, 0);
    return ulpdu.clear();
  }

  @Test
  @DisplayName("P-006: the FPDUs of RFC 5044, figures 5 and 6, to the last bit of their CRC")
  void figures() {
    RecordedSender sender = new RecordedSender(true, true);
    String zeros = "00".repeat(24);
    assertThat(sender.send(List.of(send(1, 24)))).isEqualTo(HexFormat.of().parseHex("00000000"
        + "002a4143000000000000000000000001" + "00000000" + zeros + "52239983"));
    // From 52 to 492 octets behind the first marker.
    assertThat(sender.send(List.of(write(420)))).hasSize(440);
    assertThat(sender.send(List.of(send(2, 24)))).isEqualTo(HexFormat.of().parseHex(
        "002a4143000000000000000000000002" + "00000000" + "00000014" + zeros + "84925898"));
    // Without markers, and so with another CRC.
    assertThat(new RecordedSender(true, false).send(List.of(send(1, 24)))).endsWith(
        HexFormat.of().parseHex("b7243ec3"));
  }

  @Test
  @DisplayName("P-006, P-012: each 512th octet is a marker that points to its FPDU, at all lengths")
  void everywhere() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      RecordedSender sender = new RecordedSender(true, true);
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      for (int i = 0; i < 60; i++) {
        // Many lengths near the distance of two markers, so that they fall between FPDUs.
        int length = random.nextInt(4) == 0 ? random.nextInt(6000) : 480 + random.nextInt(40);
        stream.writeBytes(sender.send(List.of(write(length))));
      }
      stream.writeBytes(sender.send(List.of(write(Fpdu.mulpdu(0xFFFF, true)
          - DdpHeader.TAGGED_BYTES))));
      walk(stream.toByteArray());
    }
  }

  /** Knows only the octets: takes every 512th word out, then looks where FPDUs begin. */
  private static void walk(byte[] stream) {
    ByteBuffer plain = ByteBuffer.allocate(stream.length);
    for (int at = 0; at < stream.length; at += 512) {
      plain.put(stream, at + 4, Math.min(512, stream.length - at) - 4);
    }
    plain.flip();
    int start = 0;
    int marker = 0;
    while (start < plain.limit()) {
      int end = start + Fpdu.bytes(plain.getShort(start) & 0xFFFF);
      // Markers before octet n of the plain stream: one at 0 and one each 508.
      for (; marker * 508 < end; marker++) {
        int lengthField = start + 4 * (start / 508 + 1);
        int pointer = Math.max(0, 512 * marker - lengthField);
        assertThat(ByteBuffer.wrap(stream).getInt(512 * marker)).isEqualTo(pointer);
      }
      start = end;
    }
    assertThat(start).isEqualTo(plain.limit());
  }

  @Test
  @DisplayName("P-006, P-008: what one of our sides marks the other reads, in pieces of any size")
  void bothDirections() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      boolean crc = random.nextBoolean();
      Machine client = new Machine(true, agreement(crc, true, random.nextBoolean()), 1);
      Machine server = new Machine(false, agreement(crc, false, true), 1);
      HostMemory target = server.memory(20_000);
      SiwExposure exposure = server.expose(target, Access.REMOTE_WRITE);
      HostMemory got = server.receive(1, 3000);
      byte[] data = new byte[20_000];
      random.nextBytes(data);
      client.post(1, Opcode.WRITE, client.memory(data), exposure.steeringTag(),
          exposure.remoteOffset(), false);
      client.send(2, client.memory(Arrays.copyOf(data, 2999)));
      byte[] sent = client.drain(128 + random.nextInt(30_000));
      for (int at = 0; at < sent.length; ) {
        int size = Math.min(sent.length - at, 1 + random.nextInt(1 + seed * 20));
        server.feed(Arrays.copyOfRange(sent, at, at + size));
        at += size;
      }
      assertThat(server.fault).as("seed %d", seed).isNull();
      assertThat(server.events).as("seed %d", seed).containsExactly("RECEIVE 1 2999");
      assertThat(Machine.bytes(target)).isEqualTo(data);
      assertThat(Arrays.copyOf(Machine.bytes(got), 2999)).isEqualTo(Arrays.copyOf(data, 2999));
    }
  }

  @Test
  @DisplayName("P-007: a marker that disagrees with the length ends the stream by Terminate 2/0/03")
  void disagreement() {
    RecordedSender sender = new RecordedSender(false, true);
    byte[] sent = sender.send(List.of(write(2000)));
    sent[512 + 3] += 4;
    Machine server = new Machine(false, agreement(false, false, true), 1);
    server.feed(sent);
    assertThat(server.fault.code()).isEqualTo(TerminateCode.MARKER_MISMATCH);
    // The two low bits count as zero (RFC 5044 §4.3).
    byte[] odd = new RecordedSender(false, true).send(List.of(write(0)));
    odd[3] |= 3;
    Machine tolerant = new Machine(false, agreement(false, false, true), 1);
    tolerant.feed(odd);
    assertThat(tolerant.fault).isNull();
  }

  @Test
  @DisplayName("P-007: a marker is covered by the CRC of its FPDU")
  void coveredByCrc() {
    byte[] sent = new RecordedSender(true, true).send(List.of(write(0)));
    sent[1] = 1;
    Machine server = new Machine(false, agreement(true, false, true), 1);
    server.feed(sent);
    assertThat(server.fault.code()).isEqualTo(TerminateCode.CRC_MISMATCH);
  }

  @Test
  @DisplayName("P-006: the Terminate of a refused startup is marked as well")
  void refusal() {
    MpaAgreement refused =
        Agreements.refused(agreement(true, true, false), TerminateCode.NO_MATCHING_RTR);
    byte[] sent = FpduEncoder.terminate(refused);
    assertThat(sent).startsWith(0, 0, 0, 0, 0, 22);
    FpduDecoder decoder = new FpduDecoder(true, true);
    assertThat(decoder.complete(ByteBuffer.wrap(sent), 0, sent.length)).isEqualTo(sent.length);
    assertThat(decoder.open(ByteBuffer.wrap(sent), 0, sent.length)).isEqualTo(2);
    assertThatThrownBy(() -> new FpduDecoder(true, false).open(ByteBuffer.wrap(sent), 0,
        sent.length)).isInstanceOf(StreamFault.class);
  }
}
