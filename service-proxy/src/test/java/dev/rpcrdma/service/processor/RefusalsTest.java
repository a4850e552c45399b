// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot cross is refused while it is compiled, at the very place in the source. */
@Tag("large")
class RefusalsTest {

  private static final String HEAD = """
      package p;
      import dev.rpcrdma.api.Payload;
      import dev.rpcrdma.service.*;
      import io.vertx.codegen.annotations.Nullable;
      import io.vertx.core.Future;
      import io.vertx.core.buffer.Buffer;
      import io.vertx.core.json.JsonObject;
      import java.util.*;
      """;

  /** A method, what is said of it, and the source from the place where it is said. */
  static Stream<Arguments> methods() {
    return Stream.of(
        refused("@RpcProcedure(1) String f();",
            "must return a Future<…>, not java.lang.String: write Future<T>", "f();"),
        refused("@RpcProcedure(1) void f();", "must return a Future<…>, not void: write Future<Void>", "f();"),
        refused("@RpcProcedure(1) int f();", "must return a Future<…>, not int: write Future<Integer>", "f();"),
        refused("@RpcProcedure(1) byte[] f();", "must return a Future<…>, not byte[]: write Future<T>", "f();"),
        refused("@SuppressWarnings(\"rawtypes\") @RpcProcedure(1) Future f();",
            "not io.vertx.core.Future: write Future<T>, where T is the type of the result", "f();"),
        refused("@RpcProcedure(1) Future<Thread> f();", "or one of the types in docs/service-proxy.md", "f();"),
        refused("@RpcProcedure(1) Future<?> f();", "cannot cross", "f();"),
        refused("@RpcProcedure(1) Future<Void> f(int a, Thread b);",
            "java.lang.Thread cannot cross", "b);"),
        refused("@RpcProcedure(1) Future<Void> f(List<Thread> a);",
            "java.lang.Thread cannot cross", "a);"),
        refused("@SuppressWarnings(\"rawtypes\") @RpcProcedure(1) Future<Void> f(List a);",
            "raw", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(String[] a);", "cannot cross", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(Set<byte[]> a);", "byte[] equals only itself",
            "a);"),
        refused("@RpcProcedure(1) Future<Void> f(List<Payload> a);", "A Payload can only be",
            "a);"),
        refused("@RpcProcedure(1) Future<Optional<Payload>> f();", "A Payload can only be", "f();"),
        refused("@RpcProcedure(1) <T> Future<Void> f();", "cannot be generic", "f();"),
        refused("Future<Void> f();", "f needs an @RpcProcedure", "f();"),
        refused("@RpcProcedure(0) Future<Void> f();", "NULL procedure", "0) Future"),
        refused("@RpcProcedure(7) Future<Void> a(); @RpcProcedure(7) Future<Void> b();",
            "Procedure 7 is already a()", "7) Future<Void> b"),
        refused("@RpcProcedure(1) default Future<Void> f() { return null; }", "has a body",
            "@RpcProcedure(1) default"),
        refused("@RpcProcedure(1) Future<Void> f(@DirectPlacement String a);",
            "@DirectPlacement belongs on", "@DirectPlacement String"),
        refused("@RpcProcedure(1) Future<Void> f(@DirectPlacement List<Buffer> a);",
            "@DirectPlacement belongs on", "@DirectPlacement List"),
        refused("@RpcProcedure(1) @DirectPlacement Future<Long> f();",
            "@DirectPlacement belongs on", "@DirectPlacement Future"),
        refused("@RpcProcedure(1) @DirectPlacement Future<Void> f();",
            "@DirectPlacement belongs on", "@DirectPlacement Future"),
        refused("@RpcProcedure(1) Future<Payload> f(@Into Payload t);", "@Into needs a result",
            "@Into Payload"),
        refused("@RpcProcedure(1) @DirectPlacement Future<Buffer> f(@Into Payload t);",
            "@Into needs a result", "@Into Payload"),
        refused("@RpcProcedure(1) @DirectPlacement Future<Payload> f(@Into Buffer t);",
            "@Into belongs on a Payload", "@Into Buffer"),
        refused("@RpcProcedure(1) @DirectPlacement Future<Payload> f(@Into Payload a,"
            + " @Into Payload b);", "only go into one", "@Into Payload b"),
        refused("@RpcProcedure(1) @DirectPlacement Future<Payload> f("
            + "@DirectPlacement @Into Payload a);", "cannot be placed", "@DirectPlacement @Into"),
        refused("@RpcProcedure(1) Future<Void> f(@RoutingKey Buffer a);", "not on io.vertx.core.buffer.Buffer",
            "@RoutingKey Buffer"),
        refused("@RpcProcedure(1) Future<Void> f(@RoutingKey double a);", "@RoutingKey belongs on a String",
            "@RoutingKey double"),
        refused("@RpcProcedure(1) Future<Void> f(@RoutingKey int a, @RoutingKey int b);",
            "there is @RoutingKey at a already", "@RoutingKey int b"),
        refused("@RpcProcedure(1) @MaxReply(parameter = \"n\") Future<Buffer> f(int m);",
            "no int or long parameter \"n\"", "\"n\""),
        refused("@RpcProcedure(1) @MaxReply(parameter = \"n\") Future<Buffer> f(String n);",
            "no int or long parameter \"n\"", "\"n\""),
        refused("@RpcProcedure(1) @MaxReply(parameter = \"n\") Future<List<Long>> f(int n);",
            "bounded by a parameter", "\"n\""),
        refused("@RpcProcedure(1) @MaxReply Future<Buffer> f();", "either a value or the name",
            "@MaxReply Future"),
        refused("@RpcProcedure(1) @MaxReply(value = 1, parameter = \"n\") Future<Buffer> f(int n);",
            "either a value or the name", "@MaxReply(value"),
        refused("@RpcProcedure(1) @MaxReply(-1) Future<Buffer> f();", "cannot be negative", "-1"),
        refused("@RpcProcedure(1) Future<Void> f(@MaxLength(-1) String a);", "cannot be negative",
            "-1) String"),
        refused("@RpcProcedure(1) Future<Void> f(@MaxLength(1) long a);",
            "@MaxLength has no meaning for long", "@MaxLength(1) long"),
        refused("@RpcProcedure(1) Future<Void> f(@MaxLength(16) UUID a);",
            "@MaxLength has no meaning for java.util.UUID", "@MaxLength(16) UUID"),
        refused("@RpcProcedure(1) @MaxLength(9) Future<java.math.BigDecimal> f();",
            "@MaxLength has no meaning for java.math.BigDecimal", "@MaxLength(9)"),
        refused("@RpcProcedure(1) Future<Void> f(@DirectPlacement java.math.BigInteger a);",
            "@DirectPlacement belongs on", "@DirectPlacement java"),
        refused("@RpcProcedure(1) Future<Void> f(List<@MaxLength(-1) String> a);", "cannot be negative", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(List<@MaxLength(1) Long> a);",
            "@MaxLength has no meaning for java.lang.Long", "a);"),
        refused("@RpcProcedure(1) Future<@MaxLength(1) Long> f();",
            "@MaxLength has no meaning for java.lang.Long", "f();"),
        refused("@RpcProcedure(1) Future<Void> f(List<@MaxLength(1) byte[]> a);",
            "write it behind, byte @… []", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(@Nullable byte[] a);", "write it behind, byte @… []", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(@Nullable int a);",
            "use java.lang.Integer instead of int", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(@Nullable Payload a);", "send an empty one, or use a Buffer",
            "a);"),
        refused("@RpcProcedure(1) @Nullable Future<Payload> f();", "send an empty one, or use a Buffer", "f();"),
        refused("@RpcProcedure(1) Future<Void> f(@Nullable Optional<String> a);", "leave it empty", "a);"),
        refused("@RpcProcedure(1) Future<@Nullable OptionalInt> f();", "leave it empty", "f();"),
        refused("@RpcProcedure(1) Future<Void> f(Optional<@Nullable String> a);",
            "Optional has no null in it: omit @Nullable", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(Set<@Nullable String> a);", "omit @Nullable", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(Map<@Nullable String, String> a);", "has no null keys", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(@DirectPlacement @Nullable Buffer a);",
            "send an empty one", "@DirectPlacement @Nullable"),
        refused("@RpcProcedure(1) @DirectPlacement Future<@Nullable Buffer> f();", "send an empty one",
            "@DirectPlacement Future"),
        refused("@RpcProcedure(1) Future<Void> f(int[][] a);", "use a List", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(Set<int[]> a);", "int[] equals only itself: use a List", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(List<@MaxLength(1) int[]> a);", "write it behind, int @… []",
            "a);"),
        refused("@RpcProcedure(1) Future<Void> f(SortedSet<Buffer> a);",
            "Buffer has no natural order: make it Comparable, or use a Set", "a);"),
        refused("record R(int i) {} @RpcProcedure(1) Future<NavigableMap<R, String>> f();",
            "R has no natural order: make it Comparable, or use a Map", "f(); }"),
        refused("@RpcProcedure(1) Future<Void> f(TreeSet<String> a);", "java.util.TreeSet<java.lang.String> cannot"
            + " cross", "a);"),
        refused("@RpcProcedure(1) Future<Void> f(ArrayList<String> a);", "use its interface", "a);"),
        refused("enum E { @XdrValue(1) A, B } @RpcProcedure(1) Future<Void> f(E a);",
            "B has no @XdrValue, but other constants have: number all of them or none", "B }"),
        refused("enum E { @XdrValue(1) A, @XdrValue(1) B } @RpcProcedure(1) Future<Void> f(E a);",
            "1 is already the number of A", "1) B"),
        refused("sealed interface S {} record R(int i) implements S {} @RpcProcedure(1) Future<Void> f(S a);",
            "R is permitted by p.X.S, so it needs an @XdrCase", "record R"),
        refused("sealed interface S {} @XdrCase(1) record R(int i) implements S {}"
            + " @XdrCase(1) record T(int i) implements S {} @RpcProcedure(1) Future<Void> f(S a);",
            "1 is already the case of p.X.R", "1) record T"),
        refused("sealed interface S {} @XdrCase(1) final class R implements S {} @RpcProcedure(1)"
            + " Future<Void> f(S a);", "so it must be a record", "class R"),
        refused("sealed interface S {} @XdrCase(1) record R<T>(int i) implements S {} @RpcProcedure(1)"
            + " Future<Void> f(S a);", "so it must be a record that is not generic", "record R<T>"),
        refused("sealed interface S<T> {} @XdrCase(1) record R(int i) implements S<String> {} @RpcProcedure(1)"
            + " Future<Void> f(S<String> a);", "can only cross if it is a record", "a); }"),
        refused("sealed interface S {} @XdrCase(1) record R(S s) implements S {} @XdrCase(2) record T()"
            + " implements S {} @RpcProcedure(1) Future<Void> f(S a);", "contains another of itself",
            "interface S"),
        refused("interface S {} record R(int i) implements S {} @RpcProcedure(1) Future<Void> f(S a);",
            "a sealed interface of records", "a); }"),
        refused("record R<T>(T a) {} @RpcProcedure(1) Future<Void> f(R<Thread> a);",
            "java.lang.Thread cannot cross", "a); }"),
        refused("record R<T>(T a) {} @RpcProcedure(1) Future<Void> f(R<?> a);", "cannot cross", "a); }"),
        refused("record R<T>(T a) {} @SuppressWarnings(\"rawtypes\") @RpcProcedure(1) Future<Void> f(R a);",
            "A raw p.X.R cannot cross", "a); }"),
        refused("record R<T>(T a, Optional<R<List<T>>> b) {} @RpcProcedure(1) Future<Void> f(R<String> a);",
            "contains ever more types", "record R<T>"),
        refused("record R<T>(List<@Nullable T> a) {} @RpcProcedure(1) Future<Void> f(R<String> a);",
            "write it where T gets its argument", "a) {}"),
        refused("record R<T>(List<@MaxLength(1) T> a) {} @RpcProcedure(1) Future<Void> f(R<String> a);",
            "write it where T gets its argument", "a) {}"),
        refused("record R<T>(@MaxLength(1) T a) {} @RpcProcedure(1) Future<Void> f(R<Long> a);",
            "@MaxLength has no meaning for java.lang.Long", "a) {}"),
        refused("record R(int a, Thread b) {} @RpcProcedure(1) Future<Void> f(R a);",
            "java.lang.Thread cannot cross", "b) {}"),
        refused("record R(int a, Payload b) {} @RpcProcedure(1) Future<Void> f(R a);",
            "A Payload can only be", "b) {}"),
        refused("record R(@MaxLength(1) int a) {} @RpcProcedure(1) Future<Void> f(R a);",
            "@MaxLength has no meaning for int", "a) {}"),
        refused("record R(@MaxLength(-1) String a) {} @RpcProcedure(1) Future<Void> f(R a);",
            "cannot be negative", "a) {}"),
        refused("record R() {} @RpcProcedure(1) Future<Void> f(List<R> a);",
            "An XDR struct cannot be empty", "a); }"),
        refused("record R(int i, R r) {} @RpcProcedure(1) Future<Void> f(R a);",
            "contains another of itself", "record R(int"),
        refused("record A(List<B> b, C c) {} record B(A a) {} record C(B b) {}"
            + " @RpcProcedure(1) Future<Void> f(A a);", "contains another of itself", "record A(List"),
        refused("@io.vertx.codegen.annotations.DataObject class D {}"
            + " @RpcProcedure(1) Future<Void> f(D a);", "needs a public constructor", "a); }"));
  }

