// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes as the RFCs draw them and as Linux sends them. */
@DisplayName("siw wire formats")
final class WireFormatTest {

  private static final HexFormat HEX = HexFormat.of();

  @Test
  @DisplayName("P-001: the MPA Request of a Linux NFS client")
  void linuxRequest() {
    byte[] bytes = HEX.parseHex("4d504120494420526571204672616d65" + "1002000c" + "00800000"
        + "f6ab0e1801010303");
    MpaFrame frame = MpaFrame.parse(bytes, true);
    assertThat(frame.markers()).isFalse();
    assertThat(frame.crc()).isFalse();
    assertThat(frame.rejected()).isFalse();
    assertThat(frame.revision()).isEqualTo(2);
    assertThat(frame.enhanced()).contains(EnhancedBlock.clientServer(128, 0));
    assertThat(HEX.formatHex(frame.privateData())).isEqualTo("f6ab0e1801010303");
    assertThat(frame.encode()).isEqualTo(bytes);
  }

  @Test
  @DisplayName("P-001: an MPA Reply with each flag")
  void replyFlags() {
    MpaFrame frame = new MpaFrame(false, true, true, true, 1, Optional.empty(), new byte[] {7});
    assertThat(HEX.formatHex(frame.encode()))
        .isEqualTo("4d504120494420526570204672616d65" + "e0010001" + "07");
    assertThat(MpaFrame.parse(frame.encode(), false).rejected()).isTrue();
  }

