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

/** The script {@code bin/rpcrdma} of the distribution when it looks for its jars; Java is a script that says where. */
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
    executable(folder.resolve("path/java"), "#!/bin/sh\n[ \"$1\" = -cp ] && echo \"$2\"\nexit 0\n");
  }

  private String classPath(Path script, Map<String, String> environment) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(script.toString(), "help").redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JAVA_HOME", "RPCRDMA_LIB"));
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
      assertThat(classPath(script, Map.of("CDPATH", folder.toString()))).as(script.toString())
          .isEqualTo(home.resolve("lib") + "/*");
    }
  }

  /** Fails if the script takes an empty name for a folder, or its own folder where another one is named. */
  @Test
  @DisplayName("RPCRDMA_LIB names another folder with jars, unless it is empty")
  void otherFolder() throws Exception {
    Path script = home.resolve("bin/rpcrdma");
    assertThat(classPath(script, Map.of("RPCRDMA_LIB", "/other jars"))).isEqualTo("/other jars/*");
    assertThat(classPath(script, Map.of("RPCRDMA_LIB", ""))).isEqualTo(home.resolve("lib") + "/*");
  }
}
