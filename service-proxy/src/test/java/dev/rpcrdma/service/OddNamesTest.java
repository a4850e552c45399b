// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.service.fixture.OddNames;
import dev.rpcrdma.testkit.lab.DebianTools;
import dev.rpcrdma.testkit.lab.NeedsTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs whose names C knows. */
@DisplayName("The .x text of odd names")
final class OddNamesTest {

  private final String text = ServiceBinding.of(OddNames.class).interfaceDefinition();

  /** Fails if members become one, or a constant and a type. */
  @Test
  @DisplayName("Names that differ in Java differ in the text")
  void differ() {
    assertThat(text).contains("int a_u0024b_;\n  int a_b_;\n  int bool_;\n  int bool__;\n  int gr_u00f6n_;\n"
        + "  int gr_u00fcn_;\n  int x_x_;\n  int xx_x_;\n");
    assertThat(text).contains("enum AF_ {\n  AF__INET = 0,\n").contains("struct AF_INET_ {");
  }

  /** Fails if a name of the text is a keyword, a macro or a type of C. */
  @Test
  @NeedsTools(programs = {"rpcgen", "gcc"}, files = "/usr/include/tirpc/rpc/rpc.h",
      packages = "rpcsvc-proto libtirpc-dev gcc libc6-dev")
  @DisplayName("What rpcgen makes of it compiles")
  void compiles(@TempDir Path folder) throws IOException, InterruptedException {
    Files.writeString(folder.resolve("odd.x"), text);
    for (String[] file : new String[][] {{"-h", "odd.h"}, {"-c", "odd_xdr.c"}, {"-l", "odd_clnt.c"}}) {
      DebianTools.run(folder, List.of("rpcgen", "-C", file[0], "-o", file[1], "odd.x"));
    }
    DebianTools.run(folder, List.of("gcc", "-std=gnu17", "-I/usr/include/tirpc", "-fsyntax-only", "odd_xdr.c",
        "odd_clnt.c"));
  }
}
