// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of other modules: their wire form is that which they have there, or there is none. */
@Tag("slow")
class ClassFilesTest {

  private static final String HOME = "dev.rpcrdma.service.processor.ClassFileRecords.";

  private static Map<String, String> program(String extended, String methods) {
    return Map.of("p.X", "package p; import dev.rpcrdma.service.*; import io.vertx.core.Future;"
        + " @RpcProgram(number = 1, version = 1) public interface X" + extended + " { " + methods + " }");
  }

  private static Map<String, String> sourcesUsing(String record) {
    return program("", "@RpcProcedure(1) Future<Void> f(" + record + " it);");
  }

  private static Compilation using(String record) {
    return Compilation.of(sourcesUsing(HOME + record));
  }

  private static boolean compilerShowsAll() {
    return Runtime.version().feature() >= 22;
  }

  /** Fails if such a record gets the form that it would have without its annotations. */
  @Test
  @DisplayName("What the compiler does not show is refused, with the components and what helps")
  void hidden() {
    Compilation compilation = using("Remarked");
    if (compilerShowsAll()) {
      assertThat(compilation.success()).as(compilation.messages()).isTrue();
      assertThat(compilation.generated().get("p.XRpcBinding")).contains("*remark");
      return;
    }
    assertThat(compilation.success()).isFalse();
    assertThat(compilation.messages()).contains("class file", "@Nullable of lines, remark:", "JDK 22", "together");
  }

  /** Fails if a record is refused whose annotations are seen, or that has none. */
  @Test
  @DisplayName("What the compiler shows is taken")
  void shown() {
    Compilation noted = using("Noted");
    assertThat(noted.success()).as(noted.messages()).isTrue();
    assertThat(noted.generated().get("p.XRpcBinding")).contains("*remark");
    Compilation plain = using("Plain");
    assertThat(plain.success()).as(plain.messages()).isTrue();
    assertThat(plain.generated().get("p.XRpcBinding")).contains("remark<>").doesNotContain("*remark");
  }

  /** Fails if only javac's own classes are asked: build tools wrap them, and would get the other form. */
  @Test
  @DisplayName("A compiler that is wrapped is no way around it")
  void wrapped() {
    Compilation compilation = Compilation.wrapped(sourcesUsing(HOME + "Remarked"));
    assertThat(compilation.success()).as(compilation.messages()).isEqualTo(compilerShowsAll());
    assertThat(Compilation.wrapped(sourcesUsing(HOME + "Plain")).success()).isTrue();
    Map<String, String> together = new TreeMap<>(sourcesUsing("R"));
    together.put("p.R", "package p; public record R(@io.vertx.codegen.annotations.Nullable String remark) {}");
    Compilation compiled = Compilation.wrapped(together);
    assertThat(compiled.success()).as(compiled.messages()).isTrue();
    assertThat(compiled.generated().get("p.XRpcBinding")).contains("*remark");
  }

  /** Fails if methods are taken as the compiler shows them; the second one only if all are refused. */
  @Test
  @DisplayName("Methods that are inherited are refused likewise, unless they are declared again")
  void inherited() {
    Compilation hidden = Compilation.of(program(" extends " + HOME + "Base", ""));
    assertThat(hidden.success()).as(hidden.messages()).isEqualTo(compilerShowsAll());
    if (!compilerShowsAll()) {
      assertThat(hidden.messages()).contains("remarked is inherited", "Base", "declare it here", "JDK 22")
          .doesNotContain("noted is inherited");
    }
    Compilation declared = Compilation.of(program(" extends " + HOME + "Base", "@Override @RpcProcedure(1)"
        + " Future<Void> remarked(int n, java.util.List<@io.vertx.codegen.annotations.Nullable String> lines);"));
    assertThat(declared.success()).as(declared.messages()).isTrue();
    assertThat(declared.generated().get("p.XRpcBinding")).contains("text_optional_t lines<>");
  }

