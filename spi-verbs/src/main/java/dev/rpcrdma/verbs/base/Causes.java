// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.base;

import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.stream.Stream;

/** What others have thrown, which may have no words, have causes that go round in a circle, and throw again. */
public final class Causes {

  private static final int MOST = 100;

  private Causes() {}

  /**
   * A failure and its causes.
   *
   * @param thrown the outermost
   * @return it, its cause, and so on; at most 100
   */
  public static Stream<Throwable> of(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MOST);
  }

  /**
   * What a failure says.
   *
   * @param thrown any failure
   * @return its message; without one words for what the JDK throws without any, else the name of its class
   */
  public static String message(Throwable thrown) {
    if (thrown instanceof UnsupportedAddressTypeException) {
      return "addresses of this kind cannot be used; with -Djava.net.preferIPv4Stack=true those are IPv6 addresses";
    }
    if (thrown instanceof UnresolvedAddressException) {
      return "the name has no address";
    }
    try {
      String message = thrown.getMessage();
      return message == null || message.isBlank() ? thrown.getClass().getName() : message;
    } catch (Throwable e) {
      return thrown.getClass().getName();
    }
  }

  /**
   * An object in words.
   *
   * @param value any object of the application's; may be null
   * @return what its {@code toString} says; if that throws, the name of its class
   */
  public static String text(Object value) {
    try {
      return String.valueOf(value);
    } catch (Throwable e) {
      return value.getClass().getName();
    }
  }

  /**
   * Why something has failed in the end: what is around it says that something behind it has failed.
   *
   * @param thrown any failure
   * @return class and message of its innermost cause
   */
  public static String innermost(Throwable thrown) {
    try {
      return of(thrown).reduce(thrown, (outer, inner) -> inner).toString();
    } catch (Throwable e) {
      return thrown.getClass().getName();
    }
  }
}
