// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page of the manual, whose code has to be somewhere where it is compiled. */
public final class ManualPage {

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/ ");

  private final Path file;
  private final String text;

  private ManualPage(Path file) {
    this.file = file;
    this.text = read(file);
  }

  /**
   * A page.
   *
   * @param name of a file in {@code docs}
   * @return the page as it is now
   */
  public static ManualPage of(String name) {
    return new ManualPage(Path.of("../docs", name));
  }

  /**
   * The text of its blocks in one language.
   *
   * @param language as it stands behind the fence, up to the end of its line
   * @return each without its fences
   */
  public List<String> blocks(String language) {
    Pattern block = Pattern.compile("(?s)```" + Pattern.quote(language) + "\n(.*?)```");
    return block.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /**
   * The rows of its tables, below one heading.
   *
   * @param heading without its marks
   * @return the cells of each row, without the rows that make the table's head
   */
  public List<List<String>> rows(String heading) {
    List<List<String>> rows = new ArrayList<>();
    boolean below = false;
    int line = 0;
    for (String each : text.split("\n")) {
      if (each.startsWith("#")) {
        below = each.replaceFirst("^#+ ", "").equals(heading);
      } else if (below && each.startsWith("|")) {
        line++;
        if (line > 2) {
          rows.add(Stream.of(each.substring(1).split("(?<!\\\\)\\|")).map(String::strip).toList());
        }
      } else {
        line = 0;
      }
    }
    return rows;
  }

  /**
   * Those parts of its Java, as empty lines divide it, that are in none of some sources. White space does not count,
   * nor do comments for Javadoc that the page leaves out.
   *
   * @param sources files that are compiled, or folders of such
   * @return none if all is there
   */
  public List<String> notIn(Path... sources) {
    String all = Stream.of(sources).flatMap(ManualPage::files).map(ManualPage::read).map(ManualPage::words)
        .map(source -> source + "\n" + JAVADOC.matcher(source).replaceAll("")).collect(Collectors.joining("\n"));
    List<String> parts = blocks("java").stream().flatMap(block -> Stream.of(block.split("\n\n")))
        .map(ManualPage::words).toList();
    if (parts.isEmpty()) {
      return List.of(file + " has no Java");
    }
    return parts.stream().filter(part -> !all.contains(part)).toList();
  }

  private static Stream<Path> files(Path source) {
    try (Stream<Path> all = Files.walk(source)) {
      return all.filter(path -> path.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String words(String code) {
    return code.strip().replaceAll("\\s+", " ");
  }
}
