// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;

/**
 * The send queue as this side knows it: Sends, Writes and Reads in posting order, in which they are told of. Not each
 * of them asks the device for a completion: one that has come tells of all Sends and Writes before it. Reads ask each,
 * and are told of by their own: software iWARP completes a Send before the Read that was posted earlier, whose data has
 * not come. The last one before a doorbell asks as well; so nothing that was rung for stays untold. On the owning loop.
 *
 * <p>Requests have numbers that count up, which are the {@code wr_id} that the device gives back.
 */
public final class SendLedger {

  private final long[] ids;
  private final Opcode[] opcodes;
  private final Status[] outcomes;
  private final int mask;
  private final int depth;
  /** The oldest one that has not been told of. */
  private long head;
  /** The oldest one that is not over. */
  private long over;
  /** Of those before, all but Reads are over. */
  private long implied;
  private long tail;
  private int reads;

  /**
   * An empty queue.
   *
   * @param depth most requests posted and not told of
   */
  public SendLedger(int depth) {
    this.depth = depth;
    int size = Integer.highestOneBit(Math.max(1, 2 * depth - 1));
    ids = new long[size];
    opcodes = new Opcode[size];
    outcomes = new Status[size];
    mask = size - 1;
  }

  /** Whether nothing more can be posted. */
  public boolean isFull() {
    return tail - head >= depth;
  }

  /** Whether all that was posted is over and told of. */
  public boolean isEmpty() {
    return head == tail;
  }

  /** The number of the oldest request that is not told of. */
  public long head() {
    return head;
  }

  /** The number of the oldest request that is not over, whose memory the device may still use. */
  public long over() {
    return over;
  }

  /** The number of the next request. */
  public long tail() {
    return tail;
  }

  /** Reads that are not told of. */
  public int reads() {
    return reads;
  }

  /**
   * A request is posted.
   *
   * @param id of the consumer
   * @param opcode its kind
   * @return its number
   */
  public long posted(long id, Opcode opcode) {
    int slot = (int) tail & mask;
    ids[slot] = id;
    opcodes[slot] = opcode;
    outcomes[slot] = null;
    reads += opcode == Opcode.READ ? 1 : 0;
    return tail++;
  }

  /**
   * The device has completed a request, and with it all Sends and Writes before.
   *
   * @param number of the request
   * @param status of this one; those before that did not ask have succeeded
   * @return false if there is no such request under way: the device is not to be trusted any more
   */
  public boolean completed(long number, Status status) {
    if (number < over || number >= tail || outcomes[(int) number & mask] != null) {
      return false;
    }
    for (; implied < number; implied++) {
      int slot = (int) implied & mask;
      if (outcomes[slot] == null && opcodes[slot] != Opcode.READ) {
        outcomes[slot] = Status.SUCCESS;
      }
    }
    outcomes[(int) number & mask] = status;
    advance();
    return true;
  }

  private void advance() {
    while (over < tail && outcomes[(int) over & mask] != null) {
      over++;
    }
  }

  /** The device tells of nothing any more: what is not over is flushed. */
  public void flush() {
    for (long number = over; number < tail; number++) {
      int slot = (int) number & mask;
      if (outcomes[slot] == null) {
        outcomes[slot] = Status.FLUSHED;
      }
    }
    implied = tail;
    over = tail;
  }

  /**
   * Takes the oldest request if it is over.
   *
   * @param into filled
   * @return false if it is not, or there is none
   */
  public boolean next(Completion into) {
    if (head >= over) {
      return false;
    }
    int slot = (int) head++ & mask;
    reads -= opcodes[slot] == Opcode.READ ? 1 : 0;
    into.of(ids[slot], opcodes[slot], outcomes[slot]);
    return true;
  }
}
