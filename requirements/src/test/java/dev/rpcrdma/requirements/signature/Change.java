// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.regex.Pattern;

/**
 * One line of a type that is not as it was recorded.
 *
 * @param type the type's name
 * @param before the line as recorded; null if it is new
 * @param after the line as it is; null if it is gone
 * @param effect what it does to others
 */
record Change(String type, String before, String after, Effect effect) {

  /** What a change does to code that was written before. */
  enum Effect {
    /** Code that calls, or implements, may not compile or not run any more. */
    BREAKS,
    /** There is more than before. */
    ADDS
  }

  private static final Pattern DEPRECATED = Pattern.compile("@java\\.lang\\.Deprecated(\\([^)]*\\))? ");
  private static final Pattern DEFAULT = Pattern.compile(" default [^ ].*$");

  /** A line that is gone. */
  static Change gone(String type, String before) {
    return new Change(type, before, null, Effect.BREAKS);
  }

  /**
   * A line that is new.
   *
   * @param declaration of its type
   */
  static Change added(String type, String declaration, String after) {
    boolean asked = after.startsWith("permits ") || after.startsWith("constant ");
    boolean open = !declaration.matches(".*\\b(final|sealed) .*") && !declaration.contains("enum ");
    boolean toImplement = after.matches("method .*\\babstract .*") && open
        && !(declaration.contains("@interface ") && DEFAULT.matcher(after).find());
    return new Change(type, null, after, asked || toImplement ? Effect.BREAKS : Effect.ADDS);
  }

  /** A line that is another one than before. */
  static Change of(String type, String before, String after) {
    return new Change(type, before, after, isHarmless(before, after) ? Effect.ADDS : Effect.BREAKS);
  }

  /** Whether all that did compile, and run, still does. */
  private static boolean isHarmless(String before, String after) {
    String from = DEPRECATED.matcher(before).replaceAll("");
    String to = DEPRECATED.matcher(after).replaceAll("");
    if (from.startsWith("method ") && to.equals(from + defaultOf(to))) {
      return true;
    }
    if (to.startsWith("method ") && from.contains("abstract ") && to.contains(" default ")) {
      to = to.replaceFirst(" default ", " ");
      from = from.replaceFirst("abstract ", "");
    }
    // What may be less strict than it was.
    for (String word : new String[] {"final ", "abstract "}) {
      if (from.contains(word) && !to.contains(word)) {
        from = from.replaceFirst(word, "");
      }
    }
    return from.replaceFirst("protected ", "public ").equals(to) || from.equals(to);
  }

  private static String defaultOf(String method) {
    var matcher = DEFAULT.matcher(method);
    return matcher.find() ? matcher.group() : "";
  }

  @Override
  public String toString() {
    return (before == null ? "" : "    - " + before + "\n") + (after == null ? "" : "    + " + after + "\n");
  }
}
