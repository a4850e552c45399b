// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Choice of the connection for a token: a connection that stands still must not be asked again and again while others
 * answer. One thread at a time.
 *
 * @param <C> a connection, by its identity
 */
public final class ExchangePaths<C> {

  /** Established connections, the oldest first. */
  private final Set<C> established = new LinkedHashSet<>();
  /** Connections that owe the answer to a token. */
  private final Set<C> asked = new HashSet<>();
  /** Connections over which the last token had no answer in time, sent or not, those first that were so long ago. */
  private final Set<C> silent = new LinkedHashSet<>();

  /** Knows no connection. */
  public ExchangePaths() {}

  /**
   * Adds a connection.
   *
   * @param connection is established
   */
  public void add(C connection) {
    established.add(connection);
  }

  /**
   * Removes a connection.
   *
   * @param connection has ended
   */
  public void remove(C connection) {
    established.remove(connection);
    asked.remove(connection);
    silent.remove(connection);
  }

  /**
   * Chooses the connection for a message without an answer that matters.
   *
   * @return the oldest that answers, or else the oldest; empty if there is none
   */
  public Optional<C> best() {
    return first(this::answers)
        .or(() -> first(connection -> true));
  }

  /**
   * Chooses the connection for a token.
   *
   * @return the oldest that owes no answer, or else the one that was silent longest ago; empty if all owe one
   */
  public Optional<C> ask() {
    Optional<C> chosen = first(this::answers)
        .or(() -> silent.stream().filter(connection -> !asked.contains(connection)).findFirst());
    chosen.ifPresent(asked::add);
    return chosen;
  }

  /**
   * Tells whether a token is likely to be answered over a connection that owes no answer.
   *
   * @return false if all others have been silent
   */
  public boolean hasAnother() {
    return first(this::answers).isPresent();
  }

  /**
   * Notes that a token has its outcome.
   *
   * @param connection as {@link #ask} has chosen it
   * @param answered whether there was an answer; false if the deadline has passed
   */
  public void ended(C connection, boolean answered) {
    asked.remove(connection);
    silent.remove(connection);
    if (!answered && established.contains(connection)) {
      silent.add(connection);
    }
  }

  /** Tells whether a connection owes no answer, and has not been silent. */
  private boolean answers(C connection) {
    return !asked.contains(connection) && !silent.contains(connection);
  }

  private Optional<C> first(Predicate<C> wanted) {
    return established.stream().filter(wanted).findFirst();
  }
}
