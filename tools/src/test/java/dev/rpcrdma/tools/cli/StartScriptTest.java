// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.NeedsTools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code bin/rpcrdma} of the distribution; Java is a script that says how it was called. */
@NeedsTools(programs = "sh", packages = "dash")
@Timeout(60)
class StartScriptTest {

  @TempDir
  private Path folder;

  private Path home;

  private static Path executable(Path file, String text) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @BeforeEach
  void distribution() throws Exception {
    home = folder.toRealPath().resolve("un packed");
    executable(home.resolve("bin/rpcrdma"), Files.readString(Path.of("src/main/dist/bin/rpcrdma")));
    java(17, "[ \"$1\" = -cp ] && echo \"$2\"\nexit 0\n");
  }

  private void java(int version, String does) throws Exception {
    executable(folder.resolve("path/java"), "#!/bin/sh\nif [ \"$1\" = -XshowSettings:properties ]; then\n"
        + "  printf 'Property settings:\\n    java.specification.version = " + version
        + "\\n    java.version = 99\\n' >&2\n  exit\nfi\n" + does);
  }

  private String run(Path script, Map<String, String> environment) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(script.toString(), "help").redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JAVA_HOME", "RPCRDMA_LIB", "LC_ALL", "LC_CTYPE", "LANG"));
    builder.environment().merge("PATH", folder.resolve("path").toString(), (path, ours) -> ours + ":" + path);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }

  /** Fails if the script follows links to itself alone, or {@code cd} takes {@code ..} for the folder of a link. */
  @Test
  @DisplayName("It finds its jars if it, a link to it, or the folder that it is in is a link, and whatever CDPATH says")
  void links() throws Exception {
    Path bin = Files.createSymbolicLink(folder.resolve("bin"), home.resolve("bin"));
    Path first = Files.createSymbolicLink(folder.resolve("first"), home.resolve("bin/rpcrdma"));
    Path second = Files.createSymbolicLink(Files.createDirectory(folder.resolve("sub")).resolve("second"),
        Path.of("../first"));
    Path upwards = Files.createSymbolicLink(home.resolve("bin/upwards"), Path.of("../bin/rpcrdma"));
    for (Path script : new Path[] {home.resolve("bin/rpcrdma"), first, second, bin.resolve("rpcrdma"), upwards,
        bin.resolve("upwards")}) {
      assertThat(run(script, Map.of("CDPATH", folder.toString()))).as(script.toString())
          .isEqualTo(home.resolve("lib") + "/*");
    }
  }

  /** Fails if the script takes an empty name for a folder, or its own folder where another one is named. */
  @Test
  @DisplayName("RPCRDMA_LIB names another folder with jars, unless it is empty")
  void otherFolder() throws Exception {
    Path script = home.resolve("bin/rpcrdma");
    assertThat(run(script, Map.of("RPCRDMA_LIB", "/other jars"))).isEqualTo("/other jars/*");
    assertThat(run(script, Map.of("RPCRDMA_LIB", ""))).isEqualTo(home.resolve("lib") + "/*");
  }

  /** Fails if the script compares with another version, or does not find the one that Java tells. */
  @ParameterizedTest
  @CsvSource({"17, false", "23, false", "24, true", "100, true"})
  @DisplayName("Java from 24 on is told that Netty may do what it warns of; one before does not know of that")
  void flags(int version, boolean told) throws Exception {
    java(version, "echo \"$@\"\n");
    assertThat(run(home.resolve("bin/rpcrdma"), Map.of()).contains("--sun-misc-unsafe-memory-access=allow "))
        .isEqualTo(told);
  }

  /** Fails if the script leaves names of files to a locale that has no words for them, or takes another from its user. */
  @ParameterizedTest
  @CsvSource({"LANG, C, C.UTF-8", "LANG, '', C.UTF-8", "LC_CTYPE, POSIX, C.UTF-8", "LC_ALL, de_DE.UTF-8, de_DE.UTF-8",
      "LC_ALL, de_DE.utf8, de_DE.utf8"})
  @DisplayName("A locale without UTF-8 is replaced by one that has it")
  void locale(String variable, String value, String wanted) throws Exception {
    java(17, "echo \"$LC_ALL\"\n");
    assertThat(run(home.resolve("bin/rpcrdma"), Map.of(variable, value))).isEqualTo(wanted);
  }
}
