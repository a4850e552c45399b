// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.service.fixture.BlobStore;
import dev.rpcrdma.service.fixture.Echo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is generated compiles without a warning, is always the same, and reads well. */
@Tag("slow")
class GeneratedSourceTest {

  private static final String STORE = """
      package p;
      import dev.rpcrdma.api.Payload;
      import dev.rpcrdma.service.*;
      import io.vertx.core.Future;
      import java.util.*;
      @RpcProgram(number = 0xf0000001, version = 1)
      public interface Store {
        @RpcProcedure(2) @DirectPlacement Future<Payload> get(String name, @Into Payload target);
        @RpcProcedure(1) Future<Long> put(String name, @DirectPlacement Payload content);
        record Item(String name, Map<String, List<Optional<Item>>> more) {}
        @RpcProcedure(3) @ReadOnly Future<List<Item>> list();
        @RpcProcedure(4) @Idempotent Future<Void> remove(String name);
        @RpcProcedure(5) @ReadOnly @Idempotent Future<Long> count();
      }
      """;

  @Test
  void compilesWithoutWarnings() {
    Compilation compilation = Compilation.of(Map.of("p.Store", STORE));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.success()).isTrue();
    assertThat(compilation.generated()).containsOnlyKeys("p.StoreRpcBinding", "p.StoreRpcCodecs",
        "p.StoreRpcHandler", "p.StoreRpcProxy");
    assertThat(compilation.generated().values()).allMatch(s -> s.contains("@Generated("));
  }

  @Test
  void ordersProceduresByUnsignedNumbers() {
    Map<String, String> generated = Compilation.of(Map.of("p.X", """
        package p;
        import dev.rpcrdma.service.*;
        import io.vertx.core.Future;
        @RpcProgram(number = 0xf0000001, version = 1, callback = void.class)
        public interface X {
          @RpcProcedure(0x80000001) Future<Void> last();
          @RpcProcedure(2) Future<Void> first();
        }
        """)).generated();
    assertThat(generated.get("p.XRpcBinding")).containsSubsequence("Map.entry(2,", "Map.entry(-2147483647,");
    assertThat(generated.get("p.XRpcProxy")).containsSubsequence(" first(", " last(");
  }

  @Test
  void saysWhichProceduresMayBeExecutedAgain() {
    String binding =
        Compilation.of(Map.of("p.Store", STORE)).generated().get("p.StoreRpcBinding");
    assertThat(binding.split("asIdempotent", -1)).hasSize(2);
    assertThat(binding.split("asReadOnly", -1)).hasSize(3);
    String entry = "Map.entry\\(%d, ((?!Map.entry)[^;])*\\.%s\\(\\)\\)";
    assertThat(binding).containsPattern(entry.formatted(3, "asReadOnly"))
        .containsPattern(entry.formatted(4, "asIdempotent"))
        .containsPattern(entry.formatted(5, "asReadOnly"));
  }

  @Test
  void isAlwaysTheSame() {
    assertThat(Compilation.of(Map.of("p.Store", STORE)).generated())
        .isEqualTo(Compilation.of(Map.of("p.Store", STORE)).generated());
  }

  @Test
  void servesNestedDeprecatedAndInheritingInterfaces() {
    Compilation compilation = Compilation.of(Map.of("p.Outer", """
        package p;
        import dev.rpcrdma.service.*;
        import io.vertx.core.Future;
        public class Outer {
          public interface Base<T> {
            @RpcProcedure(1) Future<T> first(T value) throws java.io.IOException;
          }
          @Deprecated @RpcProgram(number = 1, version = 1, callback = Calls.class)
          public interface Calls extends Base<String> {
            @RpcProcedure(2) Future<Void> second(byte... values);
          }
        }
        """));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated()).containsKey("p.Outer$CallsRpcBinding");
  }

  @Test
  void twoProgramsShareARecordAndASimpleNameHasTwoOwners() {
    Compilation compilation = Compilation.of(Map.of(
        "p.One", program("One", "Future<q.Item> f(Item own);"),
        "p.Two", program("Two", "Future<Item> f(q.Item other);"),
        "p.Item", "package p; public record Item(int a) {}",
        "q.Item", "package q; public record Item(String b) {}"));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated().get("p.OneRpcBinding"))
        .contains("\"struct Item {\"").contains("\"struct Item_2 {\"");
  }

  @Test
  void waitsForTypesOfOtherProcessors() {
    Compilation compilation = Compilation.of(
        Map.of("p.Late", program("Late", "Future<Made> f(Made value);")),
        new TypeMaker("public record Made(int value) {}"));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated()).containsKeys("p.Made", "p.LateRpcBinding");
  }

  /** Fails if {@code SuperTypes} does not wait for one of these, at any depth. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "public interface Made { @dev.rpcrdma.service.RpcProcedure(1) io.vertx.core.Future<Void> f(); }"
          + "|extends Base|} interface Base extends Made {",
      "public class Made { public io.vertx.core.json.JsonObject toJson() { return null; } }"
          + "||@io.vertx.codegen.annotations.DataObject class D extends Made {"
          + " public D(io.vertx.core.json.JsonObject j) {} } @RpcProcedure(1) Future<Void> f(D value);",
      "public interface Made extends Comparable<Made> {}"
          + "||record K(int a) implements Made { public int compareTo(Made o) { return 0; } }"
          + " @RpcProcedure(1) Future<Void> f(java.util.SortedSet<K> value);"})
  void waitsForSuperTypesOfOtherProcessors(String made, String head, String body) {
    Compilation compilation = Compilation.ofServices(Map.of("p.X", "package p; import dev.rpcrdma.service.*;"
        + " import io.vertx.core.Future; @RpcProgram(number = 1, version = 1) public interface X "
        + (head == null ? "" : head) + " { " + body + " }"), Map.of(), new TypeMaker(made));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated().get("p.XRpcProxy")).contains(" f(");
  }

  @ParameterizedTest
  @CsvSource({
      "UUID, 16", "java.net.@MaxLength(9) URI, 16", "java.math.BigInteger, 4100", "java.math.BigDecimal, 4104",
      "OptionalInt, 8", "OptionalLong, 12", "OptionalDouble, 12", "Instant, 12", "Duration, 12", "LocalDate, 12",
      "LocalTime, 8", "LocalDateTime, 20", "OffsetTime, 12", "OffsetDateTime, 24", "ZonedDateTime, 92", "Year, 4",
      "YearMonth, 8", "MonthDay, 8", "Period, 12", "ZoneId, 68", "ZoneOffset, 4", "DayOfWeek, 4",
      "@Nullable Long, 12", "@Nullable @MaxLength(9) String, 20", "int @MaxLength(3) [], 16",
      "double @MaxLength(3) [], 28", "@MaxLength(3) Collection<Long>, 28", "@MaxLength(3) SortedSet<Long>, 28",
      "E, 4", "S, 16", "G<Long>, 8", "G<@MaxLength(1) String>, 8",
  })
  void knowsHowLargeResultsGet(String type, int most) {
    Compilation compilation = Compilation.of(Map.of("p.X", """
        package p; import dev.rpcrdma.service.*; import io.vertx.core.Future; import java.time.*; import java.util.*;
        import io.vertx.codegen.annotations.Nullable;
        @RpcProgram(number = 1, version = 1) public interface X {
          enum E { @XdrValue(5) A }
          sealed interface S {}
          @XdrCase(1) record One(int a) implements S {}
          @XdrCase(2) record Two(int a, long b) implements S {}
          record G<T>(T t) {}
          @RpcProcedure(1) Future<%s> f(List<%s> value);
        }
        """.formatted(type, type)));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated().get("p.XRpcBinding")).contains("replyBound(" + most + ",");
  }

  @Test
  void describesThePrograms() throws IOException {
    assertThat(ServiceBinding.of(BlobStore.class).interfaceDefinition())
        .isEqualTo(golden("BlobStore.x"));
    assertThat(ServiceBinding.of(Echo.class).interfaceDefinition()).isEqualTo(golden("Echo.x"));
  }

  private static String program(String name, String method) {
    return "package p; import dev.rpcrdma.service.*; import io.vertx.core.Future;"
        + " @RpcProgram(number = 1, version = 1) public interface " + name
        + " { @RpcProcedure(1) " + method + " }";
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = GeneratedSourceTest.class.getResourceAsStream("/golden/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
