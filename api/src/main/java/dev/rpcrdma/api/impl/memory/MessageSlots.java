// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.PageMemory;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;

/** Equal slots for messages in one registered block, local only. */
public final class MessageSlots {

  private static final int CACHE_LINE = 64;

  private final LocalMemory memory;
  private final int slotLength;
  private final ByteBuffer[] views;

  private MessageSlots(LocalMemory memory, int slots, int slotLength) {
    this.memory = memory;
    this.slotLength = slotLength;
    this.views = new ByteBuffer[slots];
    for (int i = 0; i < slots; i++) {
      views[i] = memory.buffer().slice(offset(i), slotLength);
    }
  }

  /**
   * Allocates and registers slots. On a worker: the JDK may collect garbage for half a second before it says
   * that there is no direct memory.
   *
   * @param vertx has the worker: that of a verticle may end before it has begun
   * @param loop where this is told
   */
  public static Future<MessageSlots> register(Vertx vertx, EventLoop loop, ProtectionDomain domain, int slots,
      int slotLength) {
    Context context = Contexts.newOn(vertx, loop);
    return context.executeBlocking(() -> allocate(slots, slotLength), false)
        .compose(block -> domain.register(block, LocalMemory.Backing.MEMORY))
        .map(memory -> new MessageSlots(memory, slots, slotLength));
  }

  private static ByteBuffer allocate(int slots, int slotLength) {
    try {
      return PageMemory.allocate(Math.multiplyExact(slots, stride(slotLength)));
    } catch (OutOfMemoryError | ArithmeticException e) {
      throw new VerbsException(VerbsException.Kind.RESOURCES,
          "No direct memory for " + slots + " messages of " + slotLength + " bytes; raise "
              + "-XX:MaxDirectMemorySize, or lower credits or inline size", e);
    }
  }

  /**
   * From one slot to the next: an odd number of cache lines. With a power of two in between, the first
   * lines of all slots, which are all that small messages use, would compete for a few places of the
   * processor's cache.
   */
  private static int stride(int slotLength) {
    return ((slotLength + CACHE_LINE - 1) / CACHE_LINE | 1) * CACHE_LINE;
  }

  public LocalMemory memory() {
    return memory;
  }

  public int count() {
    return views.length;
  }

  public int slotLength() {
    return slotLength;
  }

  public int offset(int slot) {
    return slot * stride(slotLength);
  }

  /** The slot's bytes, from 0 to its length; always the same object. */
  public ByteBuffer view(int slot) {
    return views[slot].clear();
  }

  public Future<Void> deregister() {
    return memory.deregister();
  }
}
