// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of change is noticed, and told from those that break nobody. */
@Tag("slow")
class ComparisonTest {

  @TempDir
  private Path folder;

  private List<Change> changes(String before, String after) throws IOException {
    return Comparison.of(Samples.of(folder, before), Samples.of(folder, after));
  }

  private void assertEffect(String before, String after, Change.Effect effect) throws IOException {
    List<Change> changes = changes(before, after);
    assertThat(changes).as("%s to %s", before, after).isNotEmpty();
    assertThat(changes).extracting(Change::effect).as("%s", changes).contains(effect);
    if (effect == Change.Effect.ADDS) {
      assertThat(changes).extracting(Change::effect).as("%s", changes).containsOnly(effect);
    }
  }

  /** Fails if {@code Change.isHarmless} or {@code added} lets one of them pass. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "public class A { } class B { } | class A { } class B { }",
      "public class A { public void f() {} } | public class A { }",
      "public class A { protected void f() {} } | public class A { void f() {} }",
      "public class A { public void f() {} } | public class A { protected void f() {} }",
      "public class A { public void f() {} } | public class A { public int f() { return 1; } }",
      "public class A { public void f() {} } | public class A { public void f(int a) {} }",
      "public class A { public void f() {} } | public class A { public static void f() {} }",
      "public class A { public void f() {} } | public class A { public final void f() {} }",
      "public class A { public void f() {} } | public class A { public void f() throws Exception {} }",
      "public class A { public void f() throws Exception {} } | public class A { public void f() {} }",
      "public class A { public void f(int... a) {} } | public class A { public void f(int[] a) {} }",
      "public class A { public void f(java.util.List<String> a) {} } | "
          + "public class A { public void f(java.util.List<Integer> a) {} }",
      "public class A { public <T> void f(T a) {} } | public class A { public <T extends Number> void f(T a) {} }",
      "public class A { public int f; } | public class A { public long f; }",
      "public class A { public int f; } | public class A { public final int f = 1; }",
      "public class A { public static final int F = 1; } | public class A { public static final int F = 2; }",
      "public class A { } | public final class A { }",
      "public class A { } | public abstract class A { }",
      "public class A { } | public class A { private A() {} }",
      "public class A<T> { } | public class A<T extends Number> { }",
      "public class A extends Number { public int intValue() { return 1; } public long longValue() { return 1; } "
          + "public float floatValue() { return 1; } public double doubleValue() { return 1; } } | "
          + "public class A { public int intValue() { return 1; } public long longValue() { return 1; } "
          + "public float floatValue() { return 1; } public double doubleValue() { return 1; } }",
      "public abstract class A implements Runnable { public void run() {} } | "
          + "public abstract class A { public void run() {} }",
      "public abstract class A { } | public abstract class A { public abstract void f(); }",
      "public interface A { } | public interface A { void f(); }",
      "public interface A { default void f() {} } | public interface A { void f(); }",
      "public record A(int a) { } | public record A(int a, int b) { }",
      "public record A(int a) { } | public record A(int b) { }",
      "public enum A { X, Y } | public enum A { X }",
      "public enum A { X } | public enum A { X, Y }",
      "public sealed interface A { final class X implements A { } } | "
          + "public sealed interface A { final class X implements A { } final class Y implements A { } }",
      "public interface A { } | public sealed interface A { final class X implements A { } }",
      "public @interface A { int f() default 1; } | public @interface A { int f(); }",
      "public @interface A { int f() default 1; } | public @interface A { int f() default 2; }",
      "public @interface A { } | public @interface A { int f(); }",
      "@FunctionalInterface public interface A { void f(); } | public interface A { void f(); }",
      "public class A { public static class B { } } | public class A { static class B { } }"})
  @DisplayName("What others may rely on is not to change")
  void breaks(String before, String after) throws IOException {
    assertEffect(before, after, Change.Effect.BREAKS);
  }

  /** Fails if {@code Change} takes one of them for a break, or {@code Signatures} does not see it. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "public class A { } | public class A { public void f() {} }",
      "public class A { } | public class A { public static final int F = 1; }",
      "public class A { } | public class A { public A(int a) {} public A() {} }",
      "public class A { } | public class A { public static class B { } }",
      "public class A { } | public class A implements Cloneable { }",
      "public interface A { } | public interface A { default void f() {} }",
      "public interface A { } | public interface A { static void f() {} }",
      "public interface A { void f(); } | public interface A { default void f() {} }",
      "public class A { protected void f() {} } | public class A { public void f() {} }",
      "public class A { public final void f() {} } | public class A { public void f() {} }",
      "public final class A { } | public class A { }",
      "public abstract class A { } | public class A { }",
      "public @interface A { } | public @interface A { int f() default 1; }",
      "public @interface A { int f(); } | public @interface A { int f() default 1; }",
      "public sealed interface A { final class X implements A { } } | "
          + "public sealed interface A { int f(); final class X implements A { public int f() { return 1; } } }",
      "public class A { public void f() {} } | public class A { @Deprecated public void f() {} }",
      "public class A { @Deprecated public void f() {} } | "
          + "public class A { @Deprecated(since = \"2\", forRemoval = true) public void f() {} }",
      "public class A { } | @Deprecated public class A { }"})
  @DisplayName("What is more than before breaks nobody, and is noticed")
  void adds(String before, String after) throws IOException {
    assertEffect(before, after, Change.Effect.ADDS);
  }

  /** Fails if {@code Signatures} lists what others cannot name. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "public class A { void f() {} private int g; } | public class A { private long h; }",
      "public class A { } | public class A { @Override public String toString() { return \"\"; } }",
      "public class A { public void f(int a) {} public void g() {} } | "
          + "public class A { public synchronized void g() {} public void f(int b) { g(); } }",
      "public enum A { X } | public enum A { X { @Override public String toString() { return \"\"; } } }",
      "public sealed interface A permits B { } final class B implements A { } | "
          + "public sealed interface A permits B, C { } final class B implements A { } final class C implements A { }",
      "public class A { } | public class A { private class B { } Runnable r = () -> { }; }"})
  @DisplayName("What others cannot see is no change")
  void none(String before, String after) throws IOException {
    assertThat(changes(before, after)).isEmpty();
  }

  /** Fails if {@code Comparison.key} takes one method for another. */
  @Test
  @DisplayName("A method that has changed is told with what it was, and not with one of the same name")
  void pairs() throws IOException {
    assertThat(changes("public class A { public void f(int a) {} public void f(long a) {} }",
        "public class A { public void f(String a) {} public int f(long a) { return 1; } }"))
        .extracting(Change::before, Change::after).containsExactlyInAnyOrder(
            tuple("method public void f(int)", null),
            tuple("method public void f(long)", "method public int f(long)"),
            tuple(null, "method public void f(java.lang.String)"));
  }
}
