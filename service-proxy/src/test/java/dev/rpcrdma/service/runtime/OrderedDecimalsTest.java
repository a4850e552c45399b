// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Decimals that are put in an order: with two of very different scales, each comparison multiplies the digits of one by
 * those of the other, and who sends them chooses what is compared.
 */
class OrderedDecimalsTest {

  private static final int LEAST = 12;
  private static final BigDecimal LONGEST = ofBytes(BigNumbers.MAX_ORDERED);
  private static final BigDecimal TOO_LONG = ofBytes(BigNumbers.MAX_ORDERED + 1);

  private static BigDecimal ofBytes(int bytes) {
    return new BigDecimal(BigInteger.ONE.shiftLeft(8 * bytes - 2), 7);
  }

  private static ValueReader written(Consumer<ValueWriter> message) {
    XdrWriter writer = new XdrWriter();
    message.accept(new ValueWriter(writer));
    return ValueReader.ofArguments(new XdrReader(ByteBuffer.wrap(writer.toByteArray())));
  }

  private static NavigableSet<BigDecimal> set(BigDecimal element) {
    return new TreeSet<>(Set.of(element));
  }

  private static void writeSet(ValueWriter out, NavigableSet<BigDecimal> set) {
    SortedCollections.writeSet(out, set, 10, "set", each -> BigNumbers.writeBigDecimal(out, each, "element"));
  }

  private static NavigableSet<BigDecimal> readSet(ValueReader in) {
    return SortedCollections.readSet(in, 10, LEAST, () -> BigNumbers.readBigDecimal(in));
  }

  /** Fails if {@code SortedCollections.ordering} says nothing of the order. */
  @Test
  @DisplayName("Elements of a sorted set have 64 bytes at most, on both sides")
  void elements() {
    assertThat(readSet(written(out -> writeSet(out, set(LONGEST))))).containsExactly(LONGEST);
    assertThatThrownBy(() -> written(out -> writeSet(out, set(TOO_LONG))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("64");
    ValueReader foreign = written(out -> {
      out.int32(1);
      BigNumbers.writeBigDecimal(out, TOO_LONG, "element");
    });
    assertThatThrownBy(() -> readSet(foreign)).isInstanceOf(XdrException.class).hasMessageContaining("64");
  }

  @Test
  @DisplayName("Keys of a sorted map have 64 bytes at most, its values as many as others, and so has what follows")
  void keys() {
    ValueReader in = written(out -> {
      SortedCollections.writeMap(out, new TreeMap<>(Map.of(LONGEST, TOO_LONG)), 10, "map",
          key -> BigNumbers.writeBigDecimal(out, key, "key"),
          value -> BigNumbers.writeBigDecimal(out, value, "value"));
      BigNumbers.writeBigDecimal(out, TOO_LONG, "behind");
    });
    NavigableMap<BigDecimal, BigDecimal> map = SortedCollections.readMap(in, 10, LEAST,
        () -> BigNumbers.readBigDecimal(in), () -> BigNumbers.readBigDecimal(in));
    assertThat(map).containsOnlyKeys(LONGEST).containsValue(TOO_LONG);
    assertThat(BigNumbers.readBigDecimal(in)).isEqualTo(TOO_LONG);
    assertThatThrownBy(() -> written(out -> SortedCollections.writeMap(out,
        new TreeMap<>(Map.of(TOO_LONG, 1)), 10, "map",
        key -> BigNumbers.writeBigDecimal(out, key, "key"), out::int32)))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("64");
  }
}
