// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import dev.rpcrdma.siw.memory.SiwExposure;

/**
 * The Read Requests of the peer that wait for their Response or whose Response is on its way: at
 * most IRD (RFC 5040 §6.1). Responses go out in request order.
 */
public final class InboundReads {

  private final int capacity;
  private int mask;
  private int[] sinkTags;
  private long[] sinkOffsets;
  private SiwExposure[] exposures;
  private int[] indices;
  private int[] lengths;
  private long head;
  private long produced;
  private long tail;

  /**
   * Creates an empty queue.
   *
   * @param capacity IRD
   */
  public InboundReads(int capacity) {
    this.capacity = capacity;
    allocate(Rings.firstSize(capacity));
  }

  private void allocate(int slots) {
    mask = slots - 1;
    sinkTags = new int[slots];
    sinkOffsets = new long[slots];
    exposures = new SiwExposure[slots];
    indices = new int[slots];
    lengths = new int[slots];
  }

  private void grow() {
    int[] oldTags = sinkTags;
    long[] oldOffsets = sinkOffsets;
    SiwExposure[] oldExposures = exposures;
    int[] oldIndices = indices;
    int[] oldLengths = lengths;
    allocate(2 * oldTags.length);
    Rings.move(oldTags, sinkTags, head, tail);
    Rings.move(oldOffsets, sinkOffsets, head, tail);
    Rings.move(oldExposures, exposures, head, tail);
    Rings.move(oldIndices, indices, head, tail);
    Rings.move(oldLengths, lengths, head, tail);
  }

  /**
   * Whether the peer has used up its IRD.
   *
   * @return true if full
   */
  public boolean isFull() {
    return tail - head >= capacity;
  }

  /**
   * Adds a checked request.
   *
   * @param sinkTag to be echoed
   * @param sinkOffset to be echoed
   * @param exposure source, or null for a Read of length 0; one outbound reference is added
   * @param index of the first byte in the exposure's memory
   * @param length number of bytes
   */
  public void add(int sinkTag, long sinkOffset, SiwExposure exposure, int index, int length) {
    if (tail - head > mask) {
      grow();
    }
    int slot = (int) tail++ & mask;
    sinkTags[slot] = sinkTag;
    sinkOffsets[slot] = sinkOffset;
    exposures[slot] = exposure;
    indices[slot] = index;
    lengths[slot] = length;
    if (exposure != null) {
      exposure.retain();
    }
  }

  /**
   * Whether a Response is to be produced.
   *
   * @return true if there is one
   */
  public boolean hasWork() {
    return produced < tail;
  }

  /** The Response has been turned into segments, the last one included. */
  public void advanceProduced() {
    produced++;
  }

  /**
   * How many Responses have been turned into segments since the beginning.
   *
   * @return an index
   */
  public long produced() {
    return produced;
  }

  /**
   * Whether the oldest request's Response is below an index.
   *
   * @param index as {@link #produced()} was
   * @return true if {@link #removeHead} may be called
   */
  public boolean headBelow(long index) {
    return head < index;
  }

  /**
   * Whether no request is waiting and no Response on its way.
   *
   * @return true if empty
   */
  public boolean isEmpty() {
    return head == tail;
  }

  /**
   * Forgets the oldest request.
   *
   * @return its exposure, to be released, or null
   */
  public SiwExposure removeHead() {
    int slot = (int) head++ & mask;
    SiwExposure exposure = exposures[slot];
    exposures[slot] = null;
    return exposure;
  }

  /**
   * Where the Response being produced goes.
   *
   * @return the requester's tag
   */
  public int sinkTag() {
    return sinkTags[(int) produced & mask];
  }

  /**
   * Where the Response being produced starts.
   *
   * @return the requester's offset
   */
  public long sinkOffset() {
    return sinkOffsets[(int) produced & mask];
  }

  /**
   * What the Response being produced reads.
   *
   * @return the source, or null if its length is 0
   */
  public SiwExposure exposure() {
    return exposures[(int) produced & mask];
  }

  /**
   * Where the Response being produced reads.
   *
   * @return index in the exposure's memory
   */
  public int index() {
    return indices[(int) produced & mask];
  }

  /**
   * How long the Response being produced is.
   *
   * @return bytes
   */
  public int length() {
    return lengths[(int) produced & mask];
  }
}
