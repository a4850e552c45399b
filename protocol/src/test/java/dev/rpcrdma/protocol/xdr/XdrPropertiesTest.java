// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Values of all kinds in any order, there and back. */
@Label("XDR, properties")
final class XdrPropertiesTest {

  private static final int MOST = 100;

  private static void write(XdrWriter writer, Object value) {
    if (value instanceof Integer number) {
      writer.int32(number);
    } else if (value instanceof Long number) {
      writer.int64(number);
    } else if (value instanceof Boolean flag) {
      writer.bool(flag);
    } else if (value instanceof Double number) {
      writer.float64(number);
    } else if (value instanceof Float number) {
      writer.float32(number);
    } else if (value instanceof String text) {
      writer.string(text);
    } else {
      writer.opaque((byte[]) value);
    }
  }

  private static Object read(XdrReader reader, Object like) {
    if (like instanceof Integer) {
      return reader.int32();
    } else if (like instanceof Long) {
      return reader.int64();
    } else if (like instanceof Boolean) {
      return reader.bool();
    } else if (like instanceof Double) {
      return reader.float64();
    } else if (like instanceof Float) {
      return reader.float32();
    } else if (like instanceof String) {
      return reader.string(4 * MOST);
    }
    return reader.opaque(MOST);
  }

  @Property(seed = "4506")
  @Label("R-012: any values are read as they were written, and each cut is noticed")
  void values(@ForAll("values") @Size(max = 12) List<Object> values) {
    XdrWriter writer = new XdrWriter(1);
    values.forEach(value -> write(writer, value));
    byte[] bytes = writer.toByteArray();
    assertThat(bytes.length % 4).isZero();
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    for (Object value : values) {
      assertThat(read(reader, value)).isEqualTo(value);
    }
    reader.end();
    for (int cut = 0; cut < bytes.length; cut++) {
      XdrReader part = new XdrReader(ByteBuffer.wrap(bytes, 0, cut));
      assertThatThrownBy(() -> values.forEach(value -> read(part, value)))
          .isInstanceOf(XdrException.class);
    }
  }

  @Provide
  Arbitrary<List<Object>> values() {
    return Arbitraries.<Object>oneOf(Arbitraries.integers(), Arbitraries.longs(),
        Arbitraries.of(true, false), Arbitraries.doubles(), Arbitraries.floats(),
        Arbitraries.strings().alpha().withChars('\u00e4', '\u20ac').ofMaxLength(MOST),
        Arbitraries.bytes().array(byte[].class).ofMaxSize(MOST)).list().ofMaxSize(12);
  }

  @Property(seed = "8166")
  @Label("R-067 R-068: items that leave the stream, in any combination")
  void items(@ForAll @Size(max = 6) List<@Size(max = 40) byte[]> items, @ForAll int reduced) {
    XdrWriter writer = new XdrWriter();
    items.forEach(item -> writer.int32(7).dataItem(DataItem.of(item)));
    PayloadStream stream = writer.int32(9).toPayloadStream();
    byte[] whole = stream.toByteArray();
    assertThat((long) whole.length).isEqualTo(stream.length());
    XdrReader reader = new XdrReader(ByteBuffer.wrap(whole));
    for (byte[] item : items) {
      assertThat(reader.int32()).isEqualTo(7);
      assertThat(reader.dataItem(MOST).toByteArray()).isEqualTo(item);
    }
    assertThat(reader.int32()).isEqualTo(9);
    reader.end();
    ByteBuffer out = ByteBuffer.allocate(whole.length);
    stream.copyTo(out, index -> (reduced >> index & 1) != 0);
    assertThat((long) out.position()).isEqualTo(
        stream.length(index -> (reduced >> index & 1) != 0));
    // What is left out is exactly the reduced items with their padding.
    for (int i = items.size() - 1; i >= 0; i--) {
      if ((reduced >> i & 1) != 0) {
        int at = stream.items().get(i).position();
        int end = at + Xdr.pad(items.get(i).length);
        byte[] shorter = Arrays.copyOf(whole, whole.length - (end - at));
        System.arraycopy(whole, end, shorter, at, whole.length - end);
        whole = shorter;
      }
    }
    assertThat(Arrays.copyOf(out.array(), out.position())).isEqualTo(whole);
  }

  @Property(seed = "4506")
  @Label("R-012 B-103: any bytes are values inside of them, or an XdrException")
  void anyBytes(@ForAll @Size(max = 80) byte[] bytes, @ForAll("values") List<Object> kinds) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    try {
      kinds.forEach(kind -> read(reader, kind));
    } catch (XdrException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    assertThat(reader.position() + reader.remaining()).isEqualTo(bytes.length);
  }
}
