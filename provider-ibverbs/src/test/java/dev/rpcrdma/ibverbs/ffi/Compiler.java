package dev.rpcrdma.ibverbs.ffi;

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

/** gcc, and rdma-core's own headers: whatever a test believes of them is checked by them. */
final class Compiler {

  private static final int SECONDS = 60;

  private Compiler() {}

  /** Skips the test if this machine has none; fails it if that is not allowed. */
  static void assume() {
    List<String> missing = new ArrayList<>();
    if (Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .noneMatch(folder -> Files.isExecutable(Path.of(folder, "gcc")))) {
      missing.add("gcc");
    }
    if (!Files.exists(Path.of("/usr/include/infiniband/verbs.h"))) {
      missing.add("libibverbs-dev");
    }
    if (!Files.exists(Path.of("/usr/include/rdma/rdma_cma.h"))) {
      missing.add("librdmacm-dev");
    }
    if (missing.isEmpty()) {
      return;
    }
    String reason = "No " + String.join(", no ", missing) + " here: apt-get install gcc libc6-dev libibverbs-dev"
        + " librdmacm-dev";
    if (LabExtension.required()) {
      throw new AssertionError(reason);
    }
    System.out.println("A test of rdma-core's layouts is skipped. " + reason);
    Assumptions.abort(reason);
  }

  /** Compiles a file; the result has its name without the ending. */
  static Path compile(Path source, String... options) throws IOException, InterruptedException {
    Path result = source.resolveSibling(source.getFileName().toString().replace(".c", ""));
    List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Werror", "-O1", "-o", result.toString()));
    command.addAll(List.of(options));
    command.add(source.toString());
    run(source.getParent(), command);
    return result;
  }

  /** What a program prints. */
  static String run(Path folder, List<String> command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(output.toFile()).start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError(String.join(" ", command) + " failed: " + Files.readString(output));
    }
    return Files.readString(output);
  }
}
