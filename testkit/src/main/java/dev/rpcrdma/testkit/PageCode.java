package dev.rpcrdma.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The code of a page of the manual: the parts of its blocks, as empty lines divide them. What is in a compiled source,
 * but for white space, is known to compile.
 */
public final class PageCode {

  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");

  private PageCode() {}

  /**
   * The parts of a page's code.
   *
   * @param page a Markdown file
   * @return each in words
   * @throws IOException if it cannot be read
   */
  public static List<String> parts(Path page) throws IOException {
    return BLOCK.matcher(Files.readString(page)).results()
        .flatMap(block -> Stream.of(block.group(1).split("\n\n"))).map(PageCode::words).toList();
  }

  /**
   * A source's text, to look for parts in.
   *
   * @param source a Java file, or a folder of such
   * @return all of it in words
   * @throws IOException if it cannot be read
   */
  public static String source(Path source) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        all.append(words(Files.readString(file))).append(' ');
      }
    }
    return all.toString();
  }

  private static String words(String code) {
    return code.strip().replaceAll("\\s+", " ");
  }
}