  @Test
  @DisplayName("P-001: S set without room for the enhanced block is malformed")
  void enhancedBlockMissing() {
    byte[] bytes = HEX.parseHex("4d504120494420526571204672616d65" + "10020003" + "008000");
    assertThatThrownBy(() -> MpaFrame.parse(bytes, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("P-010: the enhanced block of a peer-to-peer Linux initiator")
  void enhancedBlock() {
    EnhancedBlock block = new EnhancedBlock(true, false, true, true, 1, 2);
    assertThat(block.encode()).isEqualTo(0x8001C002);
    assertThat(EnhancedBlock.parse(0x8001C002)).isEqualTo(block);
    assertThat(EnhancedBlock.parse(0x4001C002)).as("A=0 means B, C, D are ignored")
        .isEqualTo(EnhancedBlock.clientServer(1, 2));
  }

  @ParameterizedTest
  @CsvSource({"0,2", "1,1", "2,0", "3,3", "14,0", "42,0", "18,0", "46,0", "22,0"})
  @DisplayName("P-008: pad makes an FPDU a multiple of four")
  void pad(int length, int pad) {
    assertThat(Fpdu.pad(length)).isEqualTo(pad);
    assertThat(Fpdu.bytes(length) % 4).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1460,1454", "1448,1442", "1461,1454", "1463,1454", "100,128", "65535,65526"})
  @DisplayName("P-012: MULPDU follows from the segment size")
  void mulpdu(int emss, int expected) {
    assertThat(Fpdu.mulpdu(emss, false)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"1460,1442", "1448,1430", "512,502", "513,498", "100,128", "65535,65014"})
  @DisplayName("P-006, P-012: MULPDU leaves room for markers")
  void mulpduWithMarkers(int emss, int expected) {
    assertThat(Fpdu.mulpdu(emss, true)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
      // In the order of RFC 5040 §4.8.
      "1100C000,1,1,0", "1203C000,1,2,3", "0100E000,0,1,0", "20020000,2,0,2", "02070000,0,2,7",
      // As a little-endian Linux siw sends them.
      "21020300,1,2,2", "21050300,1,2,5", "10000700,0,1,0", "11000300,1,1,0",
      // The same without headers: a CRC that does not match; and an error that both orders have.
      "02020000,2,0,2", "02060000,0,2,6"})
  @DisplayName("P-021: Terminate words in RFC order and in that of Linux siw")
  void terminateWords(String word, int layer, int type, int code) {
    assertThat(TerminateMessage.parse(Integer.parseUnsignedInt(word, 16)))
        .isEqualTo(new TerminateMessage(layer, type, code));
  }

  private static final String TAGGED = "c140" + "11223344" + "00".repeat(8);
  private static final String READ_REQUEST = "4141" + "00".repeat(16) + "aaaaaaaa" + "00".repeat(8)
      + "00000008" + "55667788" + "00".repeat(8);

  private static TerminateMessage terminate(String hex) {
    byte[] bytes = HEX.parseHex(hex);
    // Bytes around it which are none of its own.
    ByteBuffer in = ByteBuffer.allocate(bytes.length + 200);
    java.util.Arrays.fill(in.array(), (byte) 0xEE);
    in.put(3, bytes);
    return TerminateMessage.parse(in, 3, bytes.length);
  }

  @Test
  @DisplayName("P-021: a Terminate tells the refused tag of a tagged segment or of a Read Request")
  void terminatedTag() {
    // Fails if D or R is looked for in the other order, or if the sink tag is taken for the source tag.
    assertThat(terminate("1100c000" + "0016" + TAGGED).steeringTag()).hasValue(0x11223344);
    assertThat(terminate("0100e000" + "002e" + READ_REQUEST).steeringTag()).hasValue(0x55667788);
    // As a little-endian Linux siw sends them.
    assertThat(terminate("11000300" + "0016" + TAGGED).steeringTag()).hasValue(0x11223344);
    assertThat(terminate("10000700" + "002e" + READ_REQUEST).steeringTag()).hasValue(0x55667788);
    assertThat(terminate("1100c000" + "0016" + TAGGED)).hasToString("invalid tag");
  }

  @ParameterizedTest
  @CsvSource({
      // No header, though one follows.
      "11000000,", "11008000,", "11000100,",
      // An untagged segment, and a Read Request without its own header.
      "1202c000,0143000000000000000000000000000000000000", "0100c000,R",
      // An untagged segment of another opcode, with 28 bytes behind it; a tagged Read Request.
      "0109e000,S"})
  @DisplayName("P-021: a Terminate without such headers tells no tag")
  void terminatedWithoutTag(String word, String headers) {
    String shown = headers == null ? TAGGED
        : headers.equals("R") ? READ_REQUEST : headers.equals("S")
            ? READ_REQUEST.replaceFirst("^4141", "4144") : headers;
    assertThat(terminate(word + "002e" + shown).steeringTag()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1100c000,T", "11000300,T", "0100e000,R", "10000700,R"})
  @DisplayName("P-021: a Terminate that is cut off anywhere tells its error, and no tag")
  void terminateCutOff(String word, String headers) {
    String whole = word + "002e" + (headers.equals("T") ? TAGGED : READ_REQUEST);
    for (int bytes = TerminateMessage.CONTROL_BYTES; bytes < whole.length() / 2; bytes++) {
      TerminateMessage message = terminate(whole.substring(0, 2 * bytes));
      assertThat(message.toString()).contains("invalid tag");
      assertThat(message.steeringTag()).as("%d bytes", bytes).isEmpty();
    }
  }

  @Test
  @DisplayName("P-021: both ways to say that a tag cannot be invalidated have a name")
  void terminateNames() {
    assertThat(TerminateMessage.parse(0x20090300)).hasToString("cannot invalidate tag");
    assertThat(TerminateMessage.parse(0x0109C000)).hasToString("cannot invalidate");
  }

  @ParameterizedTest
  @CsvSource({
      // RFC 5040 §4.8.
      "LOCAL_CATASTROPHIC,000", "READ_INVALID_TAG,0100", "READ_BOUNDS,0101", "ACCESS_RIGHTS,0102",
      "READ_OFFSET_WRAP,0104", "CANNOT_INVALIDATE,0109", "RDMAP_VERSION,0205",
      "UNEXPECTED_OPCODE,0206", "STREAM_CATASTROPHIC,0207", "CANNOT_INVALIDATE_TAG,0209",
      // RFC 5041 §8.1.
      "DDP_CATASTROPHIC,1000", "INVALID_TAG,1100", "BOUNDS,1101", "OFFSET_WRAP,1103",
      "TAGGED_VERSION,1104", "INVALID_QUEUE,1201", "NO_BUFFER,1202", "SEQUENCE_RANGE,1203",
      "INVALID_OFFSET,1204", "MESSAGE_TOO_LONG,1205", "UNTAGGED_VERSION,1206",
      // RFC 5044 §8, RFC 6581 §8.
      "CRC_MISMATCH,2002", "MARKER_MISMATCH,2003", "INSUFFICIENT_IRD,2006", "NO_MATCHING_RTR,2007"})
  @DisplayName("P-007, P-021: layer, type and code of each error")
  void terminateCodes(TerminateCode code, String told) {
    int word = Integer.parseInt(told, 16);
    assertThat(new int[] {code.layer(), code.type(), code.code()})
        .containsExactly(word >>> 12, word >>> 8 & 0xF, word & 0xFF);
    assertThat(TerminateMessage.parse(word << 16)).hasToString(
        code.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
  }

  @Test
  @DisplayName("P-021: a Terminate is sent in RFC order, with the headers that belong to it")
  void terminateSent() {
    ByteBuffer out = ByteBuffer.allocate(64);
    TerminateMessage.put(out, TerminateCode.CRC_MISMATCH, 0, new byte[0]);
    assertThat(HEX.formatHex(out.array(), 0, out.position())).isEqualTo("20020000");
    out.clear();
    TerminateMessage.put(out, TerminateCode.INVALID_TAG, 22, new byte[14]);
    assertThat(HEX.formatHex(out.array(), 0, 6)).isEqualTo("1100c0000016");
    out.clear();
    TerminateMessage.put(out, TerminateCode.READ_INVALID_TAG, 46, new byte[46]);
    assertThat(HEX.formatHex(out.array(), 0, 6)).isEqualTo("0100e000002e");
  }

  @Test
  @DisplayName("P-012: headers have their fields where RFC 5041 and RFC 5040 draw them")
  void headers() {
    ByteBuffer out = ByteBuffer.allocate(64);
    DdpHeader.putTagged(out, RdmapOpcode.WRITE, true, 0x11223344, 0x5566778899AABBCCL);
    DdpHeader.putUntagged(out, RdmapOpcode.SEND, false, 0x01020304, 0, 5, 6);
    ReadRequestHeader.put(out, 1, 2, 3, 4, 5);
    assertThat(HEX.formatHex(out.array(), 0, out.position())).isEqualTo(
        "c140112233445566778899aabbcc"
        + "0143" + "01020304" + "00000000" + "00000005" + "00000006"
        + "00000001" + "0000000000000002" + "00000003" + "00000004" + "0000000000000005");
    assertThat(DdpHeader.taggedOffset(out, 0)).isEqualTo(0x5566778899AABBCCL);
    assertThat(DdpHeader.messageOffset(out, 14)).isEqualTo(6);
    assertThat(ReadRequestHeader.sourceOffset(out, 32)).isEqualTo(5);
  }
}
