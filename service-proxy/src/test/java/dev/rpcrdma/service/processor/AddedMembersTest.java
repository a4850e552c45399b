// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Members that generated code and text have beside those of the interface: no name of the interface is in their way. */
class AddedMembersTest {

  private static final String FILE = "META-INF/rpcrdma/p.X.numbers";
  private static final String HEAD = "program 0x20000001 version 3\n";
  private static final String PROXY_GEN = "package p; @io.vertx.codegen.annotations.ProxyGen public interface ";

  /** Compiles services of the event bus with the numbers that the compiler proposes. */
  private static Compilation services(Map<String, String> sources) {
    String lines = Compilation.ofServices(sources, Map.of(FILE, HEAD)).problems().stream()
        .map(each -> each.getMessage(null)).flatMap(String::lines).map(String::strip)
        .filter(line -> line.matches("\\d+ .*")).collect(Collectors.joining("\n"));
    return Compilation.ofServices(sources, Map.of(FILE, HEAD + lines + "\n"));
  }

  /** Fails if {@code ProxyWriter.fill} does not look what is ignored. */
  @Test
  @DisplayName("An interface may have a toString of its own, which is not called")
  void ignoredToString() {
    Compilation compilation = services(Map.of("p.X", PROXY_GEN + "X { io.vertx.core.Future<Void> f();"
        + " @io.vertx.codegen.annotations.ProxyIgnore String toString(); }"));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
  }

  /** Fails if {@code XdrText.arguments} names the called object as one of its parameters. */
  @Test
  @DisplayName("A method of an object may have a parameter that is called object")
  void objectParameter() {
    Compilation compilation = services(Map.of("p.X", PROXY_GEN + "X { io.vertx.core.Future<O> make(); }",
        "p.O", PROXY_GEN + "O { io.vertx.core.Future<Void> put(String object); }"));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    String text = compilation.generated().get("p.XRpcBinding");
    String struct = text.substring(text.indexOf("struct put_args"));
    assertThat(struct.substring(0, struct.indexOf("};"))).contains(" object2[16]").contains("*object;");
  }
}
