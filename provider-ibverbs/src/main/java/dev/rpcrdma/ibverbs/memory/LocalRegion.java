// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

/**
 * A consumer's memory in the domain of one queue pair, for its posts: as a whole for all of them, or a range of a
 * mapped file for one. On the owning loop.
 */
public final class LocalRegion {

  final SharedMemory memory;
  /** Null for a range of a mapped file, which ends with its post. */
  final Runnable wanted;
  private final int offset;
  /** Null until it is registered. */
  IbverbsRange range;
  int posts;
  boolean unwanted;

  LocalRegion(SharedMemory memory, int offset, Runnable wanted) {
    this.memory = memory;
    this.offset = offset;
    this.wanted = wanted;
  }

  /** Whether nobody posts it any more, and nobody will. */
  boolean isOver() {
    return posts == 0 && (unwanted || wanted == null);
  }

  /** Whether it can be posted. */
  public boolean isReady() {
    return range != null;
  }

  /** What a scatter/gather entry names it by; only once it is ready. */
  public int key() {
    return range.region().localKey();
  }

  /**
   * Where the device finds what is at an offset of the memory; only once it is ready.
   *
   * @param at in the memory
   * @return an address
   */
  public long address(int at) {
    return range.address() + at - offset;
  }

  /**
   * The device has placed data, which is where its consumer looks for it.
   *
   * @param at in the memory
   * @param length how many bytes
   * @throws InternalError if a mapped file has been truncated
   */
  public void placed(int at, int length) {
    range.copyBack(memory, offset, at - offset, length);
  }
}
