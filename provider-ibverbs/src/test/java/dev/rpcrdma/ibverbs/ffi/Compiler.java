// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import dev.rpcrdma.testkit.lab.DebianTools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** gcc, and rdma-core's own headers: whatever a test believes of them is checked by them. */
final class Compiler {

  private Compiler() {}

  /** Skips the test if this machine has none; fails it if that is not allowed. */
  static void assume() {
    DebianTools.assume(List.of("gcc"),
        List.of(Path.of("/usr/include/infiniband/verbs.h"), Path.of("/usr/include/rdma/rdma_cma.h")),
        "gcc libc6-dev libibverbs-dev librdmacm-dev");
  }

  /** Compiles a file; the result has its name without the ending. */
  static Path compile(Path source, String... options) throws IOException, InterruptedException {
    Path result = source.resolveSibling(source.getFileName().toString().replace(".c", ""));
    List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Werror", "-O1", "-o", result.toString()));
    command.addAll(List.of(options));
    command.add(source.toString());
    DebianTools.run(source.getParent(), command);
    return result;
  }
}
