// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A judge that is missing is missed. */
@DisplayName("tshark")
final class TsharkTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true);

  @Test
  @DisplayName("that is not there is a printed reason, and a failure where the lab is required")
  void missing(@TempDir Path directory) {
    String path = directory + ":" + directory.resolve("none");
    assertThat(Tshark.isThere(path, false, out)).isFalse();
    assertThat(printed.toString())
        .isEqualTo("tshark is not on the PATH, so captures are not judged\n");
    assertThatThrownBy(() -> Tshark.isThere(path, true, out)).isInstanceOf(AssertionError.class)
        .hasMessageContaining("required").hasMessageContaining("tshark is not on the PATH");
  }

  @Test
  @DisplayName("that is there is no reason to print anything")
  void there(@TempDir Path directory) throws IOException {
    Path program = Files.createFile(directory.resolve("tshark"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(Tshark.isThere("/nowhere:" + directory, true, out)).isTrue();
    assertThat(printed.toString()).isEmpty();
  }
}
