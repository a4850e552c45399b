// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

/**
 * The uses that a queue's work requests make of memory. Nearly all of them are of one memory, that of a
 * connection's message slots: as long as a request is on it, the others are counted here and cost that
 * memory, which other threads may use as well, no atomic operation.
 */
public final class MemoryUses {

  private HostMemory held;
  private int holders;

  /** Counts nothing yet. */
  public MemoryUses() {}

  /**
   * A work request begins to use a memory.
   *
   * @param memory of the queue pair's domain
   */
  public void begin(HostMemory memory) {
    if (memory == held) {
      holders++;
      return;
    }
    memory.use();
    if (held == null) {
      held = memory;
      holders = 1;
    }
  }

  /**
   * A work request has used a memory.
   *
   * @param memory whose use was begun
   */
  public void end(HostMemory memory) {
    // Which of the requests on one memory were counted here does not matter, only how many.
    if (memory != held) {
      memory.unuse();
    } else if (--holders == 0) {
      held = null;
      memory.unuse();
    }
  }
}
