// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.service.fixture.Numbers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Identifiers, numbers of any size, and optionals of primitives. */
class NumbersTest extends TypeFamilyTest<Numbers> {

  private static final UUID ID = UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");

  NumbersTest() {
    super(Numbers.class, family());
  }

  private static TypeFamily<Numbers> family() {
    return new TypeFamily<Numbers>()
        .good(1, Numbers::ofUuid, ID, "f81d4fae 7dec11d0 a76500a0 c91e6bf6")
        .good(2, Numbers::ofUri, URI.create("rdma://h/ä"), "0000000b 72646d61 3a2f2f68 2fc3a400")
        .good(2, Numbers::ofUri, URI.create(""), "00000000")
        .good(3, Numbers::ofBigInteger, BigInteger.ZERO, "00000001 00000000")
        .good(3, Numbers::ofBigInteger, BigInteger.valueOf(-129), "00000002 ff7f0000")
        .good(3, Numbers::ofBigInteger, BigInteger.ONE.shiftLeft(63), "00000009 00800000 00000000 00000000")
        .good(4, Numbers::ofSmallInteger, BigInteger.valueOf(Short.MIN_VALUE), "00000002 80000000")
        .good(5, Numbers::ofBigDecimal, new BigDecimal("-1.50"), "00000002 ff6a0000 00000002")
        .good(5, Numbers::ofBigDecimal, new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE),
            "00000001 01000000 80000000")
        .good(6, Numbers::ofOptionalInt, OptionalInt.empty(), "00000000")
        .good(6, Numbers::ofOptionalInt, OptionalInt.of(-1), "00000001 ffffffff")
        .good(7, Numbers::ofOptionalLong, OptionalLong.of(-2), "00000001 ffffffff fffffffe")
        .good(8, Numbers::ofOptionalDouble, OptionalDouble.of(-1.5), "00000001 bff80000 00000000")
        .good(9, Numbers::ofUuids, List.of(ID), "00000001 f81d4fae 7dec11d0 a76500a0 c91e6bf6")
        .good(10, Numbers::ofPrices, Map.of(BigDecimal.TEN, URI.create("a:b")),
            "00000001 00000001 0a000000 00000000 00000003 613a6200")
        .good(11, Numbers::ofIntegers, Set.of(BigInteger.ONE), "00000001 00000001 01000000")
        .good(12, Numbers::ofOptionals, List.of(OptionalInt.of(3), OptionalInt.empty()),
            "00000002 00000001 00000003 00000000")
        .bad(2, "00000001 20000000", "A URI is malformed: Illegal character")
        .bad(2, "00000002 61ff0000", "not UTF-8")
        .bad(2, "00000041" + "61".repeat(65) + "000000", "exceeds its bound of 64")
        .bad(3, "00000000", "An integer has no bytes")
        .bad(3, "00001001" + "01".repeat(4097) + "000000", "exceeds its bound of 4096")
        .bad(4, "00000003 01000000", "exceeds its bound of 2")
        .bad(5, "00000000 00000000", "An integer has no bytes")
        .bad(5, "00001001" + "01".repeat(4097) + "000000 00000000", "exceeds its bound of 4096")
        .bad(6, "00000002 00000000", "must be 0 or 1")
        .bad(7, "ffffffff 00000000 00000000", "must be 0 or 1")
        .bad(8, "00000002 00000000 00000000", "must be 0 or 1")
        .bad(11, "00000002 00000001 01000000 00000002 00010000", "repeats another");
  }

  @Test
  void boundsHoldBeforeAnythingIsSent() throws Throwable {
    BigInteger largest = BigInteger.ONE.shiftLeft(8 * 4096 - 1).subtract(BigInteger.ONE);
    assertThat(onVertx.await(() -> program.ofBigInteger(largest))).isEqualTo(largest);
    assertThatThrownBy(() -> onVertx.await(() -> program.ofBigInteger(largest.add(BigInteger.ONE))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value has a length of 4097, which exceeds its bound of 4096");
    BigDecimal decimal = new BigDecimal(largest, Integer.MAX_VALUE);
    assertThat(onVertx.await(() -> program.ofBigDecimal(decimal))).isEqualTo(decimal);
    assertThatThrownBy(() -> onVertx.await(() -> program.ofBigDecimal(
        new BigDecimal(largest.add(BigInteger.ONE)))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("exceeds its bound of 4096");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofSmallInteger(BigInteger.valueOf(0x8000))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("exceeds its bound of 2");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofUri(URI.create("a".repeat(65)))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("exceeds its bound of 64");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofUuid(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
  }

  @Test
  void sizesAreKnown() throws Throwable {
    onVertx.await(() -> program.ofBigInteger(BigInteger.ZERO));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(4 + 4 + 4096));
    onVertx.await(() -> program.ofBigDecimal(BigDecimal.ZERO));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(4 + 4 + 4096 + 4));
  }
}
