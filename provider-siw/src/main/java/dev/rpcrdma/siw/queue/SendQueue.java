// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.MemoryUses;

/**
 * The send queue. Each work request has an index that grows by one; the ring keeps those that have
 * not completed.
 *
 * <pre>
 *   head        handedOver      produced         rung            tail
 *   oldest not  bytes with      last segment     flushed by      next free
 *   completed   the kernel      produced         the consumer
 * </pre>
 *
 * <p>Sends and Writes are done when handed over, Reads when their Response has come; all complete
 * in posting order (RFC 5040 §5.5).
 */
public final class SendQueue {

  private final int capacity;
  private int mask;
  private WorkRequest[] slots;
  private final MemoryUses uses = new MemoryUses();

  private long head;
  private long handedOver;
  private long produced;
  private long rung;
  private long tail;
  private int reads;
  private long failed = -1;

  /**
   * Creates an empty queue.
   *
   * @param capacity most work requests posted and not completed
   */
  public SendQueue(int capacity) {
    this.capacity = capacity;
    slots = new WorkRequest[Rings.firstSize(capacity)];
    mask = slots.length - 1;
  }

  private void grow() {
    WorkRequest[] old = slots;
    slots = new WorkRequest[2 * old.length];
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
   * Posts one work request; the caller has checked all of it.
   *
   * @param id of the consumer
   * @param opcode Send, Write or Read
   * @param memory source, or sink of a Read; one use is added
   * @param offset first byte
   * @param length number of bytes
   * @param tag remote tag, or the one to invalidate
   * @param remoteOffset remote offset
   * @param invalidate whether a Send invalidates {@code tag}
   */
  public void post(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
      long remoteOffset, boolean invalidate) {
    uses.begin(memory);
    if (tail - head > mask) {
      grow();
    }
    int slot = (int) tail++ & mask;
    if (slots[slot] == null) {
      slots[slot] = new WorkRequest();
    }
    WorkRequest request = slots[slot];
    request.id = id;
    request.opcode = opcode;
    request.memory = memory;
    request.offset = offset;
    request.length = length;
    request.tag = tag;
    request.remoteOffset = remoteOffset;
    request.invalidates = invalidate;
    request.readDone = false;
    if (opcode == Opcode.READ) {
      reads++;
    }
  }

  /** Rings the doorbell for all that is posted. */
  public void ring() {
    rung = tail;
  }

  /**
   * Whether a work request is rung and not yet wholly produced.
   *
   * @return true if {@link #produced()} is the index of one
   */
  public boolean hasWork() {
    return produced < rung;
  }

  /** The work request at {@link #produced()} has been turned into segments, all of them. */
  public void advanceProduced() {
    produced++;
  }

  /**
   * How many work requests have been turned into segments since the beginning.
   *
   * @return an index
   */
  public long produced() {
    return produced;
  }

  /**
   * The kernel has the bytes of all work requests below an index.
   *
   * @param index as {@link #produced()} was when they were produced
   */
  public void handedOver(long index) {
    handedOver = index;
  }

  /**
   * Marks the work request being produced as failed.
   */
  public void failProduced() {
    failed = produced;
  }

  /**
   * The Response of a Read has come completely.
   *
   * @param index of the Read
   */
  public void readDone(long index) {
    at(index).readDone = true;
  }

  /**
   * Whether the oldest work request is done.
   *
   * @return true if {@link #removeHead} may be called
   */
  public boolean headDone() {
    if (head == tail) {
      return false;
    }
    WorkRequest request = at(head);
    return request.opcode == Opcode.READ ? request.readDone : head < handedOver;
  }

  /**
   * Whether the oldest work request failed by itself.
   *
   * @return true if its status is ERROR
   */
  public boolean headFailed() {
    return head == failed;
  }

  /**
   * Whether nothing is posted.
   *
   * @return true if empty
   */
  public boolean isEmpty() {
    return head == tail;
  }

  /** Forgets the oldest work request and gives its memory up. */
  public void removeHead() {
    WorkRequest request = at(head++);
    if (request.opcode == Opcode.READ) {
      reads--;
    }
    uses.end(request.memory);
    request.memory = null;
  }

  /**
   * The index of the oldest work request.
   *
   * @return an index
   */
  public long head() {
    return head;
  }

  /**
   * How many Reads are posted and not completed.
   *
   * @return 0 to ORD
   */
  public int reads() {
    return reads;
  }

  /**
   * The consumer's id.
   *
   * @param index of a work request
   * @return the id
   */
  public long id(long index) {
    return at(index).id;
  }

  /**
   * The kind.
   *
   * @param index of a work request
   * @return the opcode
   */
  public Opcode opcode(long index) {
    return at(index).opcode;
  }

  /**
   * The local memory.
   *
   * @param index of a work request
   * @return source or sink
   */
  public HostMemory memory(long index) {
    return at(index).memory;
  }

  /**
   * The first byte in the local memory.
   *
   * @param index of a work request
   * @return the offset
   */
  public int offset(long index) {
    return at(index).offset;
  }

  /**
   * The number of bytes.
   *
   * @param index of a work request
   * @return the length
   */
  public int length(long index) {
    return at(index).length;
  }

  /**
   * The remote tag.
   *
   * @param index of a work request
   * @return the tag
   */
  public int tag(long index) {
    return at(index).tag;
  }

  /**
   * The remote offset.
   *
   * @param index of a work request
   * @return the offset
   */
  public long remoteOffset(long index) {
    return at(index).remoteOffset;
  }

  /**
   * Whether a Send invalidates.
   *
   * @param index of a work request
   * @return true for Send With Invalidate
   */
  public boolean invalidates(long index) {
    return at(index).invalidates;
  }

  private WorkRequest at(long index) {
    return slots[(int) index & mask];
  }
}
