// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of sorted collections are comparable with each other. */
@Tag("slow")
class NaturalOrderTest {

  /** Fails if {@code ContainerReader} asks for {@code Comparable<K>} itself, or for any {@code Comparable}. */
  @ParameterizedTest
  @CsvSource({"Comparable<K>, K, true", "Ranked, Ranked, true", "Comparable<Object>, Object, true",
      "Comparable<String>, String, false"})
  @DisplayName("A key is comparable with keys if it is so with a super type of them, and with nothing else")
  void comparable(String implemented, String compared, boolean accepted) {
    Compilation compilation = Compilation.of(Map.of("p.X", "package p; import dev.rpcrdma.service.*;"
        + " @RpcProgram(number = 1, version = 1) public interface X { interface Ranked extends Comparable<Ranked> {}"
        + " record K(int a) implements " + implemented + " { public int compareTo(" + compared + " o) { return 0; } }"
        + " @RpcProcedure(1) io.vertx.core.Future<Void> f(java.util.SortedSet<K> a); }"));
    assertThat(compilation.success()).as(compilation.messages()).isEqualTo(accepted);
    if (!accepted) {
      assertThat(compilation.messages()).contains("p.X.K has no natural order: make it Comparable, or use a Set");
    }
  }
}
