// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Projects that {@code new} writes. */
class WrittenFilesTest {

  @TempDir
  private Path folder;

  /** Fails if {@code WrittenFiles.close} removes nothing, or more than was made. */
  @Test
  @DisplayName("A project that cannot be written to its end is not there at all")
  void allOrNothing() throws IOException {
    Path mine = Files.createDirectory(folder.resolve("mine"));
    InputStream broken = new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("broken");
      }
    };
    try (WrittenFiles written = new WrittenFiles(mine)) {
      written.write("a/b/one", InputStream.nullInputStream());
      written.write("a/two", broken);
    } catch (IOException e) {
      assertThat(e).hasMessage("broken");
    }
    assertThat(mine).isEmptyDirectory();
  }
}
