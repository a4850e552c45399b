// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.LocalMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Large blocks that nobody uses for now. Clearing and registering them takes longer than filling them, so that they
 * are kept for a moment; not for long, since few need as much again. Guarded by its pool.
 */
final class IdleBlocks {

  private record Idle(LocalMemory block, long since) {}

  private final long maxBytes;
  /** In the order in which they came back. */
  private final List<Idle> blocks = new ArrayList<>();
  private long bytes;

  IdleBlocks(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Keeps a block; false if there is no room. */
  boolean keep(LocalMemory block, long now) {
    if (bytes + block.length() > maxBytes) {
      return false;
    }
    bytes += block.length();
    blocks.add(new Idle(block, now));
    return true;
  }

  /** The smallest block that is large enough, and not twice as large; null if there is none. */
  LocalMemory take(int size) {
    Idle best = null;
    for (Idle idle : blocks) {
      int length = idle.block.length();
      if (length >= size && length / 2 < size && (best == null || length < best.block.length())) {
        best = idle;
      }
    }
    if (best == null) {
      return null;
    }
    blocks.remove(best);
    bytes -= best.block.length();
    return best.block;
  }

  /** Takes those out that came back before a time. */
  List<LocalMemory> takeBefore(long time) {
    List<LocalMemory> old = new ArrayList<>();
    while (!blocks.isEmpty() && blocks.get(0).since - time < 0) {
      Idle first = blocks.remove(0);
      bytes -= first.block.length();
      old.add(first.block);
    }
    return old;
  }

  /** Takes all out. */
  List<LocalMemory> takeAll() {
    List<LocalMemory> all = new ArrayList<>();
    blocks.forEach(idle -> all.add(idle.block));
    blocks.clear();
    bytes = 0;
    return all;
  }
}
