// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Guesses which option was meant: picocli only thinks of those whose first two letters are the same. */
final class Guesses {

  /** Of so many letters one may be wrong. */
  private static final int LETTERS_PER_ERROR = 3;

  private Guesses() {}

  /** Options that are spelled almost like one that is unknown, the closest first, or else those of picocli. */
  static List<String> options(UnmatchedArgumentException unknown) {
    String name = unknown.getUnmatched().get(0).replaceFirst("=.*", "");
    List<String> close = unknown.getCommandLine().getCommandSpec().options().stream().filter(each -> !each.hidden())
        .map(OptionSpec::longestName).filter(each -> isClose(name, each))
        .sorted(Comparator.comparingInt(each -> distance(name, each))).toList();
    return close.isEmpty() ? unknown.getSuggestions() : close;
  }

  private static boolean isClose(String name, String option) {
    int letters = Math.min(name.length(), option.length()) - "--".length();
    return distance(name, option) <= letters / LETTERS_PER_ERROR;
  }

  /** How many letters must be put in, left out or replaced to make one of the other. */
  private static int distance(String from, String to) {
    int[] last = IntStream.rangeClosed(0, to.length()).toArray();
    for (int i = 1; i <= from.length(); i++) {
      int[] next = new int[last.length];
      next[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        next[j] = Math.min(replaced, 1 + Math.min(last[j], next[j - 1]));
      }
      last = next;
    }
    return last[to.length()];
  }
}
