// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a misspelled name was to be. */
public final class Spelling {

  private Spelling() {}

  /**
   * Says what a misspelled name was to be.
   *
   * @param name an unknown name
   * @param known the names there are
   * @return text for a message, with the nearest known name; empty if none is near
   */
  public static String guess(String name, Collection<String> known) {
    return nearest(name, known).map(near -> " (did you mean " + near + "?)").orElse("");
  }

  /**
   * Finds the nearest known name.
   *
   * @param name an unknown name
   * @param known the names there are
   * @return the nearest one; empty if none is near
   */
  public static Optional<String> nearest(String name, Collection<String> known) {
    // A few letters of a long name, and one of a short one.
    int most = Math.min(3, 1 + name.length() / 6);
    return known.stream()
        .min(Comparator.comparingInt((String each) -> distance(name, each)).thenComparing(Comparator.naturalOrder()))
        .filter(each -> distance(name, each) <= most);
  }

  /** Returns how many letters have to be added, left out or replaced, whatever their case. */
  private static int distance(String one, String other) {
    String from = one.toLowerCase(Locale.ROOT);
    String to = other.toLowerCase(Locale.ROOT);
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
