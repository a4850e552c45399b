package dev.rpcrdma.siw.queue;

import dev.rpcrdma.siw.memory.SiwMemory;

/** The receive queue: messages take the oldest Receive first (RFC 5040 §5.3). */
public final class ReceiveQueue {

  private final int capacity;
  private final int mask;
  private final long[] ids;
  private final SiwMemory[] memories;
  private final int[] offsets;
  private final int[] lengths;
  private long head;
  private long tail;

  /**
   * Creates an empty queue.
   *
   * @param capacity most Receives posted and not completed
   */
  public ReceiveQueue(int capacity) {
    this.capacity = capacity;
    int slots = SendQueue.ringSize(capacity);
    mask = slots - 1;
    ids = new long[slots];
    memories = new SiwMemory[slots];
    offsets = new int[slots];
    lengths = new int[slots];
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
  public void post(long id, SiwMemory memory, int offset, int length) {
    int slot = (int) tail++ & mask;
    ids[slot] = id;
    memories[slot] = memory;
    offsets[slot] = offset;
    lengths[slot] = length;
    memory.use();
  }

  /** Forgets the oldest Receive and gives its memory up. */
  public void removeHead() {
    int slot = (int) head++ & mask;
    memories[slot].unuse();
    memories[slot] = null;
  }

  /**
   * The oldest Receive's id.
   *
   * @return the id
   */
  public long headId() {
    return ids[(int) head & mask];
  }

  /**
   * The oldest Receive's memory.
   *
   * @return where to place the message
   */
  public SiwMemory headMemory() {
    return memories[(int) head & mask];
  }

  /**
   * The oldest Receive's first byte.
   *
   * @return the offset
   */
  public int headOffset() {
    return offsets[(int) head & mask];
  }

  /**
   * The oldest Receive's size.
   *
   * @return the longest message it takes
   */
  public int headLength() {
    return lengths[(int) head & mask];
  }
}
