// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rpcrdma.testkit.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
    assertThat(run(Path.of("/proc"), CLASS_PATH, "-Djava.io.tmpdir=" + none)).startsWith(TAKEN).containsPattern(
        "ibverbs: jnr-ffi cannot unpack and load its native part in java.io.tmpdir, " + none + ": .*"
            + "'-Djava.io.tmpdir=FOLDER'").satisfies(ProviderChoiceTest::twice);
  }

  /** Fails if {@code NativeAccess.problem} does not know a refusal. */
  @Test
  @DisplayName("A Java that refuses native code")
  void refused() throws Exception {
    assumeTrue(Runtime.version().feature() >= REFUSES, "This Java refuses none");
    assertThat(run(folder, CLASS_PATH, "--illegal-native-access=deny")).startsWith(TAKEN)
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
    assertThat(run(folder, without)).startsWith(TAKEN)
        .containsPattern("ibverbs: jnr-ffi is not on the class path, .* is missing\\. Add com\\.github\\.jnr:jnr-ffi")
        .satisfies(ProviderChoiceTest::twice);
  }

  /** Whoever asks again is told the same. */
  private static void twice(String said) {
    String half = said.substring(0, said.length() / 2);
    assertThat(said).isEqualTo(half + half);
  }

  /** What a JVM says that ends well. */
  private String run(Path directory, String classPath, String... options) throws IOException {
    Path errors = folder.resolve("errors");
    try (ChildProcess process = ChildProcess.java(List.of(options), classPath, Choice.class).directory(directory)
        .without("TMPDIR").errors(ProcessBuilder.Redirect.to(errors.toFile())).start()) {
      assertThat(process.await()).as(Files.readString(errors)).isZero();
      return process.output();
    }
  }
}
