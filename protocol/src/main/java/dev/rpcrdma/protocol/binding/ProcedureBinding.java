package dev.rpcrdma.protocol.binding;

import java.util.Objects;

/**
 * What the binding of a program says of one procedure.
 *
 * @param name for people
 * @param eligibleArguments how many DDP-eligible items its arguments can hold
 * @param eligibleResults how many DDP-eligible items its results can hold
 * @param replyBound the largest results, without those items
 * @param idempotent whether executing a call twice is as good as once, so that it may be sent again to
 *     a server that does not remember it, and need not be remembered
 */
public record ProcedureBinding(
    String name, int eligibleArguments, int eligibleResults, ReplyBound replyBound,
    boolean idempotent) {

  /**
   * A procedure that must not be executed twice.
   *
   * @param name for people
   * @param eligibleArguments how many DDP-eligible items its arguments can hold
   * @param eligibleResults how many DDP-eligible items its results can hold
   * @param replyBound the largest results, without those items
   */
  public ProcedureBinding(String name, int eligibleArguments, int eligibleResults,
      ReplyBound replyBound) {
    this(name, eligibleArguments, eligibleResults, replyBound, false);
  }

  /**
   * The same procedure, declared idempotent.
   *
   * @return a copy
   */
  public ProcedureBinding asIdempotent() {
    return new ProcedureBinding(name, eligibleArguments, eligibleResults, replyBound, true);
  }

  /** Checks the ranges. */
  public ProcedureBinding {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(replyBound, "replyBound");
    if (eligibleArguments < 0 || eligibleResults < 0) {
      throw new IllegalArgumentException("Counts must not be negative");
    }
  }
}
