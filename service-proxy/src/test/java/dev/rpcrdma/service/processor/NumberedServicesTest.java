// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbers of services of the event bus stay as they are, or do not compile. */
@Tag("slow")
class NumberedServicesTest {

  private static final String FILE = "META-INF/rpcrdma/p.X.numbers";
  private static final String HEAD = "program 0x20000001 version 3\n";

  private static Compilation compiled(String methods, String list) {
    return Compilation.ofServices(Map.of("p.X", "package p; import io.vertx.codegen.annotations.*;"
        + " import io.vertx.core.*; import java.util.*; @ProxyGen public interface X { " + methods + " }"),
        Map.of(FILE, list));
  }

  /** All errors, without the compiler's indentation. */
  private static String errors(Compilation compilation) {
    return compilation.problems().stream().map(each -> each.getMessage(null)).collect(Collectors.joining("\n"))
        .replaceAll("\n +", "\n");
  }

  @Test
  @DisplayName("An interface without a list is left alone")
  void withoutList() {
    Compilation compilation = Compilation.ofServices(Map.of("p.X",
        "package p; @io.vertx.codegen.annotations.ProxyGen public interface X { void a(); }"), Map.of());
    assertThat(compilation.success()).isTrue();
    assertThat(compilation.generated()).isEmpty();
  }

  /** Claims the annotation of services, as the event bus's own generator does. */
  private static final class Claiming extends AbstractProcessor {

    private boolean called;

    @Override
    public Set<String> getSupportedAnnotationTypes() {
      return Set.of("io.vertx.codegen.annotations.*");
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
      return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
      called = true;
      return true;
    }
  }

  /** Fails if {@code ProxyGenProcessor} wants to see services alone. */
  @Test
  @DisplayName("A service is found behind a processor that claims its annotation, if there is any other one")
  void claimed() {
    Claiming first = new Claiming();
    Compilation compilation = Compilation.ofServices(Map.of("p.X", "package p; import io.vertx.codegen.annotations.*;"
        + " @ProxyGen public interface X { void a(); @Deprecated interface Other { } }"),
        Map.of(FILE, HEAD + "1 a(): void"), first);
    assertThat(compilation.messages()).isEmpty();
    assertThat(first.called).isTrue();
    assertThat(compilation.generated()).containsKey("p.XRpcBinding");
  }

  @Test
  @DisplayName("Methods without a number do not compile; the error is the lines to append")
  void appended() {
    Compilation compilation = compiled("void a(int x); Future<List<String>> b(String y);",
        HEAD + "removed 4 c(): void\n");
    assertThat(errors(compilation)).isEqualTo(FILE + " has no number for each method; append\n5 a(int): void\n"
        + "6 b(java.lang.String): io.vertx.core.Future<java.util.List<java.lang.String>>");
    assertThat(compilation.generated()).isEmpty();
  }

  @Test
  @DisplayName("A method that is gone, or has changed, does not compile as long as its number is not given up")
  void removed() {
    assertThat(errors(compiled("void a();", HEAD + "1 a(): void\n2 b(int): void"))).isEqualTo(FILE
        + " has numbers for methods that are gone: their numbers stay taken, so write \"removed\" in front of"
        + " \"2 b(int): void\"");
    assertThat(errors(compiled("Future<Void> a();", HEAD + "1 a(): void")))
        .contains("append\n2 a(): io.vertx.core.Future<java.lang.Void>", "in front of \"1 a(): void\"");
    assertThat(compiled("Future<Void> a();", HEAD + "removed 1 a(): void\n2 a(): io.vertx.core.Future<java.lang.Void>")
        .success()).isTrue();
  }

  @Test
  @DisplayName("The methods of objects have numbers in the list of their service")
  void objects() {
    String object = "@ProxyGen interface Y { Future<Y> more(); @ProxyClose void close(); }";
    assertThat(errors(compiled("Future<Y> make(); " + object, HEAD + "1 make(): io.vertx.core.Future<p.X.Y>")))
        .contains("append\n2 p.X.Y.more(): io.vertx.core.Future<p.X.Y>\n3 p.X.Y.close(): void");
    Compilation compilation = compiled("Future<Y> make(); " + object, HEAD
        + "1 make(): io.vertx.core.Future<p.X.Y>\n2 p.X.Y.more(): io.vertx.core.Future<p.X.Y>\n3 p.X.Y.close(): void");
    assertThat(compilation.messages()).isEmpty();
    assertThat(compilation.generated()).containsKeys("p.XRpcProxy", "p.XRpcHandler", "p.XRpcBinding");
  }

  @Test
  @DisplayName("What a service of the event bus cannot have is refused where it is")
  void unfit() {
    assertThat(errors(compiled("Future<Thread> a();", HEAD + "1 a(): io.vertx.core.Future<java.lang.Thread>")))
        .contains("java.lang.Thread cannot cross");
    assertThat(errors(compiled("X a();", HEAD + "1 a(): p.X"))).contains("@Fluent");
    assertThat(errors(compiled("int a();", HEAD + "1 a(): int"))).contains("must return a Future<…>");
    assertThat(errors(compiled("void a();", "prgram 1"))).startsWith(FILE + ", line 1");
    assertThat(errors(compiled("Future<List<X>> a();", HEAD + "1 a(): io.vertx.core.Future<java.util.List<p.X>>")))
        .contains("cannot cross");
  }

  @Test
  @DisplayName("An interface that is a program already has the numbers of its annotations")
  void program() {
    Compilation compilation = Compilation.ofServices(Map.of("p.X", "package p; import dev.rpcrdma.service.*;"
        + " @RpcProgram(number = 1, version = 1) @io.vertx.codegen.annotations.ProxyGen public interface X {"
        + " @RpcProcedure(1) io.vertx.core.Future<Void> a(); }"), Map.of(FILE, "unread"));
    assertThat(compilation.messages()).isEmpty();
  }

  /** Fails if the super interface of a service, or of its objects, is not waited for. */
  @Test
  @DisplayName("A super interface that another processor makes is waited for")
  void madeLater() {
    String list = HEAD + "1 make(): io.vertx.core.Future<p.X.Y>\n2 p.X.Y.f(): void\n";
    for (String extended : new String[] {"extends Made", ""}) {
      Compilation compilation = Compilation.ofServices(Map.of("p.X", "package p; import io.vertx.codegen.annotations.*;"
          + " import io.vertx.core.*; @ProxyGen public interface X " + extended + " { Future<Y> make();"
          + " @ProxyGen interface Y extends Made {} }"),
          Map.of(FILE, extended.isEmpty() ? list : list + "3 f(): void"),
          new TypeMaker("public interface Made { void f(); }"));
      assertThat(compilation.messages()).isEmpty();
      assertThat(compilation.generated()).containsKey("p.XRpcBinding");
    }
  }
}
