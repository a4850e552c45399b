// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What is written is what is read, in every field and for all values, and in no other byte. */
@Label("siw wire formats, properties")
final class WirePropertiesTest {

  private static final int AT = 5;
  private static final byte GUARD = 0x5A;

  private static ByteBuffer guarded() {
    byte[] bytes = new byte[80];
    Arrays.fill(bytes, GUARD);
    return ByteBuffer.wrap(bytes).position(AT);
  }

  private static void checkWritten(ByteBuffer out, int length) {
    assertThat(out.position()).isEqualTo(AT + length);
    for (int i = 0; i < out.capacity(); i++) {
      if (i < AT || i >= AT + length) {
        assertThat(out.get(i)).isEqualTo(GUARD);
      }
    }
  }

  @Property(seed = "5041")
  @Label("P-012: a tagged header")
  void tagged(@ForAll @IntRange(max = 15) int opcode, @ForAll boolean last, @ForAll int tag,
      @ForAll long offset) {
    ByteBuffer out = guarded();
    DdpHeader.putTagged(out, opcode, last, tag, offset);
    checkWritten(out, DdpHeader.TAGGED_BYTES);
    assertThat(DdpHeader.isTagged(out, AT)).isTrue();
    checkControl(out, opcode, last);
    assertThat(DdpHeader.steeringTag(out, AT)).isEqualTo(tag);
    assertThat(DdpHeader.taggedOffset(out, AT)).isEqualTo(offset);
  }

  @Property(seed = "5041")
  @Label("P-012: an untagged header")
  void untagged(@ForAll @IntRange(max = 15) int opcode, @ForAll boolean last,
      @ForAll int invalidate, @ForAll int queue, @ForAll int sequence, @ForAll int offset) {
    ByteBuffer out = guarded();
    DdpHeader.putUntagged(out, opcode, last, invalidate, queue, sequence, offset);
    checkWritten(out, DdpHeader.UNTAGGED_BYTES);
    assertThat(DdpHeader.isTagged(out, AT)).isFalse();
    checkControl(out, opcode, last);
    assertThat(DdpHeader.steeringTag(out, AT)).isEqualTo(invalidate);
    assertThat(DdpHeader.queueNumber(out, AT)).isEqualTo(queue);
    assertThat(DdpHeader.messageSequenceNumber(out, AT)).isEqualTo(sequence);
    assertThat(DdpHeader.messageOffset(out, AT)).isEqualTo(offset);
  }

  private static void checkControl(ByteBuffer out, int opcode, boolean last) {
    assertThat(DdpHeader.isLast(out, AT)).isEqualTo(last);
    assertThat(DdpHeader.opcode(out, AT)).isEqualTo(opcode);
    assertThat(DdpHeader.ddpVersion(out, AT)).isEqualTo(DdpHeader.DDP_VERSION);
    assertThat(DdpHeader.rdmapVersion(out, AT)).isEqualTo(DdpHeader.RDMAP_VERSION);
  }

  @Property(seed = "5040")
  @Label("P-016: a Read Request")
  void readRequest(@ForAll int sinkTag, @ForAll long sinkOffset, @ForAll int size,
      @ForAll int sourceTag, @ForAll long sourceOffset) {
    ByteBuffer out = guarded();
    ReadRequestHeader.put(out, sinkTag, sinkOffset, size, sourceTag, sourceOffset);
    checkWritten(out, ReadRequestHeader.BYTES);
    assertThat(ReadRequestHeader.sinkTag(out, AT)).isEqualTo(sinkTag);
    assertThat(ReadRequestHeader.sinkOffset(out, AT)).isEqualTo(sinkOffset);
    assertThat(ReadRequestHeader.size(out, AT)).isEqualTo(Integer.toUnsignedLong(size));
    assertThat(ReadRequestHeader.sourceTag(out, AT)).isEqualTo(sourceTag);
    assertThat(ReadRequestHeader.sourceOffset(out, AT)).isEqualTo(sourceOffset);
  }

  @Property(seed = "5040")
  @Label("P-021: a Terminate of ours, with any headers")
  void terminate(@ForAll TerminateCode code, @ForAll("shownHeaders") byte[] headers,
      @ForAll @IntRange(max = 65535) int segmentLength) {
    ByteBuffer out = guarded();
    TerminateMessage.put(out, code, segmentLength, headers);
    boolean shown = headers.length > 0;
    checkWritten(out, TerminateMessage.CONTROL_BYTES + (shown ? 2 + headers.length : 0));
    assertThat(TerminateMessage.parse(out.getInt(AT)))
        .isEqualTo(new TerminateMessage(code.layer(), code.type(), code.code()));
    if (shown) {
      assertThat(out.getShort(AT + 4) & 0xFFFF).isEqualTo(segmentLength);
      assertThat(Arrays.copyOfRange(out.array(), AT + 6, out.position())).isEqualTo(headers);
    }
  }

