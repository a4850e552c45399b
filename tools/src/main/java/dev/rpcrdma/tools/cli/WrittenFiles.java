// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Writes files below a folder: all of them, or, where that fails or is interrupted, none. */
final class WrittenFiles implements AutoCloseable {

  private final Path root;
  private final Ending ending;
  private final Deque<Path> made = new ArrayDeque<>();
  private boolean over;

  WrittenFiles(Path root) throws IOException {
    this.root = root;
    ending = Ending.of(() -> { }, this::remove);
  }

  /** Writes a file, and makes the folders that it needs. */
  synchronized void write(String name, InputStream content) throws IOException {
    if (over) {
      throw new IOException("Interrupted before " + name + " was written");
    }
    Path file = root.resolve(name);
    folder(file.getParent());
    made.push(file);
    Files.copy(content, file);
  }

  private void folder(Path folder) throws IOException {
    if (folder != null && !Files.exists(folder)) {
      folder(folder.getParent());
      made.push(folder);
      Files.createDirectory(folder);
    }
  }

  /** Leaves them where they are. */
  synchronized void keep() {
    made.clear();
  }

  private synchronized void remove() throws IOException {
    over = true;
    while (!made.isEmpty()) {
      Files.deleteIfExists(made.pop());
    }
  }

  @Override
  public void close() throws IOException {
    remove();
    ending.close();
  }
}
