// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * All files below a directory, links followed.
 *
 * @param files those that can be stored
 * @param skipped those that cannot, with the reason: links that dangle or loop, files that cannot be
 *     read, that are no regular files, or that are too large for one call
 */
record SourceTree(List<SourceFile> files, List<String> skipped) {

  static SourceTree of(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException(directory + " is not a directory");
    }
    List<SourceFile> files = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    Files.walkFileTree(directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String problem = problem(file, attributes);
            if (problem.isEmpty()) {
              files.add(new SourceFile(name(directory, file), file, (int) attributes.size()));
            } else {
              skipped.add(name(directory, file) + ": " + problem);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            skipped.add(name(directory, file) + ": " + e);
            return FileVisitResult.CONTINUE;
          }
        });
    return new SourceTree(List.copyOf(files), List.copyOf(skipped));
  }

  private static String problem(Path file, BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      return "the link dangles";
    }
    if (!attributes.isRegularFile()) {
      return "not a regular file";
    }
    if (!Files.isReadable(file)) {
      return "not readable";
    }
    // A chunk is at most 1 GiB by default.
    return attributes.size() > 1 << 30 ? "larger than 1 GiB" : "";
  }

  private static String name(Path directory, Path file) {
    return directory.relativize(file).toString().replace('\\', '/');
  }
}