  @Provide
  Arbitrary<byte[]> shownHeaders() {
    return Arbitraries.of(0, DdpHeader.TAGGED_BYTES, DdpHeader.UNTAGGED_BYTES,
        DdpHeader.UNTAGGED_BYTES + ReadRequestHeader.BYTES)
        .flatMap(size -> Arbitraries.bytes().array(byte[].class).ofSize(size));
  }

  @Property(seed = "5040")
  @Label("P-021: any word is a Terminate that has a name")
  void anyTerminate(@ForAll int word) {
    TerminateMessage message = TerminateMessage.parse(word);
    assertThat(message.layer()).isBetween(0, 15);
    assertThat(message.type()).isBetween(0, 15);
    assertThat(message.code()).isEqualTo(word >>> 16 & 0xFF);
    assertThat(message.toString()).isNotBlank();
  }

  @Property(seed = "6581")
  @Label("P-010: any two words are an enhanced block")
  void enhancedBlock(@ForAll int word) {
    EnhancedBlock block = EnhancedBlock.parse(word);
    assertThat(EnhancedBlock.parse(block.encode())).isEqualTo(block);
    // RFC 6581 §9: without A the three other flags mean nothing; all else is kept.
    assertThat(block.encode()).isEqualTo(block.peerToPeer() ? word : word & 0x3FFF3FFF);
  }

  @Property(seed = "5044")
  @Label("P-001: a startup frame")
  void startupFrame(@ForAll("frames") MpaFrame frame) {
    byte[] bytes = frame.encode();
    assertThat(MpaFrame.keyMatches(bytes, bytes.length, frame.request())).isTrue();
    assertThat(MpaFrame.keyMatches(bytes, bytes.length, !frame.request())).isFalse();
    assertThat(MpaFrame.privateDataLength(bytes)).isEqualTo(bytes.length - MpaFrame.HEADER_BYTES);
    MpaFrame read = MpaFrame.parse(Arrays.copyOf(bytes, bytes.length + 3), frame.request());
    assertThat(read).usingRecursiveComparison().isEqualTo(frame);
  }

  @Provide
  Arbitrary<MpaFrame> frames() {
    Arbitrary<Boolean> flag = Arbitraries.of(true, false);
    Arbitrary<EnhancedBlock> block = Arbitraries.integers().map(EnhancedBlock::parse);
    Arbitrary<byte[]> data = Arbitraries.bytes().array(byte[].class).ofMaxSize(508);
    return Combinators.combine(flag, flag, flag, flag, Arbitraries.integers().between(0, 255),
        block.optional(), data).as((request, markers, crc, rejected, revision, enhanced, bytes) ->
            new MpaFrame(request, markers, crc, rejected, revision,
                revision > 1 ? enhanced : Optional.empty(), bytes));
  }

  @Property(seed = "5044")
  @Label("P-001: any bytes of a frame's size are a frame, or lack the block they announce")
  void anyFrame(@ForAll @Size(min = 20, max = 40) byte[] bytes) {
    bytes[18] = 0;
    bytes[19] = (byte) (bytes.length - MpaFrame.HEADER_BYTES);
    MpaFrame frame;
    try {
      frame = MpaFrame.parse(bytes, true);
    } catch (IllegalArgumentException e) {
      assertThat(bytes.length).isLessThan(MpaFrame.HEADER_BYTES + EnhancedBlock.BYTES);
      return;
    }
    int block = frame.enhanced().isPresent() ? EnhancedBlock.BYTES : 0;
    assertThat(frame.privateData()).isEqualTo(
        Arrays.copyOfRange(bytes, MpaFrame.HEADER_BYTES + block, bytes.length));
  }

  @Property(seed = "5044")
  @Label("P-006, P-012: an FPDU of MULPDU fits into the segment, and one word more does not")
  void mulpdu(@ForAll @IntRange(min = 160, max = 65535) int emss, @ForAll boolean markers) {
    int ulpdu = Fpdu.mulpdu(emss, markers);
    int ofMarkers = markers ? 4 * ((emss + 511) / 512) : 0;
    assertThat(ulpdu).isBetween(128, Fpdu.MAX_ULPDU);
    assertThat(Fpdu.bytes(ulpdu) + ofMarkers).isBetween(emss - 7, emss);
  }
}
