// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.TerminateCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Framing against a framer that knows the RFC only, and startup of both sides. */
@Label("MPA, properties")
final class FpduPropertiesTest {

  private static final int MARGIN = 7;
  private static final byte GUARD = 0x5A;

  private static byte[] ulpdu(int length) {
    ByteBuffer out = ByteBuffer.allocate(DdpHeader.TAGGED_BYTES + length);
    DdpHeader.putTagged(out, RdmapOpcode.WRITE, true, 0x1234567, length);
    while (out.hasRemaining()) {
      out.put((byte) out.position());
    }
    return out.array();
  }

  @Property(seed = "5044")
  @Label("P-006, P-008: our FPDUs are those of the RFC, with and without CRC and markers")
  void encode(@ForAll @Size(min = 1, max = 5) List<@IntRange(max = 1200) Integer> lengths,
      @ForAll boolean crc, @ForAll boolean markers) {
    RecordedSender sender = new RecordedSender(crc, markers);
    PeerFramer framer = new PeerFramer(markers);
    for (int length : lengths) {
      byte[] expected = framer.frame(ulpdu(length));
      if (!crc) {
        Arrays.fill(expected, expected.length - Fpdu.CRC_BYTES, expected.length, (byte) 0);
      }
      assertThat(sender.send(List.of(ByteBuffer.wrap(ulpdu(length))))).isEqualTo(expected);
    }
  }

  @Property(seed = "5044")
  @Label("P-008, B-003: an FPDU is complete with its last byte, wherever it was cut before")
  void decode(@ForAll @Size(min = 1, max = 4) List<@IntRange(max = 700) Integer> lengths,
      @ForAll boolean crc, @ForAll boolean markers) {
    PeerFramer framer = new PeerFramer(markers);
    FpduDecoder decoder = new FpduDecoder(crc, markers);
    for (int length : lengths) {
      byte[] framed = framer.frame(ulpdu(length));
      ByteBuffer in = guarded(framed);
      for (int cut = 0; cut < framed.length; cut++) {
        assertThat(decoder.complete(in, MARGIN, MARGIN + cut)).isEqualTo(-1);
      }
      int bytes = decoder.complete(in, MARGIN, in.capacity());
      assertThat(bytes).isEqualTo(framed.length);
      int at = decoder.open(in, MARGIN, bytes);
      byte[] opened = new byte[decoder.ulpduLength()];
      in.get(at, opened);
      assertThat(opened).isEqualTo(ulpdu(length));
      checkGuards(in);
    }
  }

  private static ByteBuffer guarded(byte[] bytes) {
    byte[] all = new byte[bytes.length + 2 * MARGIN];
    Arrays.fill(all, GUARD);
    System.arraycopy(bytes, 0, all, MARGIN, bytes.length);
    return ByteBuffer.wrap(all);
  }

  private static void checkGuards(ByteBuffer in) {
    for (int i = 0; i < MARGIN; i++) {
      assertThat(in.get(i)).isEqualTo(GUARD);
      assertThat(in.get(in.capacity() - 1 - i)).isEqualTo(GUARD);
    }
  }

  @Property(seed = "5044")
  @Label("P-007, P-008: any bytes are FPDUs inside of them, or a fault of MPA")
  void anyBytes(@ForAll @Size(max = 1500) byte[] bytes, @ForAll boolean crc,
      @ForAll boolean markers, @ForAll @IntRange(max = 40) int first) {
    if (bytes.length > 6) {
      // So that there is something complete to be found.
      bytes[markers ? 4 : 0] = 0;
      bytes[markers ? 5 : 1] = (byte) first;
    }
    ByteBuffer in = guarded(bytes);
    FpduDecoder decoder = new FpduDecoder(crc, markers);
    int from = MARGIN;
    int to = MARGIN + bytes.length;
    try {
      for (int size = decoder.complete(in, from, to); size >= 0;
          size = decoder.complete(in, from, to)) {
        assertThat(size).isBetween(Fpdu.bytes(0), to - from);
        int at = decoder.open(in, from, size);
        assertThat(at).isGreaterThanOrEqualTo(from + Fpdu.LENGTH_BYTES);
        assertThat(at + decoder.ulpduLength()).isLessThanOrEqualTo(from + size - Fpdu.CRC_BYTES);
        from += size;
      }
    } catch (StreamFault fault) {
      assertThat(fault.code()).isIn(TerminateCode.CRC_MISMATCH, TerminateCode.MARKER_MISMATCH);
    }
    checkGuards(in);
  }

  @Property(seed = "6581")
  @Label("P-005, P-009, P-010: what both sides have settled fits together")
  void startup(@ForAll("offer") MpaOffer client, @ForAll("offer") MpaOffer server,
      @ForAll @IntRange(min = 1, max = 60) int piece) throws StartupException {
    MpaInitiator initiator = new MpaInitiator(client);
    MpaResponder responder = new MpaResponder();
    for (ByteBuffer part : cut(initiator.request(), piece)) {
      responder.receive(part);
    }
    MpaAgreement theirs = responder.accept(server);
    boolean complete = false;
    for (ByteBuffer part : cut(responder.acceptance(server, theirs), piece)) {
      assertThat(complete).isFalse();
      complete = initiator.receive(part);
    }
    assertThat(complete).isTrue();
    MpaAgreement mine = initiator.agreement();
    assertThat(mine.crc()).isEqualTo(client.crc() || server.crc()).isEqualTo(theirs.crc());
    assertThat(mine.markersSent()).isEqualTo(theirs.markersReceived());
    assertThat(theirs.markersSent()).isEqualTo(mine.markersReceived());
    assertThat(initiator.privateData()).isEqualTo(server.privateData());
    assertThat(responder.privateData()).isEqualTo(client.privateData());
    if (client.enhanced()) {
      assertThat(mine.outboundReads()).isLessThanOrEqualTo(theirs.inboundReads());
      assertThat(mine.refusal().isPresent()
          || theirs.outboundReads() <= mine.inboundReads()).isTrue();
      assertThat(mine.rtr() == Rtr.SEND && mine.refusal().isEmpty()).isEqualTo(
          theirs.rtr() == Rtr.SEND && mine.refusal().isEmpty());
    }
  }

  @Provide
  Arbitrary<MpaOffer> offer() {
    Arbitrary<Boolean> flag = Arbitraries.of(true, false);
    Arbitrary<Integer> depth = Arbitraries.integers().between(0, 128);
    Arbitrary<Set<Rtr>> rtr = Arbitraries.subsetOf(Rtr.values());
    return Combinators.combine(flag, flag, flag, rtr, depth, depth,
        Arbitraries.bytes().array(byte[].class).ofMaxSize(100)).as(
            (crc, markers, enhanced, types, ird, ord, data) -> new MpaOffer(crc, markers, enhanced,
                types.isEmpty() ? EnumSet.noneOf(Rtr.class) : EnumSet.copyOf(types), ird, ord, 128,
                data));
  }

  private static List<ByteBuffer> cut(byte[] bytes, int piece) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += piece) {
      parts.add(ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at)));
    }
    return parts;
  }
}
