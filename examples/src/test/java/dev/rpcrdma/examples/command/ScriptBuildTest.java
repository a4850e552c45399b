// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.NeedsTools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code rpcrdma} when it decides whether to build; Maven and Java are scripts that say their names. */
@NeedsTools(programs = "sh", packages = "dash")
@Timeout(60)
class ScriptBuildTest {

  private static final FileTime BEFORE = FileTime.fromMillis(1_000_000_000_000L);
  private static final FileTime BUILT = FileTime.fromMillis(1_100_000_000_000L);
  private static final FileTime AFTER = FileTime.fromMillis(1_200_000_000_000L);

  @TempDir
  private Path folder;

  private static Path executable(Path file, String text) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @BeforeEach
  void project() throws Exception {
    executable(folder.resolve("home/rpcrdma"), Files.readString(Path.of("../rpcrdma")));
    String started = "tools/src/main/dist/bin/rpcrdma";
    executable(folder.resolve("home/" + started), Files.readString(Path.of("../" + started)));
    for (String name : new String[] {"mvn", "java"}) {
      executable(folder.resolve("bin/" + name), "#!/bin/sh\necho " + name + " \"$@\"\n");
    }
    for (String file : new String[] {"pom.xml", "api/pom.xml", "api/src/main/java/a/b/A.java",
        "consumer/src/it/hello/src/main/java/hello/Main.java", "examples/target/rpcrdma.built"}) {
      Path path = folder.resolve("home/" + file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, file);
    }
    try (Stream<Path> all = Files.walk(folder.resolve("home"))) {
      for (Path each : all.toList()) {
        Files.setLastModifiedTime(each, BEFORE);
      }
    }
    Files.setLastModifiedTime(folder.resolve("home/examples/target/rpcrdma.built"), BUILT);
  }

  private String run() throws Exception {
    return run(0);
  }

  private String run(int status) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(folder.resolve("home/rpcrdma").toString(), "help")
        .redirectErrorStream(true);
    builder.environment().remove("JAVA_HOME");
    builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(status);
    return output;
  }

  /** Fails if the script does not look at one of the places that a build reads. */
  @ParameterizedTest
  @ValueSource(strings = {"pom.xml", "api/pom.xml", "api/src/main/java/a/b/A.java",
      "tools/src/main/dist/bin/rpcrdma", "consumer/src/it/hello/src/main/java/hello/Main.java"})
  @DisplayName("It builds if anything has changed that the build reads, also what 'new' writes, and once")
  void changed(String file) throws Exception {
    assertThat(run()).doesNotContain("building");
    Files.setLastModifiedTime(folder.resolve("home/" + file), AFTER);
    assertThat(run()).contains("building");
    assertThat(run()).doesNotContain("building");
  }

  /** Fails if the script takes the end of the build for its age. */
  @Test
  @DisplayName("It builds again if anything changes while it builds")
  void changedMeanwhile() throws Exception {
    executable(folder.resolve("bin/mvn"), "#!/bin/sh\nprevious=$(mktemp)\n"
        + "until touch api/pom.xml; [ api/pom.xml -nt \"$previous\" ]; do :; done\nrm \"$previous\"\n");
    Files.setLastModifiedTime(folder.resolve("home/pom.xml"), AFTER);
    assertThat(run()).contains("building");
    assertThat(run()).contains("building");
  }

  /** Fails if the script builds beside what an earlier version has left. */
  @Test
  @DisplayName("Jars of earlier builds are not taken")
  void oldJars() throws Exception {
    Path old = folder.resolve("home/examples/target/lib/vertx-rpcrdma-tools-0.0.1.jar");
    executable(old, "");
    assertThat(run()).doesNotContain("building");
    assertThat(old).exists();
    Files.setLastModifiedTime(folder.resolve("home/pom.xml"), AFTER);
    assertThat(run()).contains("building");
    assertThat(old).doesNotExist();
  }

  /** Fails if the script keeps the mark of an earlier build whose jars it has deleted. */
  @Test
  @DisplayName("A build that has failed is not taken for an earlier one, even if its sources are as old as before")
  void failedBefore() throws Exception {
    Path maven = folder.resolve("bin/mvn");
    String works = Files.readString(maven);
    executable(maven, "#!/bin/sh\nexit 1\n");
    Files.setLastModifiedTime(folder.resolve("home/pom.xml"), AFTER);
    assertThat(run(1)).contains("the build failed");
    executable(maven, works);
    Files.setLastModifiedTime(folder.resolve("home/pom.xml"), BEFORE);
    assertThat(run()).contains("building");
    assertThat(run()).doesNotContain("building");
  }

  /** Fails if the script hands over to the other one without a word of where the jars are. */
  @Test
  @DisplayName("Java gets the jars of this build, with the examples, and the command line as it is")
  void jars() throws Exception {
    Path jars = folder.toRealPath().resolve("home/examples/target/lib");
    assertThat(run()).endsWith("-cp " + jars + "/* dev.rpcrdma.tools.cli.Main help\n");
  }
}
