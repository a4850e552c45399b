// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ids in a text. Two of one kind that are joined, as in "P-013 to P-023" or "R-260 … R-286", mean all
 * between them as well.
 */
final class Ids {

  /** One id. */
  static final String ID = "\\b[RP]-\\d{3}\\b";
  /** What joins two ids to a range. */
  static final String JOINT = "\\s*(?:\\bto\\b|…|–)\\s*";

  private static final Pattern RANGE = Pattern.compile("(" + ID + ")(?:" + JOINT + "(" + ID + "))?");

  private Ids() {}

  /**
   * All ids of a text, in its order.
   *
   * @throws IllegalArgumentException if a range runs backwards, or from one kind to another
   */
  static List<String> in(String text) {
    List<String> ids = new ArrayList<>();
    Matcher range = RANGE.matcher(text);
    while (range.find()) {
      ids.addAll(all(range.group(1), range.group(2) == null ? range.group(1) : range.group(2)));
    }
    return ids;
  }

  private static List<String> all(String first, String last) {
    int from = Integer.parseInt(first.substring(2));
    int to = Integer.parseInt(last.substring(2));
    if (from > to || first.charAt(0) != last.charAt(0)) {
      throw new IllegalArgumentException("From " + first + " to " + last + " there is nothing");
    }
    List<String> ids = new ArrayList<>();
    for (int number = from; number <= to; number++) {
      ids.add(String.format("%c-%03d", first.charAt(0), number));
    }
    return ids;
  }
}
