package dev.rpcrdma.protocol.time;

import java.util.Arrays;

/**
 * A binary heap of things that end at a time. An entry knows its place, so that taking it out, which
 * is what happens to nearly all of them, needs no search.
 */
public final class Deadlines {

  /** Something with a deadline; in at most one heap at a time. */
  public abstract static class Entry {

    private long deadline;
    private int index = -1;

    /** Creates an entry that is in no heap. */
    protected Entry() {}

    /**
     * Its time has come; it has been taken out.
     *
     * @param now the time
     */
    protected abstract void expired(long now);
  }

  private Entry[] heap = new Entry[16];
  private int size;

  /** Creates an empty heap. */
  public Deadlines() {}

  /**
   * When {@link #advance} has something to do.
   *
   * @return the earliest deadline, or {@link Long#MAX_VALUE}
   */
  public long next() {
    return size == 0 ? Long.MAX_VALUE : heap[0].deadline;
  }

  /**
   * Puts an entry in.
   *
   * @param entry in no heap yet
   * @param deadline when it ends
   */
  public void add(Entry entry, long deadline) {
    if (entry.index >= 0) {
      throw new IllegalStateException("The entry has a deadline already");
    }
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    entry.deadline = deadline;
    siftUp(size++, entry);
  }

  /**
   * Takes an entry out, if it is in.
   *
   * @param entry what to take out
   */
  public void remove(Entry entry) {
    int index = entry.index;
    if (index < 0) {
      return;
    }
    entry.index = -1;
    Entry last = heap[--size];
    heap[size] = null;
    if (last != entry) {
      siftDown(index, last);
      if (heap[index] == last) {
        siftUp(index, last);
      }
    }
  }

  /**
   * Ends everything that is due.
   *
   * @param now the time
   */
  public void advance(long now) {
    while (size > 0 && heap[0].deadline <= now) {
      Entry due = heap[0];
      remove(due);
      due.expired(now);
    }
  }

  private void siftUp(int from, Entry entry) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (heap[parent].deadline <= entry.deadline) {
        break;
      }
      place(at, heap[parent]);
      at = parent;
    }
    place(at, entry);
  }

  private void siftDown(int from, Entry entry) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1].deadline < heap[child].deadline) {
        child++;
      }
      if (entry.deadline <= heap[child].deadline) {
        break;
      }
      place(at, heap[child]);
      at = child;
    }
    place(at, entry);
  }

  private void place(int index, Entry entry) {
    heap[index] = entry;
    entry.index = index;
  }
}