  @ParameterizedTest
  @MethodSource("methods")
  @DisplayName("R-066: methods that cannot be procedures, such as one that places what is not opaque")
  void refusesMethods(String method, String message, String place) {
    assertRefused(HEAD + "@RpcProgram(number = 1, version = 1) public interface X {\n" + method
        + " }", message, place);
  }

  static Stream<Arguments> interfaces() {
    return Stream.of(
        refused("@RpcProgram(number = 1, version = 1) public class X {}",
            "belongs on an interface", "class X"),
        refused("@RpcProgram(number = 1, version = 1) public interface X<T> {}",
            "cannot be generic", "interface X"),
        refused("@RpcProgram(number = 1, version = 1) interface X {}", "must be public",
            "interface X"),
        refused("class X { @RpcProgram(number = 1, version = 1) public interface Y {} }",
            "must be public", "interface Y"),
        refused("@RpcProgram(number = 1, version = 1, port = 65536) public interface X {}",
            "A port is", "65536"),
        refused("@RpcProgram(number = 1, version = 1, callback = Runnable.class)"
            + " public interface X {}", "java.lang.Runnable is not an @RpcProgram",
            ".class) public"),
        refused("@RpcProgram(number = 1, version = 1) public interface X extends Runnable {}",
            "run needs an @RpcProcedure", "interface X"),
        refused("public class X { @RpcProcedure(1) Future<Void> f() { return null; } }",
            "belongs on methods of an @RpcProgram", "f()"));
  }

