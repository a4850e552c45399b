// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an endpoint sends, and what it makes of what it gets, without a socket. */
@DisplayName("iWARP: streams")
final class StreamTest {

  private static final HexFormat HEX = HexFormat.of();

  /** The FPDU of figure 5 in RFC 5044, without its marker. */
  private static final String RFC_5044_SEND =
      "002a" + "4143" + "00000000" + "00000000" + "00000001" + "00000000" + "00".repeat(24)
          + "b7243ec3";

  @Test
  @DisplayName("P-012: a Send of 24 zero bytes is the FPDU of RFC 5044")
  void goldenSend() {
    Machine sender = new Machine(false);
    sender.feed(Fpdus.write(1, 0));
    sender.send(1, sender.memory(24));
    assertThat(HEX.formatHex(sender.drain(1000))).isEqualTo(RFC_5044_SEND);
    Machine receiver = new Machine(false);
    receiver.receive(5, 24);
    receiver.feed(HEX.parseHex(RFC_5044_SEND));
    assertThat(receiver.events).containsExactly("RECEIVE 5 24");
  }

  @Test
  @DisplayName("P-003, P-011: a responder waits for the first FPDU, an initiator starts with one")
  void firstFpdu() {
    Machine responder = new Machine(false);
    responder.send(1, responder.memory(4));
    assertThat(responder.drain(1000)).isEmpty();
    Machine initiator = new Machine(true);
    byte[] first = initiator.drain(1000);
    assertThat(HEX.formatHex(first)).startsWith("000e" + "c140" + "00000001" + "00".repeat(8));
    responder.feed(first);
    assertThat(responder.drain(1000)).isNotEmpty();
  }

  @Test
  @DisplayName("P-003: a responder that got nothing sends not even a Terminate")
  void noTerminateBeforeFirstFpdu() {
    Machine responder = new Machine(false);
    responder.endpoint.fail(new StreamFault(TerminateCode.LOCAL_CATASTROPHIC, "test"));
    assertThat(responder.drain(1000)).isEmpty();
  }

  @Test
  @DisplayName("P-011: the agreed ready-to-receive message goes first and has no effect")
  void rtrMessages() {
    for (Rtr rtr : Rtr.values()) {
      Machine initiator = new Machine(true, 4, 4, rtr, 1);
      Machine responder = new Machine(false, 4, 4, rtr, 1);
      responder.receive(1, 4);
      responder.feed(initiator.drain(1000));
      assertThat(responder.fault).isNull();
      assertThat(responder.events).isEmpty();
      initiator.feed(responder.drain(1000));
      assertThat(initiator.fault).isNull();
      initiator.endpoint.nudge();
      initiator.send(2, initiator.memory(4));
      responder.feed(initiator.drain(1000));
      assertThat(responder.events).containsExactly("RECEIVE 1 4");
    }
  }

  /** Fails if the ready-to-receive Read is left out of the count of outstanding Reads. */
  @Test
  @DisplayName("P-011, P-017: a ready-to-receive Read is the first outstanding one; those posted wait for it")
  void rtrReadCounts() {
    Machine initiator = new Machine(true, 1, 1, Rtr.READ, 1);
    Machine responder = new Machine(false, 1, 1, Rtr.READ, 1);
    responder.receive(3, 4);
    SiwExposure exposure = responder.expose(responder.memory(8), Access.REMOTE_READ);
    initiator.post(1, Opcode.READ, initiator.memory(8), exposure.steeringTag(),
        exposure.remoteOffset(), false);
    initiator.send(2, initiator.memory(4));
    responder.feed(initiator.drain(1000));
    assertThat(responder.fault).isNull();
    assertThat(responder.events).as("what is behind the Read").isEmpty();
    assertThat(initiator.drain(1000)).isEmpty();
    for (int i = 0; i < 2; i++) {
      initiator.feed(responder.drain(1000));
      responder.feed(initiator.drain(1000));
    }
    assertThat(initiator.events).containsExactly("READ 1", "SEND 2");
    assertThat(responder.events).containsExactly("RECEIVE 3 4");
  }

  @Test
  @DisplayName("P-012, B-015: sequence numbers wrap, and queues count apart")
  void sequenceNumbersWrap() {
    Machine initiator = new Machine(true, 4, 4, Rtr.WRITE, -2);
    Machine responder = new Machine(false, 4, 4, Rtr.WRITE, -2);
    SiwExposure exposure = responder.expose(responder.memory(8), Access.REMOTE_READ);
    for (int i = 0; i < 5; i++) {
      responder.receive(i, 8);
      initiator.send(i, initiator.memory(8));
      initiator.post(i, Opcode.READ, initiator.memory(8), exposure.steeringTag(),
          exposure.remoteOffset(), false);
      responder.feed(initiator.drain(1000));
      initiator.feed(responder.drain(1000));
    }
    assertThat(responder.fault).isNull();
    assertThat(responder.events).hasSize(5);
    assertThat(initiator.events).contains("READ 4", "SEND 4");
  }

