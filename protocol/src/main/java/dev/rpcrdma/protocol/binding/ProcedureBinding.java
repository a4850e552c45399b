// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import java.util.Objects;

/**
 * What the binding of a program says of one procedure.
 *
 * @param name for people
 * @param eligibleArguments how many DDP-eligible items its arguments can hold
 * @param eligibleResults how many DDP-eligible items its results can hold
 * @param replyBound the largest results, without those items
 * @param idempotent whether a call may be executed again before its outcome is known to the caller, within
 *     the session: it need not be remembered. Later, or on another server, a repetition may undo what was
 *     done since
 * @param readOnly whether a call only looks: executing it again is harmless at any time, on any server.
 *     Implies idempotent
 */
public record ProcedureBinding(
    String name, int eligibleArguments, int eligibleResults, ReplyBound replyBound,
    boolean idempotent, boolean readOnly) {

  /**
   * A procedure that must not be executed again.
   *
   * @param name for people
   * @param eligibleArguments how many DDP-eligible items its arguments can hold
   * @param eligibleResults how many DDP-eligible items its results can hold
   * @param replyBound the largest results, without those items
   */
  public ProcedureBinding(String name, int eligibleArguments, int eligibleResults,
      ReplyBound replyBound) {
    this(name, eligibleArguments, eligibleResults, replyBound, false, false);
  }

  /**
   * The same procedure, declared idempotent: it may be executed again before its outcome is known, within
   * the session.
   *
   * @return a copy
   */
  public ProcedureBinding asIdempotent() {
    return new ProcedureBinding(
        name, eligibleArguments, eligibleResults, replyBound, true, readOnly);
  }

  /**
   * The same procedure, declared to look and nothing else: executing it again is harmless at any time, on
   * any server.
   *
   * @return a copy, idempotent as well
   */
  public ProcedureBinding asReadOnly() {
    return new ProcedureBinding(name, eligibleArguments, eligibleResults, replyBound, true, true);
  }

  /** Checks the ranges. What only looks is idempotent. */
  public ProcedureBinding {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(replyBound, "replyBound");
    if (eligibleArguments < 0 || eligibleResults < 0) {
      throw new IllegalArgumentException("Counts must not be negative");
    }
    idempotent |= readOnly;
  }
}
