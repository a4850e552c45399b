// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Types of the application may be called as those that generated code names. */
@Tag("slow")
class ShadowedNamesTest {

  /** Simple names of all that generated code names, but those that the sources below need themselves. */
  private static final String[] NAMES = {"BigNumbers", "CallOptions", "Class", "DateTimes", "Dates", "Failures",
      "Function", "Generated", "HashCollections", "Identifiers", "IllegalArgumentException", "Integer", "JsonArray",
      "JsonObject", "NoTarget", "Object", "Objects", "OptionalInt", "Optionals", "Override", "PrimitiveArrays",
      "ProcedureBinding", "ProxyCall", "RemoteObject", "ReplyBound", "RpcCall", "RpcCaller", "RpcService", "HandlerCall",
      "ServedObjects", "ServiceBinding", "SortedCollections", "String", "SuppressWarnings", "Times",
      "UnsupportedOperationException", "UpperLayerBinding", "ValueReader", "ValueWriter", "XRpcBinding", "XRpcCodecs",
      "XRpcHandler", "XRpcProxy", "XdrEncoder", "Zones"};

  /** A parameter of each type that generated code has a class for. */
  private static final String METHODS = """
      @dev.rpcrdma.service.RpcProcedure(1) io.vertx.core.Future<java.util.List<java.lang.String>> library(
          java.time.LocalDate date, java.time.Instant instant, java.time.ZoneId zone, java.time.LocalDateTime time,
          java.util.OptionalInt optional, java.util.UUID id, java.math.BigInteger number, int[] array,
          java.util.Set<java.lang.Integer> set, java.util.SortedSet<java.lang.String> sorted,
          io.vertx.core.json.JsonObject json, @dev.rpcrdma.service.RoutingKey java.lang.String key);
      @dev.rpcrdma.service.RpcProcedure(2) @dev.rpcrdma.service.DirectPlacement
      io.vertx.core.Future<dev.rpcrdma.api.Payload> place(@dev.rpcrdma.service.Into dev.rpcrdma.api.Payload target);
      """;

  private static String program(String head, String methods) {
    return "package p; @dev.rpcrdma.service.RpcProgram(number = 1, version = 1) public interface X " + head + " { "
        + methods + " }";
  }

  private static void assertCompiles(Map<String, String> sources) {
    Compilation compilation = Compilation.of(sources);
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated()).containsKeys("p.XRpcProxy", "p.XRpcHandler", "p.XRpcBinding");
  }

  /** Records called so, as members or types of their own, and methods that take each of them. */
  private static String records(String... names) {
    return Arrays.stream(names).map(name -> "record " + name + "(int value) {}").collect(Collectors.joining("\n"));
  }

  private static String uses(String home, String... names) {
    return "@dev.rpcrdma.service.RpcProcedure(3) io.vertx.core.Future<java.lang.Void> use(" + Arrays.stream(names)
        .map(name -> home + "." + name + " a" + name).collect(Collectors.joining(", ")) + ");";
  }

  /** Fails if {@code ProxyWriter} imports what a member of the interface hides. */
  @Test
  @DisplayName("Members of the interface may be called as the types that generated code names")
  void members() {
    assertCompiles(Map.of("p.X", program("", METHODS + records(NAMES) + uses("X", NAMES))));
  }

  /** Fails if only the interface's own members are looked at. */
  @Test
  @DisplayName("So may the members that the interface inherits")
  void inheritedMembers() {
    assertCompiles(Map.of("p.X", program("extends q.Base", METHODS + uses("q.Base", NAMES)),
        "q.Base", "package q; public interface Base { " + records(NAMES) + " }"));
  }

  /** Fails if {@code ProgramFiles} leaves imports of {@code java.lang} out. */
  @Test
  @DisplayName("So may other types of its package")
  void neighbours() {
    String[] names = Arrays.stream(NAMES).filter(name -> !name.startsWith("XRpc")).toArray(String[]::new);
    Map<String, String> sources = new TreeMap<>();
    Arrays.stream(names).forEach(name -> sources.put("p." + name, "package p; public " + records(name)));
    sources.put("p.X", program("", METHODS + uses("p", names)));
    assertCompiles(sources);
  }

  /** Fails if {@code ProxyWriter.qualify} leaves out constants, or those that are inherited. */
  @Test
  @DisplayName("Constants of the interface, and those that it inherits, may be called so")
  void constants() {
    String constants = Arrays.stream(NAMES).map(name -> "int " + name + " = 1; ").collect(Collectors.joining());
    assertCompiles(Map.of("p.X", program("", METHODS + constants)));
    assertCompiles(Map.of("p.X", program("extends q.Base", METHODS),
        "q.Base", "package q; public interface Base { " + constants + " }"));
  }

  /** Fails if {@code ProxyWriter} or {@code HandlerWriter} leaves {@code Sources.qualifyParameters} out. */
  @Test
  @DisplayName("Parameters may be called so")
  void parameters() {
    assertCompiles(Map.of("p.X", program("", Arrays.stream(NAMES).map(name -> "java.lang.String " + name)
        .collect(Collectors.joining(", ", "@dev.rpcrdma.service.RpcProcedure(1) io.vertx.core.Future<p.R> use(",
            ", p.R r, java.util.Set<java.lang.Integer> set, int[] array, java.util.UUID id);"))),
        "p.R", "package p; public record R(int a) {}"));
  }

  /** Fails if the proxies of objects, which are classes within the proxy, import what members hide. */
  @Test
  @DisplayName("Interfaces of objects may have types and constants that are called so")
  void objects() {
    String members = Arrays.stream(NAMES).map(name -> "int " + name + " = 1; record " + name + "(int value) {} ")
        .collect(Collectors.joining());
    for (String where : List.of("p.X", "p.Y")) {
      Map<String, String> sources = Map.of("p.X", "package p; @io.vertx.codegen.annotations.ProxyGen"
          + " public interface X { io.vertx.core.Future<Y> f(int Objects); " + (where.equals("p.X") ? members : "")
          + "}", "p.Y", "package p; @io.vertx.codegen.annotations.ProxyGen public interface Y {"
          + " io.vertx.core.Future<java.lang.Void> g(java.lang.String RemoteObject, java.lang.String Integer); "
          + (where.equals("p.Y") ? members : "") + "}");
      Compilation compilation = Compilation.ofServices(sources, Map.of("META-INF/rpcrdma/p.X.numbers",
          "program 0x20000001 version 3\n1 f(int): io.vertx.core.Future<p.Y>\n"
              + "2 p.Y.g(java.lang.String, java.lang.String): io.vertx.core.Future<java.lang.Void>\n"));
      assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    }
  }

  /** Fails if types of the same package are named as if members of the interface did not hide them. */
  @Test
  @DisplayName("A member may hide a type of the package that a method uses, and the class that a type is within")
  void membersHideNeighbours() {
    assertCompiles(Map.of("p.X", program("", records("Item", "Box") + uses("X", "Item", "Box")
        + "@dev.rpcrdma.service.RpcProcedure(4) io.vertx.core.Future<p.Item> other(java.util.List<p.Item> items,"
        + " java.util.Map<java.lang.String, q.Box.Kind> boxes);"),
        "p.Item", "package p; public record Item(java.lang.String text) {}",
        "q.Box", "package q; public class Box { public enum Kind { A } }"));
  }
}
