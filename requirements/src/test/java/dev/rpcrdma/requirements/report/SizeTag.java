// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.report;

import java.util.regex.Pattern;

/** Time that a test class may take on two quiet cores, by its size tag. */
enum SizeTag {
  /** No tag: a class of the fast tier. */
  NONE(3),
  /** Tag {@code slow}. */
  SLOW(15),
  /** Tag {@code large}, or {@code lab}, or {@code seeded}, whose times depend on a number of seeds. */
  LARGE(Double.POSITIVE_INFINITY);

  private static final Pattern TAG = Pattern.compile("^@Tag\\(\"(\\w+)\"\\)", Pattern.MULTILINE);
  private static final Pattern LAB = Pattern.compile("^@WithLab\\b", Pattern.MULTILINE);

  private final double seconds;

  SizeTag(double seconds) {
    this.seconds = seconds;
  }

  /** Returns the most seconds for a class with this tag. */
  double seconds() {
    return seconds;
  }

  /** Finds the tag in a source file; the largest one counts. */
  static SizeTag of(String source) {
    if (LAB.matcher(source).find()) {
      return LARGE;
    }
    return TAG.matcher(source).results().map(tag -> switch (tag.group(1)) {
      case "slow" -> SLOW;
      case "large", "lab", "seeded" -> LARGE;
      default -> NONE;
    }).max(SizeTag::compareTo).orElse(NONE);
  }
}
