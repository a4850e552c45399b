// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding and running the script. */
@DisplayName("The lab's script")
final class LabScriptTest {

  @TempDir
  Path directory;

  private Path script(String text) throws IOException {
    Path file = Files.createDirectories(directory.resolve("testkit/lab")).resolve("lab");
    Files.writeString(file, "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  @Test
  @DisplayName("is found above the working directory")
  void found() throws IOException {
    assertThat(LabScript.find(directory)).isEmpty();
    script("exit 0\n");
    Path below = Files.createDirectories(directory.resolve("api/src"));
    assertThat(LabScript.find(below)).isPresent();
  }

  @Test
  @DisplayName("tells why the lab cannot run")
  void obstacle() throws IOException {
    assertThat(new LabScript(script("exit 0\n")).obstacle(LabKernel.LINUX_6_1)).isEmpty();
    assertThat(new LabScript(script("echo lab: missing: $* >&2; exit 1\n"))
        .obstacle(LabKernel.LINUX_6_12)).contains("lab: missing: -k 6.12 check");
  }
}
