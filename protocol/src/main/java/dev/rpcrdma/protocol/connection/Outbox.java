package dev.rpcrdma.protocol.connection;

import java.util.ArrayDeque;

/**
 * The send queue as a connection sees it: transmissions in order, no more of them posted than there
 * are slots.
 *
 * <p><b>Operation.</b> Each Write and each Send takes a slot when it is posted and gives it back when
 * it completes. Completions come in posting order, so a queue of what is posted finds the owner.
 *
 * <p><b>Ownership.</b> A send buffer is taken when its Send is posted, and returned when it
 * completes. A transmission's own memory is freed in {@link Transmission#completed}, which is called
 * exactly once for each.
 *
 * <p><b>Errors.</b> After the connection is lost each posted request still completes, flushed; what
 * is waiting is completed by {@link #abandon()}.
 */
final class Outbox {

  /** A posted request: the transmission, if this is its Send, and the buffer of that Send. */
  private record Posted(long id, Transmission transmission, Region buffer) {}

  private final Fabric fabric;
  private final Memory memory;
  private final ArrayDeque<Transmission> waiting = new ArrayDeque<>();
  private final ArrayDeque<Posted> posted = new ArrayDeque<>();
  private int slots;
  private long lastId;
  private boolean open;

  Outbox(Fabric fabric, Memory memory) {
    this.fabric = fabric;
    this.memory = memory;
  }

  /** The connection is up. */
  void open(int slots) {
    this.slots = slots;
    this.open = true;
    pump();
  }

  void submit(Transmission transmission) {
    waiting.add(transmission);
    pump();
  }

  /** Takes back a transmission of which nothing has been posted. */
  boolean withdraw(Transmission transmission) {
    return transmission.writesPosted == 0 && waiting.remove(transmission);
  }

  int waiting() {
    return waiting.size();
  }

  int inUse() {
    return posted.size();
  }

  /** The oldest posted Send or Write has completed. */
  void completed(long id, boolean success) {
    Posted oldest = posted.poll();
    if (oldest == null || oldest.id != id) {
      throw new IllegalStateException("Completion of " + id + " out of order");
    }
    slots++;
    if (oldest.transmission != null) {
      oldest.buffer.free();
      oldest.transmission.completed(success);
    }
    pump();
  }

  /** Nothing more will be posted. */
  void abandon() {
    open = false;
    for (Transmission next = waiting.poll(); next != null; next = waiting.poll()) {
      next.completed(false);
    }
  }

  private void pump() {
    while (open && slots > 0 && !waiting.isEmpty()) {
      Transmission next = waiting.peek();
      slots--;
      long id = ++lastId;
      if (next.writesPosted < next.writes.size()) {
        Transmission.Write write = next.writes.get(next.writesPosted++);
        posted.add(new Posted(id, null, null));
        fabric.postWrite(id, write.source(), write.from(), write.length(), write.handle(),
            write.offset());
      } else {
        waiting.poll();
        postSend(id, next);
      }
    }
  }

  private void postSend(long id, Transmission transmission) {
    Region buffer = memory.takeSendBuffer();
    int length = transmission.encode(buffer.bytes());
    posted.add(new Posted(id, transmission, buffer));
    if (transmission.invalidate().isPresent()) {
      fabric.postSendWithInvalidate(id, buffer, length, transmission.invalidate().getAsInt());
    } else {
      fabric.postSend(id, buffer, length);
    }
  }
}
