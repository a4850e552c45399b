// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoverageTest {

  private static final String LIST = """
      | id | statement | source |
      | --- | --- | --- |
      | R-001 | One thing. | 8166 §1 |
      | P-002 | Another. | 5044 §2 |

      | id | why |
      | --- | --- |
      | P-002 | Nobody can know. |
      """;

  private static final String LATER = """
      | R-100 | Later. | 8166 §2 |
      | R-101 | Later, too. | 8166 §2 |
      | R-102 | And this. | 8166 §2 |

      | R-100 to R-102 | Not built yet. |
      """;

  private static Coverage coverage(String list, Mention... mentions) {
    return new Coverage(RequirementList.read(list), List.of(mentions));
  }

  private static Mention test(String id) {
    return new Mention(id, "module Class.method", false);
  }

  @Test
  void listAndTestsAgree() {
    Coverage coverage = coverage(LIST, test("R-001"), new Mention("R-001", "m L.t", true),
        test("R-001"));
    assertThat(coverage.problems()).isEmpty();
    assertThat(coverage.report()).contains("2 requirements, 1 with tests, 1 exceptions").endsWith("""
        | R-001 | One thing. | 8166 §1 | module Class.method, m L.t (lab) |
        | P-002 | Another. | 5044 §2 | Nobody can know. |
        """);
  }

  @Test
  void aRequirementWithoutATest() {
    assertThat(coverage(LIST).problems())
        .containsExactly("R-001 has neither a test nor an exception");
    assertThat(coverage(LIST, new Mention("R-001", "m L.t", true)).problems())
        .as("the lab is not part of each build").hasSize(1);
  }

  @Test
  void anExceptionThatIsNone() {
    assertThat(coverage(LIST, test("R-001"), test("P-002")).problems())
        .containsExactly("P-002 has an exception, and tests: module Class.method");
    assertThat(coverage(LIST + "| R-009 | Gone. |\n", test("R-001")).problems())
        .containsExactly("R-009 has an exception, and is not in the list");
  }

  @Test
  void anIdThatIsNotListed() {
    assertThat(coverage(LIST, test("R-001"), test("R-099"), test("P-105"))
        .problems()).extracting(problem -> problem.substring(0, 24))
        .containsExactly("P-105 is not in the list", "R-099 is not in the list");
  }

  @Test
  void aRangeOfExceptionsIsEachOfThem() {
    assertThat(coverage(LIST + LATER, test("R-001")).problems()).isEmpty();
    assertThat(coverage(LIST + LATER, test("R-001")).report())
        .contains("5 requirements, 1 with tests, 4 exceptions")
        .contains("| R-101 | Later, too. | 8166 §2 | Not built yet. |");
    assertThat(coverage(LIST + LATER, test("R-001"), test("R-101")).problems())
        .containsExactly("R-101 has an exception, and tests: module Class.method");
    assertThat(coverage(LIST + LATER.replace("R-102 | Not", "R-103 | Not"), test("R-001"))
        .problems()).containsExactly("R-103 has an exception, and is not in the list");
    assertThat(coverage(LIST + LATER.replace("R-102 | Not", "R-101 | Not"), test("R-001"))
        .problems()).containsExactly("R-102 has neither a test nor an exception");
  }

  @Test
  void aRequirementIsNoRange() {
    assertThatThrownBy(() -> RequirementList.read("| R-001 to R-002 | Two. | 8166 §1 |\n"))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("R-001 to R-002");
  }

  @Test
  void anIdThatIsListedTwice() {
    assertThatThrownBy(() -> RequirementList.read(LIST + LIST))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("R-001");
  }
}
