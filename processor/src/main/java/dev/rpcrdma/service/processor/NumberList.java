// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers of a service of the event bus: of its program, and of each method that it has, or ever had.
 *
 * <pre>
 * # Lines are only ever appended, or get "removed" in front.
 * program 0x20060042 version 1
 * 1 put(java.lang.String, int): io.vertx.core.Future&lt;java.lang.Void&gt;
 * removed 2 drop(java.lang.String): void
 * </pre>
 *
 * @param file its name, for messages
 * @param program the program's number
 * @param version its version
 * @param numbers those of the methods that are there, by signature
 * @param last the highest number, also of what is gone
 */
record NumberList(String file, int program, int version, Map<String, Integer> numbers, int last) {

  static final String REMOVED = "removed";

  private static final Pattern PROGRAM = Pattern.compile("program (0x[0-9a-fA-F]+|[0-9]+) version ([0-9]+)");
  private static final Pattern METHOD = Pattern.compile("(" + REMOVED + " )?([0-9]+) (\\S.*)");

  /**
   * Reads a list.
   *
   * @param file its name
   * @param text its content
   * @throws IllegalArgumentException if it is none, with the number of the line
   */
  static NumberList parse(String file, String text) {
    Matcher head = null;
    Map<String, Integer> numbers = new LinkedHashMap<>();
    int last = 0;
    int at = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      at++;
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (head == null) {
        head = PROGRAM.matcher(line);
        require(head.matches(), file, at, "\"program <number> version <number>\" comes first");
        continue;
      }
      Matcher method = METHOD.matcher(line);
      require(method.matches(), file, at, "a method is \"<number> <name>(<types>): <type>\", with \"" + REMOVED
          + "\" in front if it is gone");
      int number = number(method.group(2), 10, file, at);
      require(number > last, file, at, "numbers rise, so that none is given twice: the one before is " + last);
      last = number;
      if (method.group(1) == null) {
        require(numbers.put(method.group(3), number) == null, file, at, method.group(3) + " has a number already");
      }
    }
    require(head != null, file, 1, "\"program <number> version <number>\" is missing");
    String program = head.group(1);
    return new NumberList(file, program.startsWith("0x") ? number(program.substring(2), 16, file, 1)
        : number(program, 10, file, 1), number(head.group(2), 10, file, 1), numbers, last);
  }

  private static void require(boolean holds, String file, int line, String what) {
    if (!holds) {
      throw new IllegalArgumentException(file + ", line " + line + ": " + what);
    }
  }

  private static int number(String digits, int radix, String file, int line) {
    try {
      return Integer.parseUnsignedInt(digits, radix);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(file + ", line " + line + ": a number has 32 bits, unlike " + digits, e);
    }
  }

  /** Lines for methods that have none. */
  List<String> continued(List<String> signatures) {
    List<String> lines = new ArrayList<>();
    int number = last;
    for (String signature : signatures) {
      number++;
      lines.add(number + " " + signature);
    }
    return lines;
  }

  /** The line of a method. */
  String line(String signature) {
    return numbers.get(signature) + " " + signature;
  }
}
