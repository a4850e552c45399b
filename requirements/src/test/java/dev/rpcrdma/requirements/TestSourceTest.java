// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestSourceTest {

  @Test
  void eachIdBelongsToTheTestThatIsCalledByIt() {
    assertThat(TestSource.mentions("""
        package p;
        import java.util.List;
        class A extends Object {
          @Test @DisplayName("R-001, P-002: one thing " + "R-003: and another")
          void first() {}
          @DisplayName("R-004 to R-006: all of these") @ParameterizedTest void second() {}
          record Row(int a, int b) { @Test @DisplayName("R-013") void in() {} }
          @Nested class Inner { @DisplayName("R-014") @Test void innermost() {} }
        }
        interface B { @Property @DisplayName("R-017") default void third() {} }
        """)).extracting(m -> m.id() + " " + m.place()).containsExactly("R-001 A.first",
            "P-002 A.first", "R-003 A.first", "R-004 A.second", "R-005 A.second", "R-006 A.second",
            "R-013 A.Row.in", "R-014 A.Inner.innermost", "R-017 B.third");
  }

  @Test
  void whatIsNotTheNameOfATestProvesNothing() {
    assertThat(TestSource.mentions("""
        /** R-001 */
        @DisplayName("R-002")
        @SuppressWarnings({"R-003"})
        class A {
          static final String[] ROWS = {"R-004"};
          @BeforeEach @DisplayName("R-005") void open() {}
          @DisplayName("R-006") void helper() {}
          @Testable @DisplayName("R-007") void almost() {}
          /** R-008 */
          @Test @Deprecated(since = "R-009") @DisplayName("A thing") void test() {
            String s = "R-010";
            new Object() { @Test @DisplayName("R-011") void inner() {} };
            // R-012
          }
        }
        """)).isEmpty();
  }

  @Test
  void testsOfTheLabAreMarked() {
    String test = "class A { @Test @DisplayName(\"R-001\") void a() {} }";
    assertThat(TestSource.mentions("@WithLab\n" + test))
        .containsExactly(new Mention("R-001", "A.a", true));
    assertThat(TestSource.mentions("/** See @WithLab. */ " + test))
        .containsExactly(new Mention("R-001", "A.a", false));
  }
}
