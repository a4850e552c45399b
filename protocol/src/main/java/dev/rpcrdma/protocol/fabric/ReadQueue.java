// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import java.util.ArrayDeque;

/** RDMA Reads in order, no more of them outstanding than ORD allows (R-031, P-017). */
public final class ReadQueue {

  /** Gets the outcome of one Read. */
  public interface Listener {

    /** The data is here, or never will be. */
    void readDone(boolean success, long now);
  }

  private record Read(Region sink, int from, int length, int handle, long offset,
      Listener listener) {}

  /** Ids of Reads have this bit; ids of the {@link Outbox} do not. */
  public static final long READ_ID = 1L << 62;

  private final Fabric fabric;
  private final ArrayDeque<Read> waiting = new ArrayDeque<>(0);
  /** In the order in which they complete. */
  private final ArrayDeque<Read> posted = new ArrayDeque<>(0);
  private int free;
  private long oldestId = READ_ID;
  private long nextId = READ_ID;
  private boolean open;

  public ReadQueue(Fabric fabric) {
    this.fabric = fabric;
  }

  /** The connection is up. */
  public void open(int outboundReads) {
    this.free = outboundReads;
    this.open = true;
  }

  /** Whether the peer is to serve Reads. */
  public boolean underWay() {
    return !posted.isEmpty();
  }

  /** A number that changes whenever the peer has served a Read, or a part of one. */
  public long progress() {
    return oldestId - READ_ID + fabric.bytesRead();
  }

  /** A number that changes whenever this end's device has served a Read of the peer's, or a part of one. */
  public long served() {
    return fabric.bytesServed();
  }

  public void submit(Region sink, int from, int length, int handle, long offset, Listener listener) {
    waiting.add(new Read(sink, from, length, handle, offset, listener));
    pump();
  }

  public void completed(long id, boolean success, long now) {
    if (id != oldestId || posted.isEmpty()) {
      throw new IllegalStateException("Completion of Read " + id + " out of order");
    }
    oldestId++;
    free++;
    posted.poll().listener.readDone(success, now);
    pump();
  }

  /** Nothing more will be posted. */
  public void abandon(long now) {
    open = false;
    for (Read next = waiting.poll(); next != null; next = waiting.poll()) {
      next.listener.readDone(false, now);
    }
  }

  private void pump() {
    while (open && free > 0 && !waiting.isEmpty()) {
      Read next = waiting.poll();
      free--;
      posted.add(next);
      fabric.postRead(nextId++, next.sink, next.from, next.length, next.handle, next.offset);
    }
  }
}
