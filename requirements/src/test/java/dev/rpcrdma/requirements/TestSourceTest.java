package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestSourceTest {

  @Test
  void eachIdBelongsToTheTestAroundIt() {
    assertThat(TestSource.mentions("""
        package p;
        import java.util.List;
        /** R-001 */
        @SuppressWarnings({"R-002"})
        class A extends Object {
          static final String[] ROWS = {"R-003"};
          /** P-004 */
          @Test @Deprecated(since = "R-005, R-006 to P-007")
          void first() { String s = "R-008"; new Object() { void inner() { f("R-009"); } }; }
          // R-010
          A() {}
          @interface Nested { /** R-011 */ int value(); }
          record Row(int a, @Deprecated(since = "R-012") int b) { @Test void in() { f("R-013"); } }
          enum Kind { ONE("R-014"); Kind(String s) {} }
          // R-015
        }
        /** R-016 */
        interface B { @ParameterizedTest default void second() { f("R-017"); } }
        """)).extracting(m -> m.id() + " " + m.place()).containsExactly("P-004 A.first",
            "R-005 A.first", "R-006 A.first", "P-007 A.first", "R-008 A.first", "R-009 A.first",
            "R-013 A.Row.in", "R-017 B.second");
  }

  @Test
  void whatIsInNoTestProvesNothing() {
    assertThat(TestSource.mentions("""
        /** R-001 */ class A {
          /** R-002 */ @BeforeEach void open() {}
          /** R-003 */ void helper() {}
          /** R-004 */ @Property void property() {}
          /** R-005 */ @FuzzTest void fuzz() {}
          /** R-006 */ @Testable void almost() {}
        }
        """)).extracting(Mention::id).containsExactly("R-004", "R-005");
  }

  @Test
  void whatOnlyLooksLikeAnIdIsNone() {
    assertThat(TestSource.mentions("/** R-01 R-0123 XR-001 r-001 C-001 B-001 */ class A {}"))
        .isEmpty();
  }

  @Test
  void testsOfTheLabAreMarked() {
    assertThat(TestSource.mentions("@WithLab\nclass A { /** R-001 */ @Test void a() {} }"))
        .containsExactly(new Mention("R-001", "A.a", true));
    assertThat(TestSource.mentions("/** See @WithLab. */ class A { /** R-001 */ @Test void a() {} }"))
        .containsExactly(new Mention("R-001", "A.a", false));
  }
}
