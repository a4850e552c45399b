// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Records of other modules: their wire form is that which they have there, or there is none. */
class ClassFilesTest {

  private static final String HOME = "dev.rpcrdma.service.processor.ClassFileRecords.";

  private static Compilation using(String record) {
    return Compilation.of(Map.of("p.X", "package p; import dev.rpcrdma.service.*; import io.vertx.core.Future;"
        + " @RpcProgram(number = 1, version = 1) public interface X { @RpcProcedure(1) Future<Void> f(" + HOME + record
        + " it); }"));
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
}