  @Test
  @DisplayName("P-008, B-003: a stream cut anywhere, and in single bytes, gives the same")
  void cuts() {
    byte[] stream = Fpdus.concat(Fpdus.send(1, (byte) 1, (byte) 2, (byte) 3), Fpdus.send(2),
        Fpdus.untagged(0x01, 0x43, 0, 0, 3, 0, (byte) 4), Fpdus.write(1, 0),
        Fpdus.untagged(0x41, 0x43, 0, 0, 3, 1, (byte) 5), Fpdus.readRequest(1, 9, 0, 0, 0));
    List<String> expected = List.of("RECEIVE 1 3", "RECEIVE 2 0", "RECEIVE 3 2");
    for (int cut = 0; cut < stream.length; cut++) {
      Machine machine = receiving();
      machine.feed(java.util.Arrays.copyOfRange(stream, 0, cut));
      machine.feed(java.util.Arrays.copyOfRange(stream, cut, stream.length));
      assertThat(machine.events).isEqualTo(expected);
    }
    Machine machine = receiving();
    for (byte each : stream) {
      machine.feed(each);
    }
    assertThat(machine.events).isEqualTo(expected);
    assertThat(HEX.formatHex(machine.drain(1000))).as("the Response to a Read of no bytes")
        .startsWith("000e" + "c142" + "00000009" + "00".repeat(8));
  }

  @Test
  @DisplayName("P-016: Read Requests are answered in order, once each, behind the Writes before them")
  void readResponses() {
    Machine machine = new Machine(false);
    HostMemory memory = machine.memory(new byte[200]);
    SiwExposure readable = machine.expose(memory, Access.REMOTE_READ);
    SiwExposure writable = machine.expose(memory, Access.REMOTE_WRITE);
    machine.feed(Fpdus.concat(
        Fpdus.write(writable.steeringTag(), writable.remoteOffset(), (byte) 0x77),
        Fpdus.readRequest(1, 0x51, 200, readable.steeringTag(), readable.remoteOffset()),
        // RFC 5040 §5.2.1: of a Read of no bytes neither tag nor offset is looked at.
        Fpdus.readRequest(2, 0x52, 0, 0x999, -5),
        Fpdus.readRequest(3, 0x53, 1, readable.steeringTag(), readable.remoteOffset())));
    assertThat(machine.fault).isNull();
    String zeros = "00".repeat(8);
    assertThat(HEX.formatHex(machine.drain(14 + 114))).matches(
        "0080" + "8142" + "00000051" + zeros + "77.*"
            + "0064" + "c142" + "00000051" + "0000000000000072" + "00.*"
            + "000e" + "c142" + "00000052" + zeros + ".{8}"
            + "000f" + "c142" + "00000053" + zeros + "77.*");
    assertThat(machine.drain(1000)).isEmpty();
  }

  private static Machine receiving() {
    Machine machine = new Machine(false);
    for (int i = 1; i <= 3; i++) {
      machine.receive(i, 8);
    }
    return machine;
  }

  @Test
  @DisplayName("P-012, B-055: segments are no longer than MULPDU, and messages do not mix")
  void segmentation() {
    Machine initiator = new Machine(true);
    initiator.drain(1000);
    byte[] data = new byte[300];
    java.util.Arrays.fill(data, (byte) 3);
    initiator.send(1, initiator.memory(data));
    initiator.send(2, initiator.memory(new byte[] {4}));
    byte[] stream = initiator.drain(128);
    ByteBuffer in = ByteBuffer.wrap(stream);
    int[] lengths = {128, 128, 300 - 220 + 18, 19};
    int[] controls = {0x01, 0x01, 0x41, 0x41};
    for (int i = 0; i < lengths.length; i++) {
      int at = in.position();
      assertThat(in.getShort(at)).isEqualTo((short) lengths[i]);
      assertThat(in.get(at + 2)).isEqualTo((byte) controls[i]);
      in.position(at + dev.rpcrdma.siw.wire.Fpdu.bytes(lengths[i]));
    }
    assertThat(in.hasRemaining()).isFalse();
  }

