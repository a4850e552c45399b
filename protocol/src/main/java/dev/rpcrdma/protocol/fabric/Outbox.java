// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import java.util.ArrayDeque;
import java.util.OptionalInt;

/**
 * The send queue as a connection sees it: transmissions in order, no more of them posted than there
 * are slots.
 *
 * <p><b>Operation.</b> Each Write and each Send takes a slot when it is posted and gives it back when
 * it completes. Completions come in posting order, so a ring of what is posted finds the owner.
 *
 * <p><b>Ownership.</b> A send buffer is taken when its Send is posted, and returned when it completes; if other
 * connections have all of them, Sends wait. A transmission's own memory is freed in
 * {@link Transmission#completed}, which is called exactly once for each.
 *
 * <p><b>Errors.</b> After the connection is lost each posted request still completes, flushed; what
 * is waiting is completed by {@link #abandon}.
 */
public final class Outbox {

  private final Fabric fabric;
  private final Memory memory;
  /** Without room at first, as each queue of a connection: most connections are idle. */
  private final ArrayDeque<Transmission> waiting = new ArrayDeque<>(0);
  /** A ring of what is posted, by the low bits of its id: the buffers of Sends, nothing for a Write. */
  private MessageBuffer[] postedBuffers = {};
  /** At the same index, whom the completion of the Send is to be told. */
  private Transmission[] awaiting = {};
  private int slots;
  private long oldestId = 1;
  private long nextId = 1;
  private boolean open;
  /** It hears when there is a buffer again. */
  private boolean awaitsBuffer;

  public Outbox(Fabric fabric, Memory memory) {
    this.fabric = fabric;
    this.memory = memory;
  }

  /** The connection is up. */
  public void open(int slots) {
    int ring = Integer.highestOneBit(2 * slots - 1);
    this.slots = slots;
    this.postedBuffers = new MessageBuffer[ring];
    this.awaiting = new Transmission[ring];
    this.open = true;
    pump();
  }

  public void submit(Transmission transmission) {
    if (idle() && !transmission.hasWrite()) {
      postSend(transmission);
    } else {
      waiting.add(transmission);
      pump();
    }
  }

  /** Whether what is submitted now is posted at once. */
  public boolean idle() {
    return open && waiting.isEmpty() && hasSlot() && hasBuffer();
  }

  /** Takes back a transmission of which nothing has been posted. */
  public boolean withdraw(Transmission transmission) {
    return !transmission.begun() && waiting.remove(transmission);
  }

  public int waiting() {
    return waiting.size();
  }

  /** Whether all that was submitted has been sent. */
  public boolean isDone() {
    return waiting.isEmpty() && oldestId == nextId;
  }

  /** The oldest posted Send or Write has completed. */
  public void completed(long id, boolean success, long now) {
    if (id != oldestId || oldestId == nextId) {
      throw new IllegalStateException("Completion of " + id + " out of order");
    }
    int slot = slot(oldestId++);
    MessageBuffer buffer = postedBuffers[slot];
    if (buffer != null) {
      postedBuffers[slot] = null;
      buffer.free();
    }
    Transmission transmission = awaiting[slot];
    if (transmission != null) {
      awaiting[slot] = null;
      transmission.completed(success, now);
    }
    pump();
  }

  /** Nothing more will be posted. */
  public void abandon(long now) {
    open = false;
    for (Transmission next = waiting.poll(); next != null; next = waiting.poll()) {
      next.completed(false, now);
    }
  }

  private boolean hasSlot() {
    return nextId - oldestId < slots;
  }

  private boolean hasBuffer() {
    if (memory.hasSendBuffer()) {
      return true;
    }
    if (!awaitsBuffer) {
      awaitsBuffer = true;
      memory.awaitSendBuffer(this::bufferFree);
    }
    return false;
  }

  private void bufferFree() {
    awaitsBuffer = false;
    pump();
  }

  private int slot(long id) {
    return (int) id & postedBuffers.length - 1;
  }

  private void pump() {
    while (open && hasSlot() && !waiting.isEmpty()) {
      Transmission next = waiting.peek();
      if (next.hasWrite()) {
        Transmission.Write write = next.nextWrite();
        fabric.postWrite(nextId++, write.source(), write.from(), write.length(), write.handle(),
            write.offset());
      } else if (hasBuffer()) {
        waiting.poll();
        postSend(next);
      } else {
        return;
      }
    }
  }

  private void postSend(Transmission transmission) {
    MessageBuffer buffer = memory.takeSendBuffer();
    int length;
    try {
      length = transmission.encode(buffer.bytes());
    } catch (Throwable e) {
      // An owner too few of one message must not cost all others their connection.
      buffer.free();
      transmission.encodingFailed(e);
      return;
    }
    long id = nextId++;
    postedBuffers[slot(id)] = buffer;
    if (transmission.awaitsCompletion()) {
      awaiting[slot(id)] = transmission;
    }
    OptionalInt invalidate = transmission.invalidate();
    if (invalidate.isPresent()) {
      fabric.postSendWithInvalidate(id, buffer, length, invalidate.getAsInt());
    } else {
      fabric.postSend(id, buffer, length);
    }
  }
}
