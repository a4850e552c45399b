// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is right, and costs more than it needs to, is noted while it is compiled. */
@Tag("slow")
class NotesTest {

  private static final String HEAD = """
      package p;
      import dev.rpcrdma.api.Payload;
      import dev.rpcrdma.service.*;
      import io.vertx.core.Future;
      import io.vertx.core.buffer.Buffer;
      import java.util.*;
      @RpcProgram(number = 1, version = 1) public interface X {
      """;

  private static Compilation compiled(String methods) {
    return Compilation.of(Map.of("p.X", HEAD + methods + " }"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "Future<String> f();",
      "Future<Buffer> f();",
      "Future<byte[]> f(int length);",
      "Future<Payload> f();",
      "Future<List<Integer>> f();",
      "@MaxLength(10) Future<List<String>> f();",
      "@MaxLength(2147483647) Future<String> f();",
      "Future<Map<Integer, Integer>> f();",
      "Future<Optional<String>> f();",
      "record R(int a, String b) {} @RpcProcedure(2) Future<R> f();"})
  void tellsWhatAResultWithoutABoundReserves(String method) {
    String source = method.startsWith("record") ? method : "@RpcProcedure(1) " + method;
    Compilation compilation = compiled(source);
    // With -Werror, as all compilations of these tests.
    assertThat(compilation.success()).as(compilation.messages()).isTrue();
    assertThat(compilation.problems()).isEmpty();
    assertThat(compilation.notes()).hasSize(1);
    Diagnostic<? extends JavaFileObject> note = compilation.notes().get(0);
    assertThat(note.getMessage(null)).contains("results of f:", "64 KiB", "maxReply", "@MaxReply",
        "CallOptions.withMaxReply");
    assertThat((HEAD + source).substring((int) note.getPosition())).contains("interface X");
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "Future<Void> f(String any);",
      "Future<Long> f(List<String> any);",
      "@MaxLength(10) Future<String> f();",
      "@MaxLength(10) Future<List<Integer>> f();",
      "@MaxReply(100) Future<List<String>> f();",
      "@MaxReply(100) Future<String> f();",
      "@MaxReply(parameter = \"n\") Future<String> f(int n);",
      "@DirectPlacement @MaxReply(100) Future<Buffer> f();",
      "@DirectPlacement Future<Payload> f(@Into Payload target);"})
  void saysNothingWhereTheSizeIsKnown(String method) {
    Compilation compilation = compiled("@RpcProcedure(1) " + method);
    assertThat(compilation.success()).as(compilation.messages()).isTrue();
    assertThat(compilation.notes()).isEmpty();
  }

  /** Fails if each method has a note of its own, of which a large program would have dozens. */
  @Test
  void oneNoteForAProgramAndNoneBesideErrors() {
    List<Diagnostic<? extends JavaFileObject>> notes = compiled("@RpcProcedure(1) Future<String> a();"
        + " @RpcProcedure(3) Future<String> c(); @RpcProcedure(2) Future<String> b();"
        + " @RpcProcedure(4) Future<Void> d();").notes();
    assertThat(notes).hasSize(1);
    assertThat(notes.get(0).getMessage(null)).contains("results of a, b, c:");
    assertThat(compiled("@RpcProcedure(1) Future<String> a(); @RpcProcedure(2) int b();").notes())
        .isEmpty();
  }

  @Test
  void inheritedMethodsAreNotedAtTheProgram() {
    String source = """
        package p; import dev.rpcrdma.service.*; import io.vertx.core.Future;
        interface Base { @RpcProcedure(1) Future<String> f(); }
        @RpcProgram(number = 1, version = 1) public interface X extends Base {}
        """;
    List<Diagnostic<? extends JavaFileObject>> notes =
        Compilation.of(Map.of("p.X", source)).notes();
    assertThat(notes).hasSize(1);
    assertThat(source.substring((int) notes.get(0).getPosition())).contains("interface X")
        .doesNotContain("Future<String> f()").doesNotContain("f();");
  }

  @Test
  void notedOnceThoughReadTwice() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD
        + "@RpcProcedure(1) Future<String> a(Made made); }"), new TypeMaker("public record Made(int value) {}"));
    assertThat(compilation.success()).as(compilation.messages()).isTrue();
    assertThat(compilation.notes()).hasSize(1);
  }

  @Test
  void whatMaxReplySaysIsWhatTheBindingHas() {
    String binding = compiled("""
        @RpcProcedure(1) @MaxReply(100) Future<List<String>> a();
        @RpcProcedure(2) @MaxReply(1000) Future<String> b();
        @RpcProcedure(3) @MaxLength(5) Future<List<Integer>> c();
        @RpcProcedure(4) Future<String> d();
        @RpcProcedure(5) @MaxReply(0) Future<String> e();
        @RpcProcedure(6) @DirectPlacement Future<Buffer> f();
        @RpcProcedure(7) @DirectPlacement @MaxReply(parameter = "n") Future<Buffer> g(int n);
        """).generated().get("p.XRpcBinding");
    assertThat(binding).containsPattern(entry(1, "replyBound\\(100, "))
        .containsPattern(entry(2, "replyBound\\(1004, "))
        .containsPattern(entry(3, "replyBound\\(24, "))
        .containsPattern(entry(4, "ReplyBound.UNPREDICTABLE"))
        .containsPattern(entry(5, "replyBound\\(4, "))
        .containsPattern(entry(6, "ReplyBound.UNPREDICTABLE"))
        .containsPattern(entry(7, "replyBound\\(4, "));
  }

  /** Returns a pattern of the entry of a procedure, alone. */
  private static String entry(int number, String bound) {
    return "Map.entry\\(" + number + ", ((?!Map.entry)[^;])*" + bound;
  }
}
