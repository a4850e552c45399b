// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;

/**
 * The receive queue as this side knows it: messages take the oldest Receive, so completions come in posting order. On
 * the owning loop.
 */
public final class ReceiveLedger {

  private final long[] ids;
  private final int mask;
  private final int depth;
  private long head;
  private long tail;

  /**
   * An empty queue.
   *
   * @param depth most Receives posted and not over
   */
  public ReceiveLedger(int depth) {
    this.depth = depth;
    int size = Integer.highestOneBit(Math.max(1, 2 * depth - 1));
    ids = new long[size];
    mask = size - 1;
  }

  /** Whether nothing more can be posted. */
  public boolean isFull() {
    return tail - head >= depth;
  }

  /** The number of the oldest Receive. */
  public long head() {
    return head;
  }

  /** The number of the next Receive. */
  public long tail() {
    return tail;
  }

  /** Whether nothing is posted. */
  public boolean isEmpty() {
    return head == tail;
  }

  /**
   * A Receive is posted.
   *
   * @param id of the consumer
   * @return its number
   */
  public long posted(long id) {
    ids[(int) tail & mask] = id;
    return tail++;
  }

  /** Whether a number is that of the oldest Receive: the next one to be completed. */
  public boolean isOldest(long number) {
    return head < tail && number == head;
  }

  /** Takes the oldest Receive, which has a message; the consumer's id. */
  public long take() {
    return ids[(int) head++ & mask];
  }

  /**
   * Takes the oldest Receive, which no message will come for.
   *
   * @param into filled
   * @return false if there is none
   */
  public boolean nextFlushed(Completion into) {
    if (head == tail) {
      return false;
    }
    into.of(take(), Opcode.RECEIVE, Status.FLUSHED);
    return true;
  }
}
