// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.time;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A binary heap of things that end at a time. An entry knows its place, so that taking it out, which
 * is what happens to nearly all of them, needs no search.
 *
 * <p>Each entry has a slot, and the heap is one of slot numbers: putting it in order moves numbers. To move
 * the entries themselves would cost a memory barrier for each that is stored, since they are young and the
 * heap is old, and that is more than all the rest.
 */
public final class Deadlines {

  private static final int INITIAL_SLOTS = 16;

  /** Something with a deadline; in at most one heap at a time. */
  public abstract static class Entry {

    private int slot = -1;

    /** Creates an entry that is in no heap. */
    protected Entry() {}

    /**
     * Its time has come; it has been taken out.
     *
     * @param now the time
     */
    protected abstract void expired(long now);
  }

  /** By slot. */
  private Entry[] entries = new Entry[INITIAL_SLOTS];
  /** By slot. */
  private long[] deadlines = new long[INITIAL_SLOTS];
  /** By slot: where it is in the heap. */
  private int[] places = new int[INITIAL_SLOTS];
  /** The slots in use in the order of a heap, and behind them those that are free. */
  private int[] heap = slots(0, new int[INITIAL_SLOTS]);
  private int size;
  private final LongConsumer whenEarliest;

  /**
   * Creates an empty heap.
   *
   * @param whenEarliest hears of each entry that ends before all others, so that whoever calls {@link #advance}
   *     can do so in time
   */
  public Deadlines(LongConsumer whenEarliest) {
    this.whenEarliest = whenEarliest;
  }

  /** Creates an empty heap of one who asks for {@link #next}. */
  public Deadlines() {
    this(deadline -> { });
  }

  private static int[] slots(int from, int[] all) {
    for (int slot = from; slot < all.length; slot++) {
      all[slot] = slot;
    }
    return all;
  }

  /**
   * When {@link #advance} has something to do.
   *
   * @return the earliest deadline, or {@link Long#MAX_VALUE}
   */
  public long next() {
    return size == 0 ? Long.MAX_VALUE : deadlines[heap[0]];
  }

  /**
   * Puts an entry in.
   *
   * @param entry in no heap yet
   * @param deadline when it ends
   */
  public void add(Entry entry, long deadline) {
    if (entry.slot >= 0) {
      throw new IllegalStateException("The entry has a deadline already");
    }
    if (size == heap.length) {
      grow();
    }
    int slot = heap[size];
    entry.slot = slot;
    entries[slot] = entry;
    deadlines[slot] = deadline;
    siftUp(size++, slot);
    if (heap[0] == slot) {
      whenEarliest.accept(deadline);
    }
  }

  private void grow() {
    entries = Arrays.copyOf(entries, 2 * size);
    deadlines = Arrays.copyOf(deadlines, 2 * size);
    places = Arrays.copyOf(places, 2 * size);
    heap = slots(size, Arrays.copyOf(heap, 2 * size));
  }

  /**
   * Takes an entry out, if it is in.
   *
   * @param entry what to take out
   */
  public void remove(Entry entry) {
    int slot = entry.slot;
    if (slot < 0) {
      return;
    }
    entry.slot = -1;
    entries[slot] = null;
    int place = places[slot];
    int last = heap[--size];
    heap[size] = slot;
    if (last != slot) {
      siftDown(place, last);
      if (heap[place] == last) {
        siftUp(place, last);
      }
    }
  }

  /**
   * Ends everything that is due.
   *
   * @param now the time
   */
  public void advance(long now) {
    while (size > 0 && deadlines[heap[0]] <= now) {
      Entry due = entries[heap[0]];
      remove(due);
      due.expired(now);
    }
  }

  private void siftUp(int from, int slot) {
    long deadline = deadlines[slot];
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (deadlines[heap[parent]] <= deadline) {
        break;
      }
      put(at, heap[parent]);
      at = parent;
    }
    put(at, slot);
  }

  private void siftDown(int from, int slot) {
    long deadline = deadlines[slot];
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && deadlines[heap[child + 1]] < deadlines[heap[child]]) {
        child++;
      }
      if (deadline <= deadlines[heap[child]]) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, slot);
  }

  private void put(int place, int slot) {
    heap[place] = slot;
    places[slot] = place;
  }
}
