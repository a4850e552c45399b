package dev.rpcrdma.examples.rpcgen;

import dev.rpcrdma.testkit.lab.LabExtension;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Programs of Debian's packages rpcsvc-proto, libtirpc-dev and gcc, run in a folder. */
final class CTools {

  private static final Path HEADERS = Path.of("/usr/include/tirpc");
  private static final long MINUTES = 1;

  private final Path folder;

  CTools(Path folder) {
    this.folder = folder;
  }

  /** Skips the test if this machine lacks a tool; fails it if that is not allowed. */
  static void assume() {
    List<String> missing = new ArrayList<>();
    for (String program : List.of("rpcgen", "gcc")) {
      if (Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
          .noneMatch(folder -> Files.isExecutable(Path.of(folder, program)))) {
        missing.add(program);
      }
    }
    if (!Files.exists(HEADERS.resolve("rpc/rpc.h"))) {
      missing.add("libtirpc-dev");
    }
    if (missing.isEmpty()) {
      return;
    }
    String reason = "No " + String.join(", no ", missing)
        + " here: apt-get install rpcsvc-proto libtirpc-dev gcc libc6-dev";
    if (LabExtension.required()) {
      throw new AssertionError(reason);
    }
    System.out.println("The C client's test is skipped. " + reason);
    Assumptions.abort(reason);
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
    run(command.toArray(new String[0]));
  }

  /** What a program of the folder prints. */
  String run(String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(output.toFile()).start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError(String.join(" ", command) + " does not end: " + Files.readString(output));
      }
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(String.join(" ", command) + " failed: " + Files.readString(output));
    }
    return Files.readString(output);
  }
}
