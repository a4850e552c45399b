// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.serviceproxy.ServiceException;
import java.nio.ByteBuffer;
import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bounds of what is written: a value that fills its bound is written, a longer one is not. */
@DisplayName("Bounds of values")
final class ValueBoundsTest {

  private static final int LENGTH = 3;

  private final ValueWriter out = new ValueWriter(new XdrWriter());

  /** Writes a value of three elements or bytes under a bound. */
  private interface Writing {
    void write(ValueWriter out, int max);
  }

  static Stream<Writing> writings() {
    return Stream.of(
        (out, max) -> PrimitiveArrays.write(out, new boolean[LENGTH], max, "value"),
        (out, max) -> PrimitiveArrays.write(out, new short[LENGTH], max, "value"),
        (out, max) -> PrimitiveArrays.write(out, new char[LENGTH], max, "value"),
        (out, max) -> PrimitiveArrays.write(out, new int[LENGTH], max, "value"),
        (out, max) -> PrimitiveArrays.write(out, new long[LENGTH], max, "value"),
        (out, max) -> PrimitiveArrays.write(out, new float[LENGTH], max, "value"),
        (out, max) -> PrimitiveArrays.write(out, new double[LENGTH], max, "value"),
        (out, max) -> out.bytes(new byte[LENGTH], max, "value"),
        (out, max) -> out.buffer(Buffer.buffer(new byte[LENGTH]), max, "value"),
        (out, max) -> out.placedBytes(new byte[LENGTH], max, "value"),
        (out, max) -> out.placedBuffer(Buffer.buffer(new byte[LENGTH]), max, "value"),
        (out, max) -> out.string("abc", max, "value"),
        (out, max) -> out.collection(List.of(1, 2, 3), max, "value", out::int32),
        (out, max) -> out.map(Map.of(1, 2, 3, 4, 5, 6), max, "value", out::int32, out::int32));
  }

  @ParameterizedTest
  @MethodSource("writings")
  @DisplayName("Arrays, bytes, text, collections and maps")
  void bounded(Writing writing) {
    assertThatCode(() -> writing.write(out, LENGTH)).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> writing.write(out, LENGTH - 1))
        .withMessage("value has a length of 3, which exceeds its bound of 2");
  }

  /** Fails if {@code ValueWriter.counted} looks at the size alone. */
  @Test
  @DisplayName("A collection that grows while it is copied is bounded by what was copied")
  void growing() {
    AbstractCollection<Integer> growing = new AbstractCollection<>() {
      @Override
      public Iterator<Integer> iterator() {
        return Collections.nCopies(LENGTH, 7).iterator();
      }

      @Override
      public int size() {
        return 1;
      }
    };
    assertThatIllegalArgumentException().isThrownBy(() -> out.collection(growing, 2, "value", out::int32))
        .withMessageContaining("length of 3");
  }

  /** Fails if {@code Depth.leave} is not called, or goes the wrong way. */
  @Test
  @DisplayName("Structs beside each other are not nested; those within each other are at most 256 deep")
  void depth() {
    ValueReader in = ValueReader.ofArguments(new XdrReader(ByteBuffer.allocate(0)));
    for (int i = 0; i < 1000; i++) {
      out.nested(() -> out.nested(() -> { }));
      assertThat(in.<String>nested(() -> in.nested(() -> "inner"))).isEqualTo("inner");
    }
    assertThatCode(() -> write(256)).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> write(257));
    assertThat(read(in, 256)).isEqualTo(256);
    assertThatThrownBy(() -> read(in, 257)).isInstanceOf(XdrException.class);
  }

  private void write(int levels) {
    if (levels > 0) {
      out.nested(() -> write(levels - 1));
    }
  }

  private static int read(ValueReader in, int levels) {
    return levels == 0 ? 0 : in.nested(() -> 1 + read(in, levels - 1));
  }

  @Test
  @DisplayName("The bound of a result is an int that is not negative")
  void boundOfResult() {
    ValueReader in = ValueReader.ofArguments(new XdrReader(ByteBuffer.allocate(0)));
    assertThat(in.bound(0)).isZero();
    assertThat(in.bound(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> in.bound(-1)).isInstanceOf(XdrException.class);
    assertThatThrownBy(() -> in.bound(1L << 31)).isInstanceOf(XdrException.class);
  }

  @Test
  @DisplayName("Of a long message as much is left as there is room for, with the sign that it was cut")
  void message() {
    XdrWriter writer = new XdrWriter();
    ServiceFailure.write(writer, new ServiceException(1, "m".repeat(257)));
    XdrReader reader = new XdrReader(ByteBuffer.wrap(writer.toByteArray()));
    assertThat(reader.int32()).isEqualTo(ServiceFailure.FAILED);
    assertThat(ServiceFailure.read(reader)).hasMessage("m".repeat(253) + "…");
  }
}
