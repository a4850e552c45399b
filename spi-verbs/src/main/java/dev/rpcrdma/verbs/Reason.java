// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;
import java.util.stream.Stream;

/** What a provider says by what it throws. That is other people's code, too, which may throw again. */
final class Reason {

  /** Causes may go round in a circle. */
  private static final int MOST_CAUSES = 100;

  private Reason() {}

  /** The innermost cause: the others say that something behind them has failed. */
  static String of(Throwable thrown) {
    try {
      return "It has failed: " + Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES)
          .reduce(thrown, (outer, inner) -> inner);
    } catch (Throwable e) {
      return "It has failed: " + thrown.getClass().getName();
    }
  }

  /** Its message, or what can be said in its place. */
  static String message(Throwable thrown) {
    try {
      return String.valueOf(thrown.getMessage());
    } catch (Throwable e) {
      return thrown.getClass().getName();
    }
  }
}
