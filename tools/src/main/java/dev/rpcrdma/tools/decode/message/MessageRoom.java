// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Memory for messages that are not complete yet, of all connections of a capture. If they take too much, the oldest one
 * is forgotten.
 */
public final class MessageRoom {

  /** Bytes of the longest message that is put together; calls are shorter by far. */
  private static final int LONGEST_MESSAGE = 1 << 26;

  /** A message that is not complete. */
  interface Unfinished {

    /** Gives up the message; its memory is counted no more. */
    void forget();
  }

  private final int longest;
  private final Map<Unfinished, Long> held = new LinkedHashMap<>();
  private long bytes;
  private int forgotten;

  /** Creates room that is empty. */
  public MessageRoom() {
    this(LONGEST_MESSAGE);
  }

  /**
   * Creates room that is empty.
   *
   * @param longest bytes of a message; all together have twice as many
   */
  MessageRoom(int longest) {
    this.longest = longest;
  }

  /** Returns how many bytes a message may have. */
  int longest() {
    return longest;
  }

  /**
   * Counts a message, and forgets old ones if there is too much.
   *
   * @param now how many bytes the message takes; 0 if it is none any more
   */
  void hold(Unfinished message, long now) {
    Long before = now == 0 ? held.remove(message) : held.put(message, now);
    bytes += now - (before == null ? 0 : before);
    while (bytes > 2L * longest) {
      Unfinished oldest = held.keySet().iterator().next();
      bytes -= held.remove(oldest);
      forgotten++;
      oldest.forget();
    }
  }

  /**
   * Returns how many messages were not put together: there were too many, one was too long, or its segments overlap.
   *
   * @return the number
   */
  public int forgotten() {
    return forgotten;
  }

  /** Counts a message that is not put together. */
  void refuse() {
    forgotten++;
  }

  /** Returns how many bytes unfinished messages take. */
  long bytes() {
    return bytes;
  }
}
