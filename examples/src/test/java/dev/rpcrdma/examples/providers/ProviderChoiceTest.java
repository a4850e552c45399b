// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs in which {@code ibverbs} is on the class path, and cannot work: each takes {@code siw}, and says why. */
class ProviderChoiceTest {

  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String TAKEN = "taken: siw\n";
  /** The first version that may refuse native code. */
  private static final int REFUSES = 24;

  @TempDir
  private Path folder;

  /** Fails if {@code Examination.run} lets errors of linking through. */
  @Test
  @DisplayName("Without a folder for temporary files, jnr-ffi cannot unpack its native part")
  void temporaryFolder() throws Exception {
    Path none = Files.createFile(folder.resolve("no-folder"));
    // The folder that jnr-ffi tries next is the one it runs in, where nobody writes.
    assertThat(run(new File("/proc"), CLASS_PATH, "-Djava.io.tmpdir=" + none)).startsWith(TAKEN).containsPattern(
        "ibverbs: jnr-ffi cannot unpack and load its native part in java.io.tmpdir, " + none + ": .*"
            + "'-Djava.io.tmpdir=FOLDER'").satisfies(ProviderChoiceTest::twice);
  }

  /** Fails if {@code NativeAccess.problem} does not know a refusal. */
  @Test
  @DisplayName("A Java that refuses native code")
  void refused() throws Exception {
    assumeTrue(Runtime.version().feature() >= REFUSES, "This Java refuses none");
    assertThat(run(folder.toFile(), CLASS_PATH, "--illegal-native-access=deny")).startsWith(TAKEN)
        .containsPattern("ibverbs: Java does not let jnr-ffi load its native part.*"
            + "'--enable-native-access=ALL-UNNAMED'")
        .satisfies(ProviderChoiceTest::twice);
  }

  /** Fails if {@code NativeAccess.problem} does not tell a class that is missing from one that has failed. */
  @Test
  @DisplayName("A class path without the jars of jnr-ffi")
  void missing() throws Exception {
    String without = Arrays.stream(CLASS_PATH.split(File.pathSeparator))
        .filter(each -> !each.matches(".*/(?:jnr-|jffi-)[^/]*\\.jar")).collect(Collectors.joining(File.pathSeparator));
    assertThat(without).isNotEqualTo(CLASS_PATH);
    assertThat(run(folder.toFile(), without)).startsWith(TAKEN)
        .containsPattern("ibverbs: jnr-ffi is not on the class path, .* is missing\\. Add com\\.github\\.jnr:jnr-ffi")
        .satisfies(ProviderChoiceTest::twice);
  }

  /** Whoever asks again is told the same. */
  private static void twice(String said) {
    String half = said.substring(0, said.length() / 2);
    assertThat(said).isEqualTo(half + half);
  }

  /** What a JVM says that ends well. */
  private String run(File directory, String classPath, String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath, Choice.class.getName()));
    Path said = folder.resolve("said");
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(said.toFile())
        .redirectError(folder.resolve("errors").toFile());
    builder.directory(directory).environment().remove("TMPDIR");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("errors"))).isZero();
    return Files.readString(said);
  }
}
