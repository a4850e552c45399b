// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.MemoryUses;

/** The receive queue: messages take the oldest Receive first (RFC 5040 §5.3). */
public final class ReceiveQueue {

  private final int capacity;
  private int mask;
  private PostedReceive[] slots;
  private final MemoryUses uses = new MemoryUses();
  private long head;
  private long tail;

  /**
   * Creates an empty queue.
   *
   * @param capacity most Receives posted and not completed
   */
  public ReceiveQueue(int capacity) {
    this.capacity = capacity;
    slots = new PostedReceive[Rings.firstSize(capacity)];
    mask = slots.length - 1;
  }

  private void grow() {
    PostedReceive[] old = slots;
    slots = new PostedReceive[2 * old.length];
    mask = slots.length - 1;
    Rings.move(old, slots, head, tail);
  }

  /**
   * The depth.
   *
   * @return most work requests posted and not completed
   */
  public int capacity() {
    return capacity;
  }

  /**
   * Whether nothing more can be posted.
   *
   * @return true if full
   */
  public boolean isFull() {
    return tail - head >= capacity;
  }

  /**
   * Whether nothing is posted.
   *
   * @return true if empty
   */
  public boolean isEmpty() {
    return head == tail;
  }

  /**
   * Posts one Receive; the caller has checked all of it.
   *
   * @param id of the consumer
   * @param memory where to place the message; one use is added
   * @param offset first byte
   * @param length longest message
   */
  public void post(long id, HostMemory memory, int offset, int length) {
    uses.begin(memory);
    if (tail - head > mask) {
      grow();
    }
    int slot = (int) tail++ & mask;
    if (slots[slot] == null) {
      slots[slot] = new PostedReceive();
    }
    PostedReceive receive = slots[slot];
    receive.id = id;
    receive.memory = memory;
    receive.offset = offset;
    receive.length = length;
  }

  /** Forgets the oldest Receive and gives its memory up. */
  public void removeHead() {
    PostedReceive receive = head();
    head++;
    uses.end(receive.memory);
    receive.memory = null;
  }

  /**
   * The oldest Receive's id.
   *
   * @return the id
   */
  public long headId() {
    return head().id;
  }

  /**
   * The oldest Receive's memory.
   *
   * @return where to place the message
   */
  public HostMemory headMemory() {
    return head().memory;
  }

  /**
   * The oldest Receive's first byte.
   *
   * @return the offset
   */
  public int headOffset() {
    return head().offset;
  }

  /**
   * The oldest Receive's size.
   *
   * @return the longest message it takes
   */
  public int headLength() {
    return head().length;
  }

  private PostedReceive head() {
    return slots[(int) head & mask];
  }

  /** A slot; made when first needed and filled again and again. */
  private static final class PostedReceive {
    long id;
    HostMemory memory;
    int offset;
    int length;
  }
}
