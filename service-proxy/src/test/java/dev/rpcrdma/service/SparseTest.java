// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.service.fixture.Color;
import dev.rpcrdma.service.fixture.Sparse;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What may be null. */
class SparseTest extends TypeFamilyTest<Sparse> {

  SparseTest() {
    super(Sparse.class, family());
  }

  private static TypeFamily<Sparse> family() {
    Sparse.Hole last = new Sparse.Hole(null, null, null);
    return new TypeFamily<Sparse>()
        .good(1, Sparse::ofString, null, "00000000")
        .good(1, Sparse::ofString, "", "00000001 00000000")
        .good(2, Sparse::ofLong, null, "00000000")
        .good(2, Sparse::ofLong, -1L, "00000001 ffffffff ffffffff")
        .good(3, Sparse::ofHole, null, "00000000")
        .good(3, Sparse::ofHole, last, "00000001 00000000 00000000 00000000")
        .good(3, Sparse::ofHole, new Sparse.Hole("n", Buffer.buffer("b"), last),
            "00000001 00000001 00000001 6e000000 00000001 00000001 62000000 00000001 00000000 00000000 00000000")
        .good(4, Sparse::ofList, null, "00000000")
        .good(4, Sparse::ofList, Arrays.asList(1, null), "00000001 00000002 00000001 00000001 00000000")
        .good(5, Sparse::ofMap, Collections.singletonMap("k", (Color) null),
            "00000001 00000001 6b000000 00000000")
        .good(6, Sparse::ofBytes, null, "00000000")
        .good(6, Sparse::ofBytes, new byte[] {1}, "00000001 00000001 01000000")
        .good(7, Sparse::ofShort, "ab", "00000001 00000002 61620000")
        .good(8, Sparse::ofSmall, Buffer.buffer("c"), "00000001 00000001 63000000")
        .bad(1, "00000002 00000000", "must be 0 or 1")
        .bad(3, "00000001 00000001 00000005 61616161 61000000 00000000 00000000", "exceeds its bound of 4")
        .bad(4, "00000001 00000001 ffffffff", "must be 0 or 1")
        .bad(5, "00000002 00000001 6b000000 00000000 00000001 6b000000 00000000", "repeats the key")
        .bad(7, "00000001 00000003 61616100", "exceeds its bound of 2");
  }

  @Test
  void sizesAndDepthsAreKnown() throws Throwable {
    assertThat(onVertx.await(() -> program.ofSmall(null))).isNull();
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(784));
    Sparse.Hole hole = new Sparse.Hole(null, null, null);
    for (int i = 1; i < 256; i++) {
      hole = new Sparse.Hole(null, null, hole);
    }
    Sparse.Hole deepest = hole;
    assertThat(onVertx.await(() -> program.ofHole(deepest))).isEqualTo(deepest);
    assertThatThrownBy(() -> onVertx.await(() -> program.ofHole(new Sparse.Hole(null, null, deepest))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("256 deep");
  }

  @Test
  void nothingElseMayBeNull() {
    assertThatThrownBy(() -> onVertx.await(() -> program.ofMap(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofMap(Collections.singletonMap(null, Color.RED))))
        .isInstanceOf(NullPointerException.class).hasMessage("a key of value must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofShort("abc")))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("exceeds its bound of 2");
  }
}
