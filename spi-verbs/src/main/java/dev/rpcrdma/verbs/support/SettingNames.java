// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;

/** Refuses settings that nobody knows: one that is misspelled would go unnoticed. */
public final class SettingNames {

  private SettingNames() {}

  /**
   * Compares names.
   *
   * @param json the settings given
   * @param known the settings there are
   * @param described an unknown one, in words, with its name where %s stands
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name
   */
  public static void check(JsonObject json, Set<String> known, String described) {
    for (String name : json.fieldNames()) {
      if (!known.contains(name)) {
        throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
            "Unknown " + described.formatted("'" + name + "'") + guess(name, known) + "; known are "
                + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  /**
   * Guesses what a misspelled name was to be.
   *
   * @param name an unknown name
   * @param known the names there are
   * @return text for a message, with the nearest known name; empty if none is near
   */
  public static String guess(String name, Collection<String> known) {
    // A few letters of a long name, and one of a short one.
    int most = Math.min(3, 1 + name.length() / 6);
    return known.stream()
        .min(Comparator.comparingInt((String each) -> distance(name, each)).thenComparing(Comparator.naturalOrder()))
        .filter(each -> distance(name, each) <= most).map(each -> " (did you mean " + each + "?)").orElse("");
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
