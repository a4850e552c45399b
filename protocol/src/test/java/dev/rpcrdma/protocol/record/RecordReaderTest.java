// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fails if {@link RecordReader} forgets what has arrived of a mark, a fragment or a record, or one of its bounds. */
@DisplayName("Record marking (RFC 5531 §11)")
class RecordReaderTest {

  private static final String STREAM = "80000004 01020304  00000001 05 00000000 80000002 0607  80000000  80000001 08";
  private static final List<String> RECORDS = List.of("01020304", "050607", "", "08");

  private static List<String> texts(List<byte[]> records) {
    return records.stream().map(record -> java.util.HexFormat.of().formatHex(record)).toList();
  }

  @Test
  @DisplayName("Records of one, of several and of empty fragments, in one piece")
  void atOnce() {
    RecordReader reader = new RecordReader(4);
    assertThat(texts(reader.read(Hex.buffer(STREAM)))).isEqualTo(RECORDS);
    assertThat(reader.isMidRecord()).isFalse();
  }

  @Test
  @DisplayName("The same, cut anywhere")
  void cutAnywhere() {
    byte[] stream = Hex.bytes(STREAM);
    Random random = new Random(17);
    for (int round = 0; round < 500; round++) {
      RecordReader reader = new RecordReader(4);
      List<byte[]> all = new ArrayList<>();
      int at = 0;
      while (at < stream.length) {
        int count = Math.min(stream.length - at, 1 + random.nextInt(5));
        all.addAll(reader.read(ByteBuffer.wrap(stream, at, count)));
        at += count;
      }
      assertThat(texts(all)).isEqualTo(RECORDS);
    }
  }

  @Test
  @DisplayName("The same, in pieces of each length")
  void cutEvenly() {
    byte[] stream = Hex.bytes("80000003 616263  00000002 6465 00000000 80000001 66  80000000  80000004 6768696a");
    for (int step = 1; step <= stream.length; step++) {
      RecordReader reader = new RecordReader(4);
      List<String> all = new ArrayList<>();
      for (int at = 0; at < stream.length; at += step) {
        reader.read(ByteBuffer.wrap(stream, at, Math.min(step, stream.length - at)))
            .forEach(record -> all.add(new String(record, StandardCharsets.US_ASCII)));
      }
      assertThat(all).containsExactly("abc", "def", "", "ghij");
    }
  }

  @Test
  @DisplayName("Between records is told from the middle of one, at each byte")
  void middle() {
    RecordReader reader = new RecordReader(4);
    for (byte each : Hex.bytes("80000001")) {
      assertThat(reader.isMidRecord()).isEqualTo(each != (byte) 0x80);
      assertThat(reader.read(ByteBuffer.wrap(new byte[] {each}))).isEmpty();
    }
    assertThat(reader.isMidRecord()).isTrue();
    assertThat(reader.read(ByteBuffer.wrap(new byte[1]))).hasSize(1);
    assertThat(reader.isMidRecord()).isFalse();
  }

  @Test
  @DisplayName("A record longer than its bound is refused with its mark, in one fragment or in several")
  void tooLong() {
    assertThatThrownBy(() -> new RecordReader(4).read(Hex.buffer("80000005")))
        .isInstanceOf(RecordException.class).hasMessageContaining("4 bytes");
    assertThatThrownBy(() -> new RecordReader(4).read(Hex.buffer("00000003 010203 80000002")))
        .isInstanceOf(RecordException.class);
    assertThatThrownBy(() -> new RecordReader(4).read(Hex.buffer("ffffffff"))).isInstanceOf(RecordException.class);
    assertThatThrownBy(() -> new RecordReader(RecordReader.DEFAULT_MAX_LENGTH).read(Hex.buffer("ffffffff")))
        .isInstanceOf(RecordException.class);
  }

  @Test
  @DisplayName("Empty fragments do not go on for ever")
  void emptyFragments() {
    RecordReader reader = new RecordReader(4);
    assertThat(reader.read(Hex.buffer("00000000".repeat(16)))).isEmpty();
    assertThatThrownBy(() -> reader.read(Hex.buffer("00000000"))).isInstanceOf(RecordException.class);
  }

  @Test
  @DisplayName("A stream that was refused is refused on, whatever else arrives")
  void failsOn() {
    RecordReader reader = new RecordReader(4);
    for (String arrived : List.of("80000005", "01020304 05", "80000001 01", "")) {
      assertThatThrownBy(() -> reader.read(Hex.buffer(arrived)))
          .isInstanceOf(RecordException.class).hasMessageContaining("4 bytes");
    }
  }

  @Test
  @DisplayName("A message is framed as one fragment")
  void framed() {
    assertThat(RecordMark.framed(Hex.bytes("010203"))).isEqualTo(Hex.bytes("80000003 010203"));
  }
}
