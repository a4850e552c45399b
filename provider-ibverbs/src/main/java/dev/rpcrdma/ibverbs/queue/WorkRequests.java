// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import java.nio.ByteBuffer;

/**
 * Native work requests with one scatter/gather entry each, made once and posted again and again: what does not change
 * is written when they are made. On the owning loop.
 */
final class WorkRequests {

  private static final int NONE = -1;

  private final NativeMemory requests;
  private final NativeMemory entries;
  private final NativeMemory bad = NativeMemory.allocate(Long.BYTES);
  private final int size;
  private final int next;
  private int first = NONE;
  private int last = NONE;

  /** Send requests if true, else Receives. */
  WorkRequests(int slots, boolean send) {
    size = send ? Layouts.SendWr.SIZE : Layouts.RecvWr.SIZE;
    next = send ? Layouts.SendWr.NEXT : Layouts.RecvWr.NEXT;
    requests = NativeMemory.allocate(slots * size);
    entries = NativeMemory.allocate(slots * Layouts.Sge.SIZE);
    for (int slot = 0; slot < slots; slot++) {
      buffer().putLong(slot * size + (send ? Layouts.SendWr.SG_LIST : Layouts.RecvWr.SG_LIST),
          entries.address() + (long) slot * Layouts.Sge.SIZE);
      buffer().putInt(slot * size + (send ? Layouts.SendWr.NUM_SGE : Layouts.RecvWr.NUM_SGE), 1);
    }
  }

  ByteBuffer buffer() {
    return requests.buffer();
  }

  /** Where a request begins in the buffer. */
  int at(int slot) {
    return slot * size;
  }

  void entry(int slot, long address, int length) {
    entries.buffer().putLong(slot * Layouts.Sge.SIZE + Layouts.Sge.ADDR, address)
        .putInt(slot * Layouts.Sge.SIZE + Layouts.Sge.LENGTH, length);
  }

  /** Where the device finds the memory, as it turns out. */
  void found(int slot, long address, int key) {
    entries.buffer().putLong(slot * Layouts.Sge.SIZE + Layouts.Sge.ADDR, address);
    key(slot, key);
  }

  void key(int slot, int key) {
    entries.buffer().putInt(slot * Layouts.Sge.SIZE + Layouts.Sge.LKEY, key);
  }

  /** Puts a request behind those that are to be posted together. */
  void chain(int slot) {
    buffer().putLong(at(slot) + next, 0);
    if (first == NONE) {
      first = slot;
    } else {
      buffer().putLong(at(last) + next, requests.address() + at(slot));
    }
    last = slot;
  }

  /** The newest one of the chain; -1 if there is none. */
  int last() {
    return last;
  }

  /** Where the chain begins, which is empty then. */
  long takeChain() {
    long address = requests.address() + at(first);
    first = NONE;
    last = NONE;
    return address;
  }

  /** Where a function says which request it has not taken. */
  long bad() {
    return bad.address();
  }
}
