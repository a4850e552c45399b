// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who has changed the API learns what to do. */
class VerdictTest {

  private static final Change GONE = Change.gone("s.A", "method public void f()");
  private static final Change NEW = Change.added("s.A", "public class s.A", "method public void g()");

  /** Fails if {@code Verdict} tells of breaks as of additions. */
  @Test
  @DisplayName("A break is told with the rules for it; what adds is told apart")
  void breaks() {
    assertThat(Verdict.of(List.of(GONE, NEW))).containsSubsequence("break code",
        "  s.A\n    - method public void f()\n", "only add", "    + method public void g()\n", "docs/versions.md",
        "CHANGELOG.md", "-Dapi.record=true");
  }

  /** Fails if {@code Verdict} says nothing of additions, or frightens. */
  @Test
  @DisplayName("An addition is welcome, and recorded")
  void adds() {
    assertThat(Verdict.of(List.of(NEW)))
        .contains("breaks nobody", "    + method public void g()\n", "-Dapi.record=true")
        .doesNotContain("docs/versions.md");
    assertThat(Verdict.of(List.of())).isEmpty();
  }
}
