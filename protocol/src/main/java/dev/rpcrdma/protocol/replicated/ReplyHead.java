// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import java.util.Optional;

/**
 * What stands in front of the results of a call that has an identity: one word of XDR. If it is missing, the server
 * knows nothing of identities, and nobody must rely on it.
 */
public enum ReplyHead {
  /** Results follow, of this execution or of the first one. */
  RESULTS,
  /** Another server has claimed the call, and nobody knows whether it has executed it. Nothing follows. */
  CLAIMED_BEFORE,
  /** The call was executed, and its reply was not kept. Nothing follows. */
  REPLY_GONE,
  /** A newer call has come in the slot. Nothing follows. */
  LATE,
  /** Somebody else has made the call of this identity. Nothing follows. */
  OTHER_USER,
  /** The server could not claim the call, and has not executed it. Nothing follows. */
  NOT_CLAIMED;

  /** How many bytes it has. */
  public static final int LENGTH = 4;

  /** The bytes 'R', 'R', and the number of this format. */
  private static final int MAGIC = 0x5252_0100;
  private static final ReplyHead[] ALL = values();

  /**
   * The word.
   *
   * @return 32 bits
   */
  public int word() {
    return MAGIC | ordinal();
  }

  /**
   * What a word says.
   *
   * @param word 32 bits
   * @return empty if it is no such word
   */
  public static Optional<ReplyHead> of(int word) {
    int index = word - MAGIC;
    return index < 0 || index >= ALL.length ? Optional.empty() : Optional.of(ALL[index]);
  }
}
