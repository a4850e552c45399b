package dev.rpcrdma.protocol.binding;

import java.util.Objects;

/**
 * What the binding of a program says of one procedure.
 *
 * @param name for people
 * @param eligibleArguments how many DDP-eligible items its arguments can hold
 * @param eligibleResults how many DDP-eligible items its results can hold
 * @param replyBound the largest results, without those items
 */
public record ProcedureBinding(
    String name, int eligibleArguments, int eligibleResults, ReplyBound replyBound) {

  /** Checks the ranges. */
  public ProcedureBinding {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(replyBound, "replyBound");
    if (eligibleArguments < 0 || eligibleResults < 0) {
      throw new IllegalArgumentException("Counts must not be negative");
    }
  }
}
