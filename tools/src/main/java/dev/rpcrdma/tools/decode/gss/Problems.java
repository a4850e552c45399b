// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import java.util.ArrayList;
import java.util.List;

/** Things that are wrong in a capture: how many, and the first of them in words. */
public final class Problems {

  /** Problems that are named; all are printed where they are. */
  private static final int MOST_NAMED = 10;

  /** Characters that are shown of a problem. */
  private static final int MOST_CHARACTERS = 500;

  private final List<String> first = new ArrayList<>();
  private int count;

  /** Begins with none. */
  public Problems() {}

  /**
   * Adds a problem.
   *
   * @param text what is wrong, with the number of its frame
   */
  public void add(String text) {
    if (count++ < MOST_NAMED) {
      first.add(text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...");
    }
  }

  /**
   * Returns how many there are.
   *
   * @return the number
   */
  public int count() {
    return count;
  }

  /**
   * Returns the first ones in one line.
   *
   * @return the line; empty if nothing is wrong
   */
  public String text() {
    return String.join("; ", first) + (count > MOST_NAMED ? "; and others" : "");
  }
}