  @Test
  @DisplayName("P-014: Sends with Solicited Event are delivered like Sends")
  void solicitedEvent() {
    Machine machine = receiving();
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_WRITE);
    machine.feed(Fpdus.untagged(0x41, 0x45, 0, 0, 1, 0, (byte) 1));
    machine.feed(Fpdus.untagged(0x41, 0x46, exposure.steeringTag(), 0, 2, 0, (byte) 1));
    assertThat(machine.events).containsExactly("RECEIVE 1 1", "RECEIVE 2 1 invalidated");
    assertThat(exposure.hasEnded()).isTrue();
  }

  @Test
  @DisplayName("P-020: a tag whose Read is being answered cannot be invalidated")
  void invalidateWhileReading() {
    Machine machine = receiving();
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_READ);
    machine.feed(Fpdus.readRequest(1, 9, 8, exposure.steeringTag(), exposure.remoteOffset()));
    machine.feed(Fpdus.untagged(0x41, 0x44, exposure.steeringTag(), 0, 1, 0, (byte) 1));
    assertThat(machine.fault.code()).isEqualTo(TerminateCode.CANNOT_INVALIDATE);
  }

  @Test
  @DisplayName("P-024, B-035: a revocation waits until the Read Response has left")
  void revokeWaits() {
    Machine machine = receiving();
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_READ);
    machine.feed(Fpdus.readRequest(1, 9, 8, exposure.steeringTag(), exposure.remoteOffset()));
    machine.endpoint.exposures().revoke(exposure, machine.revoked::add);
    machine.endpoint.exposures().revoke(exposure, machine.revoked::add);
    assertThat(machine.revoked).isEmpty();
    assertThat(machine.endpoint.exposures().size()).isEqualTo(1);
    machine.drain(1000);
    assertThat(machine.revoked).containsExactly(exposure, exposure);
    assertThat(machine.endpoint.exposures().size()).isZero();
  }

  @Test
  @DisplayName("P-021: the peer's Terminate is told, and the first fault is the one that is sent")
  void terminates() {
    Machine victim = new Machine(true);
    victim.drain(1000);
    Machine offender = new Machine(false);
    offender.feed(Fpdus.write(0x99, 0, (byte) 1));
    offender.endpoint.fail(new StreamFault(TerminateCode.STREAM_CATASTROPHIC, "later"));
    victim.feed(offender.drain(1000));
    assertThat(victim.events).containsExactly("TERMINATED invalid tag");
  }

  @Test
  @DisplayName("P-021: whose Write or Read is refused is told the tag, whose Send is refused is not")
  void refusedTags() {
    for (Opcode opcode : new Opcode[] {Opcode.WRITE, Opcode.READ, Opcode.SEND}) {
      Machine offender = new Machine(true);
      Machine victim = new Machine(false);
      offender.post(1, opcode, offender.memory(8), 0x01234567, 0, false);
      victim.feed(offender.drain(1000));
      offender.feed(victim.drain(1000));
      if (opcode == Opcode.SEND) {
        assertThat(offender.terminate.steeringTag()).isEmpty();
      } else {
        assertThat(offender.terminate.steeringTag()).as("%s", opcode).hasValue(0x01234567);
      }
    }
  }

  @TempDir
  Path directory;

  /** A mapping whose file is gone, in a domain. */
  private HostMemory truncated(Machine machine) throws IOException {
    Path file = directory.resolve("data");
    Files.write(file, new byte[64 * 1024]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 64 * 1024);
      channel.truncate(0);
      return (HostMemory) machine.domain
          .register(mapped, LocalMemory.Backing.MAPPED_FILE).result();
    }
  }

  @Test
  @DisplayName("A mapped file that is truncated is an error of its stream, not of the process")
  void truncatedSource() throws IOException {
    for (int i = 0; i < 50; i++) {
      Machine machine = new Machine(true);
      machine.drain(1000);
      machine.send(7, truncated(machine));
      // Java 17 may report the fault behind the copy, which the connection's turn takes care of.
      assertThatThrownBy(() -> machine.drain(30_000))
          .isInstanceOfAny(StreamFault.class, InternalError.class);
    }
  }

  @Test
  @DisplayName("More is to come behind each segment but the last of a message, and after a Read")
  void expectsMore() {
    Machine machine = new Machine(false);
    SiwExposure exposure = machine.expose(machine.memory(8), Access.REMOTE_WRITE);
    machine.receive(1, 8);
    int tag = exposure.steeringTag();
    long at = exposure.remoteOffset();
    assertThat(machine.endpoint.expectsMore()).isFalse();
    machine.feed(Fpdus.tagged(0x81, 0x40, tag, at, (byte) 1));
    assertThat(machine.endpoint.expectsMore()).as("a Write that has begun").isTrue();
    machine.feed(Fpdus.write(tag, at + 1, (byte) 2));
    assertThat(machine.endpoint.expectsMore()).as("a whole Write").isFalse();
    machine.post(1, Opcode.READ, machine.memory(1), 7, 0, false);
    int sink = ByteBuffer.wrap(machine.drain(1000)).getInt(2 + DdpHeader.UNTAGGED_BYTES);
    assertThat(machine.endpoint.expectsMore()).as("a Read").isTrue();
    machine.feed(Fpdus.tagged(0xC1, 0x42, sink, 0, (byte) 1));
    assertThat(machine.fault).isNull();
    assertThat(machine.endpoint.expectsMore()).as("its Response").isFalse();
    machine.feed(Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, (byte) 1));
    assertThat(machine.endpoint.expectsMore()).as("a Send that has begun").isTrue();
    machine.endpoint.stop();
    assertThat(machine.endpoint.expectsMore()).as("after its end").isFalse();
  }
}
