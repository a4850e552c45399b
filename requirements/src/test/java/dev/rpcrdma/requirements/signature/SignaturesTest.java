// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a type. */
class SignaturesTest {

  @TempDir
  private Path folder;

  private String text(String source) throws IOException {
    return ApiFile.write(Samples.of(folder, source));
  }

  /** Fails if {@code Signatures} or {@code MemberText} leaves a part of a class file out. */
  @Test
  @DisplayName("A class: modifiers, type parameters, parents, members of others and of heirs, and what they throw")
  void ofClass() throws IOException {
    assertThat(text("""
        public abstract class A<T extends Comparable<? super T>> extends java.util.ArrayList<T[]>
            implements java.util.concurrent.Callable<T> {
          public static final int N = 7;
          public static final String TEXT = "a\\"b";
          public static final Integer NOT_COPIED = 8;
          protected volatile T value;
          int hidden;
          @Deprecated(since = "1", forRemoval = true) protected A(T... all) throws java.io.IOException {}
          A(int hidden) {}
          public synchronized <E extends Exception> java.util.Map<String, ? extends T> get(int a, T[] b) throws E {
            return null;
          }
          public final native void stop();
          private void none() {}
          @Override public String toString() { return ""; }
          protected static class Inner { }
          private static class Hidden { public static class Deep { } }
        }
        """)).isEqualTo("""
        public abstract class s.A<T extends java.lang.Comparable<? super T>>
          constructor @java.lang.Deprecated(since="1", forRemoval=true) protected new(T...) throws java.io.IOException
          extends java.util.ArrayList<T[]>
          field protected T value
          field public static final int N = 7
          field public static final java.lang.Integer NOT_COPIED
          field public static final java.lang.String TEXT = "a\\"b"
          implements java.util.concurrent.Callable<T>
          method public <E extends java.lang.Exception> java.util.Map<java.lang.String, ? extends T> get(int, T[])\
         throws E
          method public final void stop()
        protected static class s.A$Inner
          constructor protected new()
        """);
  }

  /** Fails if {@code Signatures.declaration} takes one kind for another, or lists what a compiler has made. */
  @Test
  @DisplayName("Interfaces, records, enums, annotations and sealed types")
  void ofOtherKinds() throws IOException {
    assertThat(text("""
        @FunctionalInterface
        public interface I<T> {
          void one(T t);
          default void two() {}
          static void three() {}
          private void four() {}
          record R(int a, java.util.List<String> b) implements I<Integer> {
            @Override public void one(Integer t) {}
          }
          enum E { B { @Override void f() {} }, @Deprecated A { @Override void f() {} }; abstract void f(); }
          @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
          @interface N { int value() default 3; Class<?>[] types() default {}; E e(); }
          sealed interface S permits S.X, S.Y { final class X implements S { private X() {} } non-sealed class Y
              implements S { private Y() {} } }
        }
        """)).isEqualTo("""
        @java.lang.FunctionalInterface public interface s.I<T>
          method public abstract void one(T)
          method public default void two()
          method public static void three()
        public enum s.I$E
          constant @java.lang.Deprecated A
          constant B
        @java.lang.annotation.Retention(value=java.lang.annotation.RetentionPolicy.RUNTIME) public @interface s.I$N
          method public abstract int value() default 3
          method public abstract java.lang.Class<?>[] types() default {}
          method public abstract s.I$E e()
        public record s.I$R(int a, java.util.List<java.lang.String> b)
          constructor public new(int, java.util.List<java.lang.String>)
          implements s.I<java.lang.Integer>
          method public int a()
          method public java.util.List<java.lang.String> b()
          method public void one(java.lang.Integer)
        public sealed interface s.I$S
          permits s.I$S$X
          permits s.I$S$Y
        public static final class s.I$S$X
          implements s.I$S
        public static class s.I$S$Y
          implements s.I$S
        """);
  }

  /** Fails if {@code Signatures.addMembers} or {@code addInherited} stops at a type that others cannot name. */
  @Test
  @DisplayName("What a type has of one that others cannot name is listed as its own")
  void ofHiddenParent() throws IOException {
    assertThat(text("""
        public final class A extends Base { @Override public void own() {} public static void make() {} }
        abstract class Base implements Runnable, Hidden {
          public void own() {} @Override public void run() {} protected void heirs() {}
        }
        interface Hidden { default int more() { return 1; } }
        """)).isEqualTo("""
        public final class s.A
          constructor public new()
          implements java.lang.Runnable
          method public default int more()
          method public static void make()
          method public void own()
          method public void run()
        """);
  }
}
