// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Fails if {@link DebianTools} skips a test where the lab is required, or fails one where it is not. */
@DisplayName("Debian's tools")
final class DebianToolsTest {

  private static void assume(Path folder, boolean required) {
    DebianTools.assume(List.of("rpcinfo"), List.of(folder.resolve("rpc.h")), "rpcbind", "/nowhere:" + folder, required);
  }

  @Test
  @DisplayName("that are not there skip a test, and fail it where the lab is required")
  void missing(@TempDir Path folder) {
    String reason = "No rpcinfo, no " + folder.resolve("rpc.h") + " here: apt-get install rpcbind";
    assertThatThrownBy(() -> assume(folder, false)).isInstanceOf(TestAbortedException.class)
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> assume(folder, true)).isInstanceOf(AssertionError.class).hasMessage(reason);
  }

  @Test
  @DisplayName("that are there let it run")
  void there(@TempDir Path folder) throws IOException {
    Files.createFile(folder.resolve("rpc.h"));
    Path program = Files.createFile(folder.resolve("rpcinfo"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatCode(() -> assume(folder, true)).doesNotThrowAnyException();
  }
}
