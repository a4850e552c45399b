// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Interfaces that generated code cannot implement or call are refused in the application's source. */
@Tag("slow")
class ImplementableTest {

  private static final String HEAD = "package p; import dev.rpcrdma.service.*; import io.vertx.codegen.annotations.*;"
      + " import io.vertx.core.*; import java.util.*; ";

  private static Compilation program(String source) {
    return Compilation.ofServices(Map.of("p.X", HEAD + "@RpcProgram(number = 1, version = 1) public " + source),
        Map.of());
  }

  private static Compilation service(String body, String list, Map<String, String> others) {
    Map<String, String> sources = new TreeMap<>(others);
    sources.put("p.X", HEAD + "@ProxyGen public " + body);
    return Compilation.ofServices(sources, Map.of("META-INF/rpcrdma/p.X.numbers",
        "program 0x20000001 version 3\n" + list.replace(";", "\n")));
  }

  private static void assertRefused(Compilation compilation, String message) {
    List<String> errors = compilation.problems().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> each.getSource().getName() + ": " + each.getMessage(null)).toList();
    assertThat(errors).as(compilation.messages()).hasSize(1);
    assertThat(errors.get(0)).startsWith("/p/X.java: ").contains(message);
    assertThat(compilation.generated()).isEmpty();
  }

  /** Fails if {@code checkInterface}, {@code MetMethods}, {@code ThrownTypes} or {@code ProxyMembers} is idle. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "sealed interface X permits Y {} non-sealed interface Y extends X {}|An @RpcProgram cannot be sealed",
      "interface X extends A, B {} interface A { @RpcProcedure(1) Future<Void> f(int a); }"
          + " interface B { @RpcProcedure(2) Future<Void> f(int b); }"
          + "|X inherits f(int) from p.A and from p.B: declare it in X again",
      "interface X { @RpcProcedure(1) Future<Void> f() throws Throwable; }"
          + "|f throws java.lang.Throwable, of which its caller cannot hear",
      "interface X { @RpcProcedure(1) Future<Void> finalize(); }|finalize is a method of each object",
      "interface X { @RpcProcedure(1) Future<Void> f(); default Future<Void> clone() { return f(); } }"
          + "|clone is a method of each object: name it otherwise",
      "interface X { @RpcProcedure(1) Future<Void> f();"
          + " default <T extends X> X with(T proxy, dev.rpcrdma.api.CallOptions options) { return this; } }"
          + "|with is a static method of the proxy",
      "interface X { @RpcProcedure(1) Future<Void> f();"
          + " default X with(X proxy, dev.rpcrdma.api.CallOptions options) { return this; } }"
          + "|with is a static method of the proxy"})
  @DisplayName("Programs that cannot be implemented are refused where they are declared")
  void programs(String source, String message) {
    assertRefused(program(source), message);
  }

  /**
   * Fails if {@code ServiceInterface.methodNames} leaves out default methods, or those that are inherited, or {@code
   * ProxyMembers.check} looks at static or private ones, or at names alone.
   */
  @ParameterizedTest
  @ValueSource(strings = {
      "interface X { default long call(int n) { return n; } @RpcProcedure(1) Future<Void> f(); }",
      "interface X extends A { @RpcProcedure(1) Future<Void> f(); }"
          + " interface A extends B {} interface B { default long call(int n) { return n; } }",
      "interface X { @RpcProcedure(1) Future<Void> clone(); }",
      "interface X { @RpcProcedure(1) Future<Void> clone(int a); default void finalize(int a) {} }",
      "interface X { @RpcProcedure(1) Future<Void> f(); static void finalize() {} static void clone() {} }",
      "interface X { @RpcProcedure(1) Future<Void> f(); private void finalize() {} private int clone() { return 1; }"
          + " private X with(X proxy, dev.rpcrdma.api.CallOptions options) { return this; } }",
      "interface X { @RpcProcedure(1) Future<Void> f();"
          + " static X with(X proxy, dev.rpcrdma.api.CallOptions options) { return proxy; } }",
      "interface X { @RpcProcedure(1) Future<Void> f();"
          + " default <T> T with(T proxy, dev.rpcrdma.api.CallOptions options) { return proxy; } }"})
  @DisplayName("A method has the name of a method of the proxy, which does not inherit it or has other parameters")
  void defaultMethods(String source) {
    Compilation compilation = program(source);
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
  }

  /** Fails if {@code WireType.array} or {@code WireType.sum} overflows. */
  @ParameterizedTest
  @ValueSource(strings = {
      "List<@MaxLength(1200000) List<@MaxLength(1200000) List<Long>>>",
      "Map<@MaxLength(1200000) List<@MaxLength(1200000) List<Long>>, @MaxLength(2000000000) String>"})
  @DisplayName("Bounds whose product has more than 64 bits bound nothing")
  void hugeBounds(String type) {
    Compilation compilation =
        program("interface X { @RpcProcedure(1) @MaxLength(1200000) Future<" + type + "> f(); }");
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated().get("p.XRpcBinding")).contains("ReplyBound.UNPREDICTABLE");
  }

  /** Fails if {@code Procedure.placedRoom} has proxies make room that {@code ProxyCall.placedResult} refuses. */
  @ParameterizedTest
  @CsvSource({"2147483631, true", "2147483632, false", "2147483646, false"})
  @DisplayName("A bound beyond all messages makes no room for a placed result, which is pulled instead")
  void hugePlacedResults(int bound, boolean room) {
    for (String annotation : List.of("@MaxReply(" + bound + ")", "@MaxLength(" + bound + ")")) {
      Compilation compilation = program("interface X { @RpcProcedure(1) @DirectPlacement " + annotation
          + " Future<io.vertx.core.buffer.Buffer> f(); }");
      assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
      assertThat(compilation.generated().get("p.XRpcProxy").contains(".placedResult(")).isEqualTo(room);
    }
  }

  /** Fails if services of the event bus, or the interfaces of their objects, are not judged likewise. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "sealed interface X permits Y { void f(); } non-sealed interface Y extends X {}|1 f(): void"
          + "|A @ProxyGen cannot be sealed",
      "interface X { Future<Y> f(); @ProxyGen sealed interface Y permits Z {} non-sealed interface Z extends Y {} }"
          + "|1 f(): io.vertx.core.Future<p.X.Y>|The @ProxyGen interface of an object cannot be sealed",
      "interface X { Future<Y<String>> f(); @ProxyGen interface Y<T> {} }"
          + "|1 f(): io.vertx.core.Future<p.X.Y<java.lang.String>>"
          + "|The @ProxyGen interface of an object cannot be generic",
      "interface X extends A, B {} interface A { void f(); } interface B { void f(); }|1 f(): void"
          + "|X inherits f() from p.A and from p.B",
      "interface X extends A, B { void g(); } interface A { @ProxyIgnore void f(); }"
          + " interface B { @ProxyIgnore void f(); }|1 g(): void|X inherits f() from p.A and from p.B",
      "interface X { void f(); void clone(); }|1 f(): void|clone is a method of each object",
      "interface X { void f(); @ProxyIgnore int clone(); }|1 f(): void|clone is a method of each object",
      "interface X { void f() throws java.io.IOException; }|1 f(): void|f throws java.io.IOException",
      "interface X { void f(); @ProxyIgnore X with(X proxy, dev.rpcrdma.api.CallOptions options); }|1 f(): void"
          + "|with is a static method of the proxy",
      "interface X { Future<Y> f(); @ProxyGen interface Y { @ProxyClose Future<Void> end() throws Exception; } }"
          + "|1 f(): io.vertx.core.Future<p.X.Y>;2 p.X.Y.end(): io.vertx.core.Future<java.lang.Void>"
          + "|end throws java.lang.Exception",
      "interface X { Future<Y> f(); @ProxyGen interface Y { @ProxyClose void end(int a); } }"
          + "|1 f(): io.vertx.core.Future<p.X.Y>;2 p.X.Y.end(int): void|end has @ProxyClose and parameters"})
  @DisplayName("Services of the event bus that cannot be implemented are refused where they are declared")
  void services(String source, String list, String message) {
    assertRefused(service(source, list, Map.of()), message);
  }

  /** Fails if {@code MetMethods.isSame} compares in one direction alone. */
  @ParameterizedTest
  @CsvSource({"List<String>, List", "List, List<String>"})
  @DisplayName("Two super interfaces have one method, of which one has a parameter without type arguments")
  void rawTwins(String one, String other) {
    assertRefused(service("interface X extends A, B { void g(); }"
        + " interface A { @SuppressWarnings(\"rawtypes\") @ProxyIgnore void f(" + one + " a); }"
        + " interface B { @SuppressWarnings(\"rawtypes\") @ProxyIgnore void f(" + other + " a); }", "1 g(): void",
        Map.of()), "X inherits f(java.util.List");
  }

  private static void assertCompiles(Compilation compilation) {
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated()).containsKey("p.XRpcProxy");
  }

  /** Fails if ignored methods are copied without type parameters, or as the super interface declares them. */
  @Test
  @DisplayName("Methods that proxies do not call may be generic, inherited, of variable arity, and throw")
  void ignored() {
    assertCompiles(service("interface X extends A<Integer> { void g();"
        + " @ProxyIgnore <T extends Comparable<T>> List<T> f(T a) throws java.io.IOException; }"
        + " interface A<E> { @ProxyIgnore void put(List<E> a); @ProxyIgnore int all(int... a); }",
        "1 g(): void", Map.of()));
  }

  /** Fails if the proxies of objects are named by simple names. */
  @Test
  @DisplayName("Interfaces of objects may have one simple name")
  void simpleNames() {
    assertCompiles(service("interface X { Future<Y> f(); Future<q.Y> g(); }",
        "1 f(): io.vertx.core.Future<p.Y>;2 g(): io.vertx.core.Future<q.Y>;3 p.Y.end(): void;4 q.Y.end(): void",
        Map.of("p.Y", HEAD + "@ProxyGen public interface Y { @ProxyClose void end(); }",
            "q.Y", HEAD.replace("package p", "package q")
                + "@ProxyGen public interface Y { @ProxyClose void end(); }")));
  }

  /** Fails if {@code HandlerWriter.dispatch} calls the method without saying whose. */
  @Test
  @DisplayName("A method may be called yield, which is a word of the language where it begins a statement")
  void restrictedName() {
    Compilation compilation = program("interface X { @RpcProcedure(1) Future<Integer> yield(int bond); }");
    assertThat(compilation.problems().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR))
        .as(compilation.messages()).isEmpty();
  }
}
