// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.service.fixture.Bounds;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Bounds hold wherever they are. */
class BoundsTest extends TypeFamilyTest<Bounds> {

  BoundsTest() {
    super(Bounds.class, family());
  }

  private static TypeFamily<Bounds> family() {
    return new TypeFamily<Bounds>()
        .good(1, Bounds::ofList, List.of("abc", ""), "00000002 00000003 61626300 00000000")
        .good(2, Bounds::ofMap, Map.of("k", Buffer.buffer("v")), "00000001 00000001 6b000000 00000001 76000000")
        .good(3, Bounds::ofOptional, Optional.of(List.of(1)), "00000001 00000001 00000001")
        .good(5, Bounds::ofNames, new Bounds.Names(List.of("a")), "00000001 00000001 61000000")
        .bad(1, "00000003 00000000 00000000 00000000", "exceeds its bound of 2")
        .bad(1, "00000001 00000004 61626364", "exceeds its bound of 3")
        .bad(2, "00000002 00000001 6b000000 00000000 00000000 00000000", "exceeds its bound of 1")
        .bad(2, "00000001 00000003 6b6b6b00 00000000", "exceeds its bound of 2")
        .bad(2, "00000001 00000000 00000004 76767676", "exceeds its bound of 3")
        .bad(3, "00000001 00000002 00000000 00000000", "exceeds its bound of 1")
        .bad(5, "00000001 00000004 61626364", "exceeds its bound of 3");
  }

  @Test
  void boundsOfElementsAreNamed() throws Throwable {
    assertThat(onVertx.await(() -> program.ofOpaque(List.of(new byte[3])))).containsExactly(new byte[3]);
    assertTooLong("an element of value has a length of 4, which exceeds its bound of 3",
        () -> program.ofOpaque(List.of(new byte[4])));
    assertTooLong("an element of value has a length of 4, which exceeds its bound of 3",
        () -> program.ofList(List.of("abcd")));
    assertTooLong("a key of value has a length of 3, which exceeds its bound of 2",
        () -> program.ofMap(Map.of("abc", Buffer.buffer())));
    assertTooLong("an element of Names.names has a length of 4, which exceeds its bound of 3",
        () -> program.ofNames(new Bounds.Names(List.of("abcd"))));
  }

  private <T> void assertTooLong(String message, Supplier<Future<T>> call) {
    assertThatThrownBy(() -> onVertx.await(call)).isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
