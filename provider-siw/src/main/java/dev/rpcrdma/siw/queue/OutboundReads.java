// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

/**
 * This side's Read Requests without their Response, oldest first: at most ORD (RFC 5040 §6.1). A
 * sink tag exists nowhere else, so that nothing but the matching Response can be placed by it, and
 * it is gone when the Read is done.
 */
public final class OutboundReads {

  private int mask;
  private int[] sinkTags;
  private long[] sinkOffsets;
  private long[] indices;
  private long head;
  private long tail;
  private int placed;
  private long placedInAll;

  /**
   * Creates an empty queue.
   *
   * @param capacity ORD
   */
  public OutboundReads(int capacity) {
    allocate(Rings.firstSize(capacity));
  }

  private void allocate(int slots) {
    mask = slots - 1;
    sinkTags = new int[slots];
    sinkOffsets = new long[slots];
    indices = new long[slots];
  }

  private void grow() {
    int[] oldTags = sinkTags;
    long[] oldOffsets = sinkOffsets;
    long[] oldIndices = indices;
    allocate(2 * oldTags.length);
    Rings.move(oldTags, sinkTags, head, tail);
    Rings.move(oldOffsets, sinkOffsets, head, tail);
    Rings.move(oldIndices, indices, head, tail);
  }

  /**
   * A Read Request goes out.
   *
   * @param sinkTag its one-shot tag
   * @param sinkOffset where its data starts under that tag
   * @param index of the Read in the send queue
   */
  public void add(int sinkTag, long sinkOffset, long index) {
    if (tail - head > mask) {
      grow();
    }
    int slot = (int) tail++ & mask;
    sinkTags[slot] = sinkTag;
    sinkOffsets[slot] = sinkOffset;
    indices[slot] = index;
  }

  /**
   * Whether no Response is due.
   *
   * @return true if empty
   */
  public boolean isEmpty() {
    return head == tail;
  }

  /**
   * How many Responses are due.
   *
   * @return 0 to ORD
   */
  public int size() {
    return (int) (tail - head);
  }

  /**
   * The tag of the Response that is due.
   *
   * @return the oldest request's sink tag
   */
  public int sinkTag() {
    return sinkTags[(int) head & mask];
  }

  /**
   * Where the next byte of the Response that is due goes.
   *
   * @return a tagged offset
   */
  public long nextOffset() {
    return sinkOffsets[(int) head & mask] + placed;
  }

  /**
   * The Read whose Response is due.
   *
   * @return its index in the send queue
   */
  public long index() {
    return indices[(int) head & mask];
  }

  /**
   * How much of the Response has come.
   *
   * @return bytes placed
   */
  public int placed() {
    return placed;
  }

  /**
   * More of the Response has come.
   *
   * @param bytes placed
   */
  public void place(int bytes) {
    placed += bytes;
    placedInAll += bytes;
  }

  /**
   * How much has come of all Responses.
   *
   * @return bytes placed since the beginning
   */
  public long placedInAll() {
    return placedInAll;
  }

  /** The Response is complete: its tag is gone. */
  public void removeHead() {
    head++;
    placed = 0;
  }
}
