// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Folders that a command has made for itself. */
final class Folders {

  private Folders() {}

  /** Deletes one, and the files in it. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
