// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.memory.LocalRegion;
import dev.rpcrdma.ibverbs.memory.PairMemory;
import dev.rpcrdma.ibverbs.memory.SharedMemory;
import dev.rpcrdma.verbs.support.MemoryUses;

/** The memory of one queue's work requests, from when they are posted until they are told of. On the owning loop. */
final class PostedMemory {

  private final PairMemory memory;
  private final WorkRequests requests;
  private final MemoryUses uses = new MemoryUses();
  private final SharedMemory[] memories;
  /** Null if the device needs no registration. */
  private final LocalRegion[] regions;
  private final int[] offsets;

  PostedMemory(PairMemory memory, WorkRequests requests, int slots) {
    this.memory = memory;
    this.requests = requests;
    memories = new SharedMemory[slots];
    regions = new LocalRegion[slots];
    offsets = new int[slots];
  }

  /**
   * A work request begins to use memory.
   *
   * @param slot of the request
   * @param used checked
   * @param offset first byte
   * @param length number of bytes
   * @param registered whether the device has to know it
   * @param atOnce whether registering must not wait
   */
  void begin(int slot, SharedMemory used, int offset, int length, boolean registered, boolean atOnce) {
    memories[slot] = used;
    offsets[slot] = offset;
    regions[slot] = registered && length > 0 ? memory.begin(used, offset, length, atOnce) : null;
    requests.entry(slot, NativeMemory.addressOf(used.buffer()) + offset, length);
    requests.key(slot, 0);
  }

  /** Counts a use before the slot is known, since that can fail. */
  void use(SharedMemory used) {
    uses.begin(used);
  }

  /** Writes where the device finds the memory, if that is known; false if its registration is under way. */
  boolean resolve(int slot) {
    LocalRegion region = regions[slot];
    if (region == null) {
      return true;
    }
    if (!region.isReady()) {
      return false;
    }
    requests.found(slot, region.address(offsets[slot]), region.key());
    return true;
  }

  /**
   * The device has placed data, which is where the consumer looks for it.
   *
   * @param slot of the request
   * @param length how many bytes
   * @throws InternalError if it is a mapped file that has been truncated
   */
  void placed(int slot, int length) {
    if (regions[slot] != null) {
      regions[slot].placed(offsets[slot], length);
    }
  }

  /** The work request is told of, and uses nothing any more. */
  void end(int slot) {
    uses.end(memories[slot]);
    memories[slot] = null;
    if (regions[slot] != null) {
      memory.end(regions[slot]);
      regions[slot] = null;
    }
  }
}
