// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Holds files of a command for as long as it runs, also where it is interrupted. */
public final class TemporaryFolder implements AutoCloseable {

  private final Ending ending;
  private Path path;

  /**
   * Makes one.
   *
   * @param prefix what its name begins with
   * @throws IOException if it cannot be made, or the process ends
   */
  public TemporaryFolder(String prefix) throws IOException {
    ending = Ending.of(() -> path = Files.createTempDirectory(prefix), this::delete);
  }

  /**
   * Where it is.
   *
   * @return its path
   */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    delete();
    ending.close();
  }

  /** Deletes it under another name, by which nobody who is still at work puts anything into it. */
  private synchronized void delete() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Path gone = Files.move(path, path.resolveSibling(path.getFileName() + ".deleted"));
    List<Path> all;
    try (Stream<Path> found = Files.walk(gone)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
