package dev.rpcrdma.api.impl;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;

/**
 * Equal slots for messages in one registered block, local only, for a connection's life. Not
 * thread-safe.
 */
final class MessageSlots {

  private static final int CACHE_LINE = 64;

  private final LocalMemory memory;
  private final int slotLength;
  private final ByteBuffer[] views;
  private final int[] free;
  private int freeCount;

  private MessageSlots(LocalMemory memory, int slots, int slotLength) {
    this.memory = memory;
    this.slotLength = slotLength;
    this.views = new ByteBuffer[slots];
    this.free = new int[slots];
    for (int i = 0; i < slots; i++) {
      views[i] = memory.buffer().slice(offset(i), slotLength);
      free[i] = slots - 1 - i;
    }
    this.freeCount = slots;
  }

  static Future<MessageSlots> register(ProtectionDomain domain, int slots, int slotLength) {
    ByteBuffer block;
    try {
      block = ByteBuffer.allocateDirect(Math.multiplyExact(slots, stride(slotLength)));
    } catch (OutOfMemoryError | ArithmeticException e) {
      return Future.failedFuture(new VerbsException(VerbsException.Kind.RESOURCES,
          "No direct memory for " + slots + " messages of " + slotLength + " bytes; raise "
              + "-XX:MaxDirectMemorySize, or lower credits or inline size", e));
    }
    return domain.register(block, LocalMemory.Backing.MEMORY)
        .map(memory -> new MessageSlots(memory, slots, slotLength));
  }

  /**
   * From one slot to the next: an odd number of cache lines. With a power of two in between, the first
   * lines of all slots, which are all that small messages use, would compete for a few places of the
   * processor's cache.
   */
  private static int stride(int slotLength) {
    return ((slotLength + CACHE_LINE - 1) / CACHE_LINE | 1) * CACHE_LINE;
  }

  LocalMemory memory() {
    return memory;
  }

  int count() {
    return views.length;
  }

  int slotLength() {
    return slotLength;
  }

  int offset(int slot) {
    return slot * stride(slotLength);
  }

  /** The slot's bytes, from 0 to its length; always the same object. */
  ByteBuffer view(int slot) {
    return views[slot].clear();
  }

  int take() {
    if (freeCount == 0) {
      throw new IllegalStateException("All " + views.length + " slots are in use");
    }
    return free[--freeCount];
  }

  void giveBack(int slot) {
    free[freeCount++] = slot;
  }

  int inUse() {
    return views.length - freeCount;
  }

  Future<Void> deregister() {
    return memory.deregister();
  }
}
