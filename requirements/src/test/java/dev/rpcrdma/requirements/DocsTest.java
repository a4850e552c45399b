// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the manual against the files that it speaks of. */
class DocsTest {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern PARENT = Pattern.compile("class \\w+ extends (\\w+)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  /** {@code `Type`}, {@code `Type.method`}, or {@code `.method`} of the type before. */
  private static final Pattern CODE = Pattern.compile("`(\\w*)(?:\\.(\\w+))?`");

  private final Path root = TestTree.root();

  @Test
  @DisplayName("Each link of the manual leads to a file that is there, and to a heading in it")
  void links() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        String target = links.group(1);
        if (target.contains("://")) {
          continue;
        }
        Path file = target.isEmpty() ? page : page.resolveSibling(target).normalize();
        String heading = links.group(2);
        if (!Files.exists(file) || heading != null && !headings(file).contains(heading)) {
          broken.add(root.relativize(page) + ": " + links.group());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  @DisplayName("Each test that the manual names is there, and has the methods that it names")
  void tests() throws IOException {
    Map<String, List<Path>> sources = sources();
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      Matcher code = CODE.matcher(Files.readString(page));
      String test = "";
      while (code.find()) {
        if (!code.group(1).isEmpty()) {
          test = code.group(1).matches("\\w+(Test|Contract)") ? code.group(1) : "";
        }
        if (!test.isEmpty() && !has(sources, test, code.group(2))) {
          missing.add(root.relativize(page) + ": " + code.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve("BENCHMARKS.md")));
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  /** As the hosts of such pages make anchors of headings. */
  private static List<String> headings(Path page) throws IOException {
    return HEADING.matcher(Files.readString(page)).results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .toList();
  }

  /** By the names of their types. */
  private Map<String, List<Path>> sources() throws IOException {
    Map<String, List<Path>> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.map(folder -> folder.resolve("src")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(module)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(file -> sources.computeIfAbsent(
              file.getFileName().toString().replace(".java", ""), name -> new ArrayList<>()).add(file));
        }
      }
    }
    return sources;
  }

  /** Whether a type is there, with that method, of its own or of what it extends; any, if that is null. */
  private static boolean has(Map<String, List<Path>> sources, String type, String method) throws IOException {
    for (Path file : sources.getOrDefault(type, List.of())) {
      String source = Files.readString(file);
      Matcher parent = PARENT.matcher(source);
      if (method == null || Pattern.compile("\\b" + method + "\\(").matcher(source).find()
          || parent.find() && has(sources, parent.group(1), method)) {
        return true;
      }
    }
    return false;
  }
}