  @ParameterizedTest
  @MethodSource("interfaces")
  void refusesInterfaces(String source, String message, String place) {
    assertRefused(HEAD + source, message, place);
  }

  @Test
  void reportsEachMethod() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD
        + "@RpcProgram(number = 1, version = 1) public interface X {\n"
        + "@RpcProcedure(1) int a();\nFuture<Void> b();\n@RpcProcedure(3) Future<Void> c(); }"));
    assertThat(errors(compilation)).extracting(Diagnostic::getLineNumber)
        .containsExactlyInAnyOrder(10L, 11L);
    assertThat(compilation.generated()).isEmpty();
  }

  /** Fails if {@code ProgramReader} or {@code ProcedureReader} ends with the first refusal. */
  @Test
  @DisplayName("A wrong callback, port, parameter and result are told at once")
  void reportsAllOfAnInterface() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD
        + "@RpcProgram(number = 1, version = 1, port = -1, callback = Runnable.class) public interface X {\n"
        + "@RpcProcedure(1) Future<Thread> a(int i, Thread b, Process c);\n@RpcProcedure(2) void d(); }"));
    assertThat(messages(compilation)).containsExactly("A port is 1 to 65535, or 0 for none",
        "java.lang.Runnable is not an @RpcProgram", cannotCross("Thread"), cannotCross("Process"),
        cannotCross("Thread"), "A procedure must return a Future<…>, not void: write Future<Void>");
  }

  /** Fails if {@code StructReader} ends with the first that is refused, or {@code Refusal} moves one alone. */
  @Test
  @DisplayName("All components that cannot cross are told at once, at their places, also of records in records")
  void reportsAllOfARecord() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD
        + "@RpcProgram(number = 1, version = 1) public interface X {\n"
        + "record R(\nThread a,\nint b,\nS c,\n@MaxLength(1) long d) {}\nrecord S(\nProcess e,\nRuntime f) {}\n"
        + "@RpcProcedure(1) Future<Void> f(R a); @RpcProcedure(2) Future<R> g(); }"));
    assertThat(messages(compilation)).containsExactly(cannotCross("Thread"), cannotCross("Process"),
        cannotCross("Runtime"), "@MaxLength has no meaning for long");
    assertThat(errors(compilation)).extracting(Diagnostic::getLineNumber).containsExactly(11L, 16L, 17L, 14L);
  }

  private static String cannotCross(String type) {
    return "java.lang." + type + " cannot cross: use a record, an enum, a sealed interface of records, a data object or"
        + " one of the types in docs/service-proxy.md";
  }

  private static List<String> messages(Compilation compilation) {
    return errors(compilation).stream().map(each -> each.getMessage(null)).toList();
  }

  @Test
  void leavesMissingTypesToTheCompiler() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD
        + "@RpcProgram(number = 1, version = 1, callback = Gone.class) public interface X {\n"
        + "@RpcProcedure(1) Future<Lost> a(Missing b); }"));
    assertThat(errors(compilation)).hasSize(3)
        .allMatch(e -> e.getMessage(null).contains("cannot find symbol"));
  }

  @Test
  void reportsNothingTwice() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD
        + "@RpcProgram(number = 1, version = 1) public interface X {\n"
        + "@RpcProcedure(1) int a(); @RpcProcedure(2) Future<Void> b(Made made); }"),
        new TypeMaker("public record Made(int value) {}"));
    assertThat(errors(compilation)).as(compilation.messages()).hasSize(1);
  }

  private static void assertRefused(String source, String message, String place) {
    Compilation compilation = Compilation.of(Map.of("p.X", source));
    assertThat(compilation.success()).isFalse();
    List<Diagnostic<? extends JavaFileObject>> errors = errors(compilation);
    assertThat(errors).as(compilation.messages()).hasSize(1);
    assertThat(errors.get(0).getMessage(null)).contains(message);
    // Up to the end of the place: a declaration is reported at its name or at its modifiers.
    String from = source.substring((int) errors.get(0).getPosition());
    assertThat(from).as("place of: " + errors.get(0).getMessage(null)).startsWith(place);
  }

  private static List<Diagnostic<? extends JavaFileObject>> errors(Compilation compilation) {
    return compilation.problems().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
        .<Diagnostic<? extends JavaFileObject>>map(d -> d).toList();
  }

  private static Arguments refused(String source, String message, String place) {
    return Arguments.of(source, message, place);
  }
}
