// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import dev.rpcrdma.testkit.lab.DebianTools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles C with gcc and rdma-core's own headers. Tests that call it carry {@link
 * dev.rpcrdma.ibverbs.NeedsRdmaHeaders}.
 */
final class Compiler {

  private Compiler() {}

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
