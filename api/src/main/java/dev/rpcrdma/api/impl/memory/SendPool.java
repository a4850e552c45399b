// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.protocol.fabric.MessageBuffer;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import io.netty.channel.EventLoop;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * The buffers that messages of all connections of one event loop are sent from. They are in use from the post of
 * a Send to its completion, so that connections which send nothing have none. What is there is kept until the
 * device is closed. Confined to its loop.
 */
public final class SendPool {

  /** How many buffers are registered at once. */
  static final int SLAB = 32;
  /** With fewer than so many left the next ones are registered, since that takes a while. */
  private static final int FEW = SLAB / 4;

  private final Vertx vertx;
  private final EventLoop loop;
  private final ProtectionDomain domain;
  private final int length;
  private final List<MessageSlots> slabs = new ArrayList<>(1);
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  /** The last one that came back is the next one to go: it is the likeliest to be in the processor's cache. */
  private SendBuffer[] free = {};
  private int freeCount;
  private int count;
  private boolean growing;
  private boolean closed;
  /** The last one. */
  private Future<Void> growth = Future.succeededFuture();

  SendPool(Vertx vertx, EventLoop loop, ProtectionDomain domain, int length) {
    this.vertx = vertx;
    this.loop = loop;
    this.domain = domain;
    this.length = length;
  }

  /** Registers more buffers; from any thread the first time. Fails if there is no memory. */
  Future<Void> grow() {
    growing = true;
    Promise<Void> grown = Promise.promise();
    MessageSlots.register(vertx, loop, domain, SLAB, length).onComplete(slots -> {
      try {
        loop.execute(() -> grown(slots, grown));
      } catch (RejectedExecutionException e) {
        // The loop has ended, and all that would have been sent on it.
        grown.fail(e);
      }
    });
    growth = grown.future();
    return growth;
  }

  private void grown(AsyncResult<MessageSlots> slots, Promise<Void> told) {
    growing = false;
    if (slots.succeeded()) {
      add(slots.result());
      told.complete();
    } else {
      told.fail(slots.cause());
    }
  }

  private void add(MessageSlots slots) {
    slabs.add(slots);
    count += slots.count();
    free = Arrays.copyOf(free, count);
    for (int slot = 0; slot < slots.count(); slot++) {
      free[freeCount++] = new SendBuffer(slots, slot);
    }
    serveWaiting();
  }

  EventLoop loop() {
    return loop;
  }

  boolean hasBuffer() {
    return freeCount > 0;
  }

  /** Runs an action when there may be a buffer. */
  void await(Runnable action) {
    waiting.add(action);
    growIfFew();
  }

  MessageBuffer take() {
    SendBuffer buffer = free[--freeCount];
    growIfFew();
    return buffer;
  }

  private void growIfFew() {
    if (freeCount < FEW && !growing && !closed) {
      // Without memory for more, those that wait get what others give back.
      grow();
    }
  }

  private void giveBack(SendBuffer buffer) {
    free[freeCount++] = buffer;
    serveWaiting();
  }

  private void serveWaiting() {
    while (freeCount > 0 && !waiting.isEmpty()) {
      waiting.poll().run();
    }
  }

  /** Deregisters all buffers; on the loop. */
  Future<Void> close() {
    closed = true;
    return growth.otherwiseEmpty().compose(
        grown -> Future.join(slabs.stream().map(MessageSlots::deregister).toList()).mapEmpty());
  }

  /** How many buffers there are. */
  int count() {
    return count;
  }

  /** How many are not in use. */
  int left() {
    return freeCount;
  }

  /** One slot, for one message at a time. */
  private final class SendBuffer implements MessageBuffer, RegisteredRange {

    private final MessageSlots slots;
    private final int slot;

    SendBuffer(MessageSlots slots, int slot) {
      this.slots = slots;
      this.slot = slot;
    }

    @Override
    public LocalMemory memory() {
      return slots.memory();
    }

    @Override
    public int memoryOffset() {
      return slots.offset(slot);
    }

    @Override
    public ByteBuffer bytes() {
      return slots.view(slot);
    }

    @Override
    public void free() {
      giveBack(this);
    }
  }
}
