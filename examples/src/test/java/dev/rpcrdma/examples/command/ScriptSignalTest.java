// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.NeedsTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code rpcrdma} while it builds, which it does by a Maven that never ends. */
@NeedsTools(programs = {"env", "kill"}, packages = "coreutils procps")
class ScriptSignalTest {

  @TempDir
  private Path folder;

  private static Path executable(Path file, String text) throws Exception {
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /** Fails if the script does not trap the signal. */
  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  @Timeout(60)
  @DisplayName("A build that is interrupted leaves no log, and no Maven")
  void build(String signal, int status) throws Exception {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path script = executable(home.resolve("rpcrdma"), Files.readString(Path.of("../rpcrdma")));
    Path pid = folder.resolve("pid");
    executable(Files.createDirectory(folder.resolve("bin")).resolve("mvn"),
        "#!/bin/sh\necho $$ >" + pid + ".new\nmv " + pid + ".new " + pid + "\nexec sleep 60\n");
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    ProcessBuilder builder = new ProcessBuilder("env", "--default-signal", script.toString(), "help").inheritIO();
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    Process process = builder.start();
    Waiting.until(() -> Files.exists(pid));
    ProcessHandle maven = ProcessHandle.of(Long.parseLong(Files.readString(pid).trim())).orElseThrow();
    assertThat(temporary).isNotEmptyDirectory();
    assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor()).isZero();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(status);
    assertThat(temporary).isEmptyDirectory();
    Waiting.until(() -> !maven.isAlive());
  }
}
