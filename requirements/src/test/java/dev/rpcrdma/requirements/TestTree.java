// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tests of all modules: their test sources, and the contracts that {@code testkit} ships. */
public final class TestTree {

  private static final String TESTS = "src/test/java";

  private TestTree() {}

  /** The folder of the project: the nearest one above that has the list. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("docs/requirements.md"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException("No docs/requirements.md above " + Path.of("").toAbsolutePath());
    }
    return folder;
  }

  /** Returns the sources of main code of all modules, relative to a project's folder. */
  public static List<Path> mainSources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.map(root::relativize).filter(file -> file.toString().matches("[\\w-]+/src/main/java/.*\\.java"))
          .sorted().toList();
    }
  }

  /** All mentions below a project's folder, sorted by file, with their module's name. */
  static List<Mention> mentions(Path root) throws IOException {
    List<Path> folders = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      // Our own tests mention ids that are examples.
      modules.filter(module -> !module.endsWith("requirements"))
          .forEach(module -> folders.add(module.resolve(TESTS)));
    }
    folders.add(root.resolve("testkit/src/main/java"));
    List<Mention> all = new ArrayList<>();
    for (Path folder : folders.stream().filter(Files::isDirectory).sorted().toList()) {
      String module = root.relativize(folder).getName(0).toString();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          for (Mention mention : TestSource.mentions(Files.readString(file))) {
            all.add(new Mention(mention.id(), module + " " + mention.place(), mention.lab()));
          }
        }
      }
    }
    return all;
  }
}
