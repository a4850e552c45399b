// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import java.util.Objects;

/**
 * What a server does next with a call that may have come to another server before. Immutable: what has become of a step
 * tells the next one.
 *
 * <pre>
 *   INSERT ──nothing was there──▶ EXECUTE ──executed──▶ STORE ──whatever──▶ FINISH
 *     │ ▲                            ▲
 *     │ └─nothing─ READ ──is ours────┤
 *     │             ▲ │              │
 *     │  was another│ │              │
 *     └─▶ REPLACE ──┘ │   ──done─────┘
 *     │               │
 *     └───────────────┴──▶ ANSWER, CLAIMED_BEFORE, REPLY_GONE, LATE, OTHER_USER
 *
 *   INSERT, READ or REPLACE ──failed──▶ RELEASE ──whatever──▶ NOT_CLAIMED
 * </pre>
 *
 * <p>An operation on the map may take effect though it fails, late, or more than once. So a claim is known by its
 * owner, and whoever finds its own claim has it. Only who has been told that its claim is there executes; who has not
 * never does, even if it is.
 *
 * @param kind what is to be done
 * @param claim the claim of this attempt
 * @param from what is expected in the map, of {@link Kind#REPLACE}, {@link Kind#RELEASE} and {@link Kind#STORE}; else
 *     null
 * @param to what is to be in the map, of {@link Kind#INSERT}, {@link Kind#REPLACE}, {@link Kind#RELEASE} and {@link
 *     Kind#STORE}; what is there, of {@link Kind#ANSWER}, {@link Kind#CLAIMED_BEFORE} and {@link Kind#FINISH}; else
 *     null
 * @param turns how often the map was found changed by somebody else
 */
public record ClaimStep(Kind kind, ReplyEntry claim, ReplyEntry from, ReplyEntry to, int turns) {

  /** What is to be done. */
  public enum Kind {
    /** Put the claim in if there is nothing, and tell {@link #found} what was there. */
    INSERT,
    /** Tell {@link #found} what is there. */
    READ,
    /** Put the claim in the place of the entry that is expected, and tell {@link #replaced} whether that was there. */
    REPLACE,
    /**
     * Take back the claim, which may have come in though the map has failed, and tell {@link #replaced} or {@link
     * #failed}. Before the end, because the next server is asked after it, and would find the claim.
     */
    RELEASE,
    /** Execute the call, and tell {@link #executed} what became of it. */
    EXECUTE,
    /** Put what became of the call in the place of the claim, and tell {@link #stored}, or {@link #failed}. */
    STORE,
    /** The end: answer with what became of the execution. */
    FINISH,
    /** The end: answer with the reply that was stored. */
    ANSWER,
    /** The end: somebody else has claimed the call, and nobody knows whether it was executed. */
    CLAIMED_BEFORE,
    /** The end: the call was executed, and its reply was not kept. */
    REPLY_GONE,
    /** The end: a newer call has come in the slot, so that nobody waits for this one. */
    LATE,
    /** The end: somebody else has made the call of this number. */
    OTHER_USER,
    /** The end: the map did not do in time what was asked for. The call is not executed by this attempt. */
    NOT_CLAIMED;

    /** Whether nothing is done after it. */
    public boolean isEnd() {
      return ordinal() >= FINISH.ordinal();
    }
  }

  /** So often the map may be found changed; somebody else has got on each time. */
  static final int MOST_TURNS = 8;

  /** Checks that there is a claim. */
  public ClaimStep {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(claim, "claim");
  }

  /**
   * The first step.
   *
   * @param claim with an owner that no other attempt has
   * @return puts it in
   */
  public static ClaimStep begin(ReplyEntry claim) {
    return new ClaimStep(Kind.INSERT, claim, null, claim, 0);
  }

  private ClaimStep then(Kind next, ReplyEntry expected, ReplyEntry wanted) {
    return new ClaimStep(next, claim, expected, wanted, turns);
  }

  /**
   * The map has said what there is, or was before the claim was put in.
   *
   * @param existing null for nothing
   * @return the next step
   */
  public ClaimStep found(ReplyEntry existing) {
    if (existing == null) {
      return kind == Kind.INSERT ? then(Kind.EXECUTE, null, null) : changed(Kind.INSERT, null);
    }
    if (existing.equals(claim)) {
      return then(Kind.EXECUTE, null, null);
    }
    if (existing.number() > claim.number()) {
      return then(Kind.LATE, null, null);
    }
    if (existing.number() < claim.number()) {
      return then(Kind.REPLACE, existing, claim);
    }
    if (!existing.user().equals(claim.user())) {
      return then(Kind.OTHER_USER, null, null);
    }
    return switch (existing.state()) {
      case ANSWERED -> then(Kind.ANSWER, null, existing);
      case GONE -> then(Kind.REPLY_GONE, null, existing);
      case RELEASED -> then(Kind.REPLACE, existing, claim);
      case CLAIMED -> then(Kind.CLAIMED_BEFORE, null, existing);
    };
  }

  /**
   * The map has said whether the entry was there that was expected.
   *
   * @param done whether it was, and the other one is there now
   * @return the next step
   */
  public ClaimStep replaced(boolean done) {
    if (kind == Kind.RELEASE) {
      return failed();
    }
    return done ? then(Kind.EXECUTE, null, null) : changed(Kind.READ, null);
  }

  private ClaimStep changed(Kind next, ReplyEntry expected) {
    if (turns == MOST_TURNS) {
      return failed();
    }
    return new ClaimStep(next, claim, expected, next == Kind.INSERT ? claim : null, turns + 1);
  }

  /**
   * The map has failed, or has not answered in time: nobody knows whether it has done what it was asked for.
   *
   * @return takes the claim back; or the end: of one that is not claimed, or of one that was executed
   */
  public ClaimStep failed() {
    return switch (kind) {
      case STORE -> then(Kind.FINISH, null, to);
      case RELEASE -> then(Kind.NOT_CLAIMED, null, null);
      default -> then(Kind.RELEASE, claim, claim.released());
    };
  }

  /**
   * The call has been executed, or will not be.
   *
   * @param outcome the claim with what has become of it
   * @return stores it
   */
  public ClaimStep executed(ReplyEntry outcome) {
    return then(Kind.STORE, claim, outcome);
  }

  /**
   * The map has said whether the claim was still there. If not, a newer call has come in the slot, or the store has
   * been done before; either way the answer is known.
   *
   * @return the end
   */
  public ClaimStep stored() {
    return then(Kind.FINISH, null, to);
  }
}
