// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.DebianTools;
import dev.rpcrdma.testkit.lab.NeedsTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the script {@code rpcrdma} tells Java of its terminal, which here is a program that prints its arguments. */
class ScriptTerminalTest {

  @TempDir
  private Path folder;

  private static Path executable(Path file, String text) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /** Fails if the script asks another descriptor than the one that is a terminal, or asks none. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "'' | '' | -Drpcrdma.columns.out=43 -Drpcrdma.terminal=true -Drpcrdma.columns.err=43 ",
      "COLUMNS=61 | '' | -Drpcrdma.columns.out=61 -Drpcrdma.terminal=true -Drpcrdma.columns.err=61 ",
      "COLUMNS=many | '' | -Drpcrdma.columns.out=80 -Drpcrdma.terminal=true -Drpcrdma.columns.err=80 ",
      "COLUMNS=3 | '' | -Drpcrdma.columns.out=20 -Drpcrdma.terminal=true -Drpcrdma.columns.err=20 ",
      "'' | '| cat' | -Drpcrdma.terminal=true -Drpcrdma.columns.err=43 ",
      "'' | '2>/dev/null' | -Drpcrdma.columns.out=43 "})
  @NeedsTools(programs = "script", packages = "bsdutils")
  @DisplayName("Java is told how wide what is a terminal is, and nothing of what is none")
  void columns(String variable, String redirection, String told) throws Exception {
    Path script = executable(folder.resolve("home/rpcrdma"), Files.readString(Path.of("../rpcrdma")));
    String started = "tools/src/main/dist/bin/rpcrdma";
    executable(folder.resolve("home/" + started), Files.readString(Path.of("../" + started)));
    executable(folder.resolve("home/examples/target/rpcrdma.built"), "");
    executable(folder.resolve("java/bin/java"), "#!/bin/sh\n"
        + "for each; do case $each in -Drpcrdma.*) printf '%s ' \"$each\";; esac; done\n");
    assertThat(DebianTools.run(folder, List.of("env", "-u", "COLUMNS", "JAVA_HOME=" + folder.resolve("java"), "script",
        "-qec", "stty cols 43; " + variable + " " + script + " help " + redirection, "/dev/null")).trim())
        .isEqualTo(told.trim());
  }
}
