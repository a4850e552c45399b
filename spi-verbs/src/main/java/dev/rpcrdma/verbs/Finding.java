// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;

/**
 * Something that a provider has found out about this machine, for who sets it up.
 *
 * @param subject what it is about: a few words
 * @param grade whether it is in order
 * @param text what was found, as one sentence
 * @param remedy what the user can do about it, with the command where there is one; empty if nothing is to be done
 */
public record Finding(String subject, Grade grade, String text, String remedy) {

  /** Whether something is in order. */
  public enum Grade {
    /** Nothing is to be done. */
    GOOD,
    /** It works, but not as well or not for as much as it could. */
    WARNING,
    /** The provider cannot be used. */
    PROBLEM
  }

  /** Checks that no component is null. */
  public Finding {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(grade, "grade");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(remedy, "remedy");
  }

  /**
   * Something that is in order.
   *
   * @param subject what it is about
   * @param text what was found
   * @return the finding
   */
  public static Finding good(String subject, String text) {
    return new Finding(subject, Grade.GOOD, text, "");
  }

  /**
   * Something that could be better.
   *
   * @param subject what it is about
   * @param text what was found
   * @param remedy what the user can do
   * @return the finding
   */
  public static Finding warning(String subject, String text, String remedy) {
    return new Finding(subject, Grade.WARNING, text, remedy);
  }

  /**
   * Something that keeps the provider from being used.
   *
   * @param subject what it is about
   * @param text what was found
   * @param remedy what the user can do
   * @return the finding
   */
  public static Finding problem(String subject, String text, String remedy) {
    return new Finding(subject, Grade.PROBLEM, text, remedy);
  }
}
