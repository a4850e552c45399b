// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class XdrTest {

  private static byte[] written(Consumer<XdrWriter> writes) {
    XdrWriter writer = new XdrWriter(1);
    writes.accept(writer);
    return writer.toByteArray();
  }

  private static XdrReader reader(String hex) {
    return new XdrReader(Hex.buffer(hex));
  }

  @Test
  @DisplayName("R-011 R-012: every type in its bytes, and back")
  void goldenBytes() {
    byte[] all = written(w -> w.int32(-2).int64(0x0102030405060708L).bool(true).bool(false)
        .float32(1.5f).float64(-2.25).string("häl").opaque(new byte[] {1, 2, 3, 4})
        .fixedOpaque(new byte[] {5}).opaque(new byte[0]));
    assertThat(all).isEqualTo(Hex.bytes("fffffffe 01020304 05060708 00000001 00000000 3fc00000"
        + "c0020000 00000000 00000004 68c3a46c 00000004 01020304 05000000 00000000"));
    XdrReader reader = new XdrReader(ByteBuffer.wrap(all));
    assertThat(reader.int32()).isEqualTo(-2);
    assertThat(reader.int64()).isEqualTo(0x0102030405060708L);
    assertThat(reader.bool()).isTrue();
    assertThat(reader.bool()).isFalse();
    assertThat(reader.float32()).isEqualTo(1.5f);
    assertThat(reader.float64()).isEqualTo(-2.25);
    assertThat(reader.string(4)).isEqualTo("häl");
    assertThat(reader.opaque(4)).isEqualTo(new byte[] {1, 2, 3, 4});
    assertThat(reader.fixedOpaque(1)).isEqualTo(new byte[] {5});
    assertThat(reader.opaque(0)).isEmpty();
    reader.end();
  }

  /** Fails if {@code XdrWriter.string} leaves half a pair to Java, which writes a question mark, or refuses a pair. */
  @Test
  @DisplayName("Half of a surrogate pair is refused, a whole one is four bytes")
  void surrogates() {
    assertThat(written(w -> w.string("\ud83d\ude00"))).isEqualTo(Hex.bytes("00000004 f09f9880"));
    for (String half : List.of("\ud83d", "a\ude00", "\ude00\ud83d", "\ud83d\ude00\ud83d")) {
      assertThatThrownBy(() -> new XdrWriter().string(half)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("half of a surrogate pair at index ");
    }
  }

  @Test
  void everyWayToWriteMakesRoomForItself() {
    for (int length : new int[] {0, 3, 250, 252, 253, 256, 1000, 100_000}) {
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) 7);
      byte[] expected = written(w -> w.int32(length).fixedOpaque(bytes).int32(8));
      assertThat(written(w -> w.opaque(bytes).int32(8))).isEqualTo(expected);
      assertThat(written(w -> w.opaque(ByteBuffer.wrap(bytes)).int32(8))).isEqualTo(expected);
      assertThat(written(w -> w.int32(length).fixedOpaque(ByteBuffer.wrap(bytes)).int32(8)))
          .isEqualTo(expected);
      assertThat(written(w -> w.opaque(length,
          (target, offset) -> System.arraycopy(bytes, 0, target, offset, length)).int32(8)))
          .as("from a source of %d bytes", length).isEqualTo(expected);
      assertThat(written(w -> w.string("\u0007".repeat(length)).int32(8))).isEqualTo(expected);
    }
  }

  @Test
  void opaqueDataCanBeDecodedWhereItStands() {
    byte[] bytes = Hex.bytes("ffffffff 00000003 61626300 00000007");
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    for (ByteBuffer buffer : List.of(ByteBuffer.wrap(bytes).position(4).slice(),
        direct.position(4).slice(), ByteBuffer.wrap(bytes).position(4).slice().asReadOnlyBuffer())) {
      XdrReader reader = new XdrReader(buffer);
      String text = reader.opaque(3, (array, offset, length) ->
          new String(array, offset, length, StandardCharsets.US_ASCII));
      assertThat(text).isEqualTo("abc");
      assertThat(reader.int32()).isEqualTo(7);
    }
    assertThatThrownBy(() -> reader("00000003 61626300").opaque(2, (a, o, l) -> l))
        .isInstanceOf(XdrException.class);
    assertThatThrownBy(() -> reader("00000003 616263").opaque(3, (a, o, l) -> l))
        .isInstanceOf(XdrException.class);
  }

  @Test
  void aReaderBeginsAtTheBuffersPosition() {
    XdrReader reader = XdrReader.owning(Hex.buffer("ffffffff 00000007 00000008").position(4),
        ItemSource.NONE);
    assertThat(reader.position()).isZero();
    assertThat(reader.int32()).isEqualTo(7);
    assertThat(reader.position()).isEqualTo(4);
  }

  @Test
  void aClosedReaderHasNothingLeftAndTellsOfViews() {
    XdrReader reader = reader("00000003 61626300");
    assertThat(reader.close()).isFalse();
    assertThat(reader.remaining()).isZero();
    assertThatThrownBy(reader::int32).isInstanceOf(XdrException.class);
    XdrReader viewed = reader("00000003 61626300");
    viewed.opaqueView(3);
    assertThat(viewed.close()).isTrue();
    XdrReader item = reader("00000003 61626300");
    item.dataItem(3);
    assertThat(item.close()).isTrue();
    XdrReader rest = reader("00000003 61626300");
    rest.rest();
    assertThat(rest.close()).isTrue();
  }

  @Test
  void aClearedWriterIsEmptyAndItsCopiesStay() {
    XdrWriter writer = new XdrWriter().int32(1).dataItem(DataItem.of(new byte[] {5}));
    assertThat(writer.hasItems()).isTrue();
    PayloadStream first = writer.copyToPayloadStream();
    PayloadStream second = writer.clear().int32(2).copyToPayloadStream();
    assertThat(writer.hasItems()).isFalse();
    assertThat(first.toByteArray()).isEqualTo(Hex.bytes("00000001 00000001 05000000"));
    assertThat(second.toByteArray()).isEqualTo(Hex.bytes("00000002"));
    ByteBuffer target = ByteBuffer.allocate(4);
    writer.copyTo(target);
    assertThat(target.array()).isEqualTo(Hex.bytes("00000002"));
  }

  /** Fails if {@code XdrWriter.padded} leaves what was there. */
  @Test
  @DisplayName("R-012: padding is zero, whatever the memory held before")
  void paddingInUsedMemory() {
    XdrWriter writer = new XdrWriter().opaque(Hex.bytes("ffffffff ffffffff"));
    assertThat(writer.clear().opaque(new byte[] {1}).fixedOpaque(Hex.buffer("0203")).toByteArray())
        .isEqualTo(Hex.bytes("00000001 01000000 02030000"));
  }

  @Test
  void aWordWrittenBeforeCanBeOverwritten() {
    XdrWriter writer = new XdrWriter().int32(1).int32(2).int32(3);
    writer.overwriteInt32(8, -3).overwriteInt32(0, -1).int32(4);
    assertThat(writer.toByteArray()).isEqualTo(Hex.bytes("ffffffff 00000002 fffffffd 00000004"));
    for (int offset : new int[] {-1, 13, 16, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> writer.overwriteInt32(offset, 0))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("No word at " + offset + " of 16");
    }
  }

  @Test
  void theBytesOfAWriterHaveItsItemsInline() {
    assertThat(written(w -> w.int32(1).dataItem(DataItem.of(new byte[] {5, 6})).int32(2)))
        .isEqualTo(Hex.bytes("00000001 00000002 05060000 00000002"));
  }

  @Test
  void whatIsLeftCanBeLookedAtWithoutBeingRead() {
    XdrReader reader = reader("00000001 00000003 61626300");
    reader.int32();
    assertThat(reader.rest()).isEqualTo(Hex.buffer("00000003 61626300"));
    assertThat(reader.rest().isReadOnly()).isTrue();
    DataItem item = reader.dataItem(3);
    assertThat(item.bytes()).isEqualTo(Hex.buffer("616263"));
    assertThat(item.bytes().isReadOnly()).isTrue();
    assertThat(reader.rest().hasRemaining()).isFalse();
    DataItem elsewhere = new DataItem() {
      @Override
      public int length() {
        return 2;
      }

      @Override
      public void copyTo(ByteBuffer target) {
        target.put((byte) 7).put((byte) 8);
      }
    };
    assertThat(elsewhere.bytes()).isEqualTo(Hex.buffer("0708"));
  }

  @Test
  @DisplayName("B-104: a message cut at any byte is refused, never read past its end")
  void cutAnywhere() {
    byte[] all = written(w -> w.int32(1).int64(2).string("abcde").bool(true).opaque(new byte[6]));
    for (int length = 0; length < all.length; length++) {
      XdrReader reader = new XdrReader(ByteBuffer.wrap(all, 0, length));
      assertThatThrownBy(() -> {
        reader.int32();
        reader.int64();
        reader.string(10);
        reader.bool();
        reader.opaque(10);
      }).as("cut at %d", length).isInstanceOf(XdrException.class);
    }
  }

  @Test
  @DisplayName("B-103: lengths that wrap with their padding are refused before anything is made")
  void hugeLengths() {
    for (String length : new String[] {"ffffffff", "fffffffc", "80000000", "7fffffff"}) {
      assertThatThrownBy(() -> reader(length + "00000000").opaque(Integer.MAX_VALUE))
          .isInstanceOf(XdrException.class);
      assertThatThrownBy(() -> reader(length + "00000000").opaque(-1))
          .isInstanceOf(XdrException.class);
      assertThatThrownBy(() -> reader(length + "00000000").dataItem(Integer.MAX_VALUE))
          .isInstanceOf(XdrException.class);
      assertThatThrownBy(() -> reader(length + "00000000").count(Integer.MAX_VALUE, 4))
          .isInstanceOf(XdrException.class);
    }
  }

  @Test
  @DisplayName("B-109: bounds and domains are enforced")
  void boundsAndDomains() {
    assertThat(reader("00000002 61620000").string(2)).isEqualTo("ab");
    assertThatThrownBy(() -> reader("00000003 61626300").string(2))
        .hasMessageContaining("exceeds its bound of 2");
    assertThatThrownBy(() -> reader("00000002").bool()).hasMessageContaining("0 or 1");
    assertThatThrownBy(() -> reader("00000002 c3280000").string(9)).hasMessageContaining("UTF-8");
    assertThat(reader("00000002 00000000 00000000").count(2, 4)).isEqualTo(2);
    assertThatThrownBy(() -> reader("00000003 00000000 00000000").count(9, 4))
        .hasMessageContaining("3 elements");
    assertThatThrownBy(() -> reader("00000000").end()).hasMessageContaining("4 bytes are left");
  }

  @Test
  @DisplayName("R-064 R-067 R-068: items leave the stream with their padding, at aligned Positions")
  void itemsApart() {
    XdrWriter writer = new XdrWriter();
    writer.int32(1).dataItem(DataItem.of(new byte[] {9, 9, 9, 9, 9})).int32(2)
        .dataItem(DataItem.of(new byte[0])).dataItem(DataItem.of(new byte[] {7})).int32(3);
    PayloadStream stream = writer.toPayloadStream();
    assertThat(stream.items()).extracting(PayloadStream.Item::position)
        .containsExactly(8, 24, 28);
    assertThat(stream.items()).extracting(PayloadStream.Item::offset).containsExactly(8, 16, 20);
    assertThat(stream.reducedLength()).isEqualTo(24);
    assertThat(stream.length()).isEqualTo(24 + 8 + 4);
    assertThat(stream.length(i -> i == 0)).isEqualTo(24 + 4);
    assertThat(stream.toByteArray()).isEqualTo(Hex.bytes("00000001 00000005 09090909 09000000"
        + "00000002 00000000 00000001 07000000 00000003"));
    ByteBuffer reduced = ByteBuffer.allocate(28);
    stream.copyTo(reduced, i -> i == 0);
    assertThat(Hex.written(reduced))
        .isEqualTo("00000001 00000005 00000002 00000000 00000001 07000000 00000003");
  }

  /** Fails if the length of an item goes with it ({@code XdrWriter.dataItem}), or the word before it. */
  @Test
  @DisplayName("R-065 R-066: presence words and discriminants stay, only what is behind them leaves")
  void discriminantsStay() {
    PayloadStream stream = new XdrWriter().bool(true).dataItem(DataItem.of(new byte[3])).bool(false)
        .int32(2).dataItem(DataItem.of(new byte[4])).toPayloadStream();
    ByteBuffer reduced = ByteBuffer.allocate(20);
    stream.copyTo(reduced, i -> true);
    assertThat(Hex.written(reduced)).isEqualTo("00000001 00000003 00000000 00000002 00000004");
  }

  /** Items by Position, as pulled by a responder. */
  private static XdrReader reader(String hex, TreeMap<Long, byte[]> chunks) {
    return new XdrReader(Hex.buffer(hex), new ItemSource() {
      @Override
      public Optional<DataItem> take(long position, int length) {
        return Optional.ofNullable(chunks.remove(position)).map(DataItem::of);
      }

      @Override
      public long nextPosition() {
        return chunks.isEmpty() ? Long.MAX_VALUE : chunks.firstKey();
      }
    });
  }

  @Test
  @DisplayName("R-069 C-14: items are found at their Positions in the unreduced stream")
  void itemsReturn() {
    TreeMap<Long, byte[]> chunks = new TreeMap<>();
    chunks.put(4L, new byte[] {9, 9, 9, 9, 9});
    chunks.put(20L, new byte[] {7});
    XdrReader reader = reader("00000005 00000002 00000001 00000003", chunks);
    assertThat(reader.dataItem(9).toByteArray()).hasSize(5);
    assertThat(reader.position()).isEqualTo(12);
    assertThat(reader.int32()).isEqualTo(2);
    assertThat(reader.dataItem(9).toByteArray()).isEqualTo(new byte[] {7});
    assertThat(reader.int32()).isEqualTo(3);
    reader.end();
  }

  @Test
  @DisplayName("R-157: a chunk in place of something that is not eligible is refused")
  void chunksInWrongPlaces() {
    for (long position : new long[] {0, 4, 8, 12}) {
      TreeMap<Long, byte[]> chunks = new TreeMap<>();
      chunks.put(position, new byte[] {1});
      XdrReader reader = reader("00000001 00000004 61626364 00000002", chunks);
      assertThatThrownBy(() -> {
        reader.int32();
        reader.string(9);
        reader.int32();
        reader.end();
      }).as("Position %d", position).isInstanceOf(XdrException.class)
          .hasMessageContaining("chunk at position " + position + " holds something");
    }
    TreeMap<Long, byte[]> beyond = new TreeMap<>();
    beyond.put(16L, new byte[] {1});
    XdrReader reader = reader("00000001", beyond);
    reader.int32();
    assertThatThrownBy(reader::end).hasMessageContaining("left over");
  }
}
