// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.rpcgen;

import dev.rpcrdma.testkit.lab.DebianTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** rpcgen and gcc, run in a folder. */
final class RpcGen {

  private static final Path HEADERS = Path.of("/usr/include/tirpc");

  private final Path folder;

  RpcGen(Path folder) {
    this.folder = folder;
  }

  /** Makes a client's header, XDR routines and stubs. */
  void rpcgen(String text, String base) throws IOException, InterruptedException {
    Files.writeString(folder.resolve(base + ".x"), text);
    for (String[] file : new String[][] {{"-h", ".h"}, {"-c", "_xdr.c"}, {"-l", "_clnt.c"}}) {
      run("rpcgen", "-C", file[0], "-o", base + file[1], base + ".x");
    }
  }

  /** Compiles and links. Files that rpcgen has made have variables that nothing uses. */
  void gcc(String program, String... sources) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Wno-unused-variable", "-Werror", "-O1",
        "-I" + HEADERS, "-o", program));
    command.addAll(List.of(sources));
    command.add("-ltirpc");
    DebianTools.run(folder, command);
  }

  /** What a program of the folder prints. */
  String run(String... command) throws IOException, InterruptedException {
    return DebianTools.run(folder, List.of(command));
  }
}