  /**
   * Fails if the module's own output is not looked at, or javac's NullPointerException for it is not caught, or if
   * {@code ClassFiles.read} does not ask whether there is a source.
   */
  @Test
  @DisplayName("A module of which a part was compiled before is a class file, too")
  void ownModule(@TempDir Path output) {
    String info = "module m { requires dev.rpcrdma.service; requires dev.rpcrdma.api; requires io.vertx.codegen.api;"
        + " exports p; }";
    String record = "package p; public record R(int a, @io.vertx.codegen.annotations.Nullable String remark) {}";
    Compilation first = Compilation.ofModule(output, Map.of("module-info", info, "p.R", record));
    assertThat(first.success()).as(first.messages()).isTrue();
    Map<String, String> rest = new TreeMap<>(sourcesUsing("R"));
    rest.put("module-info", info);
    Compilation second = Compilation.ofModule(output, rest);
    assertThat(second.success()).as(second.messages()).isEqualTo(compilerShowsAll());
    if (!compilerShowsAll()) {
      assertThat(second.messages()).contains("@Nullable of remark:");
    }
    rest.put("p.R", "package p; public record R(int a, String remark) {}");
    Compilation withSource = Compilation.ofModule(output, rest);
    assertThat(withSource.success()).as(withSource.messages()).isTrue();
  }

  private static void assertPlaced(Compilation compilation, String... messages) {
    assertThat(compilation.problems()).as(compilation.messages())
        .allSatisfy(each -> assertThat(each.getSource().getName()).isEqualTo("/p/X.java"));
    List<String> said = compilation.problems().stream().map(each -> each.getMessage(null)).toList();
    assertThat(said).hasSameSizeAs(messages);
    for (String message : messages) {
      assertThat(said).anyMatch(each -> each.startsWith(HOME + message));
    }
  }

  /** Fails if {@code Refusal.placed} is not asked by one of the two readers. */
  @Test
  @DisplayName("What a class file has that cannot be is named, and refused at the nearest source")
  void placed() {
    assertPlaced(Compilation.of(program(" extends " + HOME + "Unfit", "")),
        "Unfit.unfit(int,java.lang.Thread), parameter ",
        "Unfit.zero(): Procedure 0");
    assertPlaced(using("Threaded"), "Threaded.thread: java.lang.Thread cannot cross");
    assertPlaced(Compilation.ofServices(Map.of("p.X", "package p; @io.vertx.codegen.annotations.ProxyGen"
        + " public interface X extends " + HOME + "Unfit {}"), Map.of("META-INF/rpcrdma/p.X.numbers",
        "program 1 version 1\n1 unfit(int, java.lang.Thread): io.vertx.core.Future<java.lang.Void>\n"
            + "2 zero(): io.vertx.core.Future<java.lang.Void>")),
        "Unfit.unfit(int,java.lang.Thread), parameter ");
  }

  /** Compiles classes of a package q into a folder, and deletes that of the class Missing. */
  private static void library(Path output, String... sources) {
    List<Path> files = new ArrayList<>();
    try {
      for (String source : sources) {
        Path file = output.resolve(source.replaceAll("(?s).*public \\S+ (\\w+).*", "$1") + ".java");
        files.add(Files.writeString(file, "package q; " + source));
      }
      List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", output.toString(), "-classpath",
          System.getProperty("java.class.path")));
      files.forEach(file -> arguments.add(file.toString()));
      assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0]))).isZero();
      Files.delete(output.resolve("q/Missing.class"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertMissing(Compilation compilation, String user) {
    assertThat(compilation.problems()).as(compilation.messages()).singleElement().satisfies(problem -> {
      assertThat(problem.getSource().getName()).isEqualTo("/p/X.java");
      assertThat(problem.getMessage(null)).isEqualTo(
          user + " names q.Missing, of which there is no class: add its library to the class path");
    });
    assertThat(compilation.success()).isFalse();
  }

  /** Fails if {@code ProgramFiles.round} says nothing in the last round, or names another element. */
  @Test
  @DisplayName("A type that a class file names and that is missing is reported at the interface")
  void missing(@TempDir Path output) {
    library(output, "public interface Missing {}", "public record Sub(int a) implements Missing {}",
        "public record Holder(Missing it) {}",
        "public interface Calls { @dev.rpcrdma.service.RpcProcedure(1) io.vertx.core.Future<Missing> f(); }");
    assertMissing(Compilation.beside(output, sourcesUsing("q.Sub")), "q.Sub");
    assertMissing(Compilation.beside(output, sourcesUsing("q.Holder")), "q.Holder.it");
    assertMissing(Compilation.beside(output, program(" extends q.Calls", "")), "q.Calls.f()");
  }

  /** Fails if {@code ProgramFiles} reports as well what the compiler reports. */
  @Test
  @DisplayName("A type that a source names and that is missing is reported once")
  void missingInSource() {
    Compilation compilation = using("NoSuch");
    assertThat(compilation.problems()).as(compilation.messages()).singleElement()
        .satisfies(problem -> assertThat(problem.getMessage(null)).contains("cannot find symbol"));
  }
}
