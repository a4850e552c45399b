// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;

/**
 * Something that a transport has settled for one connection, in words, for people to read: whether
 * there are CRCs, say, and who asked for them. Which facts there are, and how they are worded, is the
 * provider's own affair; programs do not depend on it.
 *
 * @param name what it is about: a few words
 * @param value what holds, and where it helps why: one line
 */
public record TransportFact(String name, String value) {

  /** Checks that both say something, on one line. */
  public TransportFact {
    check(Objects.requireNonNull(name, "name"));
    check(Objects.requireNonNull(value, "value"));
  }

  private static void check(String text) {
    if (text.isBlank() || text.lines().count() != 1) {
      throw new IllegalArgumentException("A fact is told in one line, and not by nothing: '" + text
          + "'");
    }
  }
}
