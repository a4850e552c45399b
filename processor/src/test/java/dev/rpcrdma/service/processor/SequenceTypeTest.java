// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javapoet.TypeName;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Strings and opaques have the bounds that annotations give them. */
class SequenceTypeTest {

  /** Fails if {@code withMax} takes the larger bound, the first or the last, or changes more than the bound. */
  @Test
  @DisplayName("Of two bounds the smaller one holds, and nothing else changes")
  void smallerBound() {
    SequenceType type = new SequenceType(TypeName.get(String.class), "string", true, 10, true);
    assertThat(type.withMax(100)).isEqualTo(type);
    assertThat(type.withMax(9))
        .isEqualTo(new SequenceType(TypeName.get(String.class), "string", true, 9, true));
  }
}
