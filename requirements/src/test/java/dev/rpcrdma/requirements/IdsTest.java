// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {

  @ParameterizedTest
  @ValueSource(strings = {"R-008 to R-011", "R-008 … R-011", "R-008…R-011", "R-008–R-011",
      "R-008 – R-011"})
  void aRangeMeansAllBetween(String text) {
    assertThat(Ids.in("before " + text + ": behind"))
        .containsExactly("R-008", "R-009", "R-010", "R-011");
  }

  @Test
  void idsThatAreNotJoinedMeanThemselves() {
    assertThat(Ids.in("R-001 R-003, P-002: R-005 and R-007; tomorrow R-009 top R-011 - R-013"))
        .containsExactly("R-001", "R-003", "P-002", "R-005", "R-007", "R-009", "R-011", "R-013");
    assertThat(Ids.in("P-998 to P-999 to P-001")).containsExactly("P-998", "P-999", "P-001");
    assertThat(Ids.in("R-01 R-0123 XR-001 r-001 C-001 B-001")).isEmpty();
  }

  @Test
  void aRangeRunsForwardsAndIsOfOneKind() {
    for (String text : new String[] {"R-002 to R-001", "P-001 to R-002"}) {
      assertThatThrownBy(() -> Ids.in(text)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is nothing");
    }
  }
}
