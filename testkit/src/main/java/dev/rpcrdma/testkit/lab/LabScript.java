// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The script {@code lab}, which makes and drives the machine. */
final class LabScript {

  /** The system property that names the script. */
  static final String PROPERTY = "rpcrdma.lab.script";

  private static final Path PLACE = Path.of("testkit", "lab", "lab");

  private final Path script;

  LabScript(Path script) {
    this.script = script;
  }

  /**
   * Finds the script.
   *
   * @param start where to look for it, and above
   * @return the script, if there is one
   */
  static Optional<LabScript> find(Path start) {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable).map(LabScript::new);
    }
    for (Path at = start.toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve(PLACE))) {
        return Optional.of(new LabScript(at.resolve(PLACE)));
      }
    }
    return Optional.empty();
  }

  /**
   * Why the lab cannot run here.
   *
   * @param kernel that it would run with
   * @return the script's words, empty if it can run
   */
  Optional<String> obstacle(LabKernel kernel) {
    LabResult result = start(10, "-k", kernel.series(), "check").await();
    return result.status() == 0 ? Optional.empty() : Optional.of(result.output().strip());
  }

  /**
   * Starts the script, without input and with its output in a file.
   *
   * @param limitSeconds how long it may take
   * @param arguments for it
   * @return the running command
   */
  LabCommand start(long limitSeconds, String... arguments) {
    try {
      Path output = Files.createTempFile("lab", ".out");
      output.toFile().deleteOnExit();
      Process process = builder(arguments).redirectOutput(output.toFile())
          .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null"))).start();
      return new LabCommand(process, output, limitSeconds);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot run " + script, e);
    }
  }

  /**
   * Starts the script with pipes.
   *
   * @param arguments for it
   * @return the process
   * @throws IOException if it cannot be started
   */
  Process startPiped(String... arguments) throws IOException {
    return builder(arguments).start();
  }

  /** Where it is. */
  @Override
  public String toString() {
    return script.toString();
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }
}
