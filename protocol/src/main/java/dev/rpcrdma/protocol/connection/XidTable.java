package dev.rpcrdma.protocol.connection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What belongs to an XID: an open-addressing table of ints, since boxed keys and nodes would be most of
 * what a small call allocates. XIDs are handed out in sequence, so that their low bits alone spread
 * them: neighbours of a call in flight are the calls before and after it.
 *
 * @param <V> what belongs to an XID
 */
final class XidTable<V> {

  private int[] xids = new int[16];
  private Object[] values = new Object[16];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** What belongs to an XID, or null. */
  V get(int xid) {
    return valueAt(find(xid));
  }

  boolean contains(int xid) {
    return values[find(xid)] != null;
  }

  /** Adds an XID that is not in the table. */
  void add(int xid, V value) {
    if (2 * (size + 1) > values.length) {
      grow();
    }
    int at = find(xid);
    if (values[at] != null) {
      throw new IllegalStateException("XID " + Integer.toHexString(xid) + " is in use");
    }
    xids[at] = xid;
    values[at] = value;
    size++;
  }

  /** Takes an XID out; returns what belonged to it, or null. */
  V remove(int xid) {
    int hole = find(xid);
    V removed = valueAt(hole);
    if (removed == null) {
      return null;
    }
    size--;
    // Whoever was pushed on by what leaves now moves up, so that a search may end at a free place.
    int mask = values.length - 1;
    for (int at = hole + 1 & mask; values[at] != null; at = at + 1 & mask) {
      int pushed = at - xids[at] & mask;
      if (pushed >= (at - hole & mask)) {
        xids[hole] = xids[at];
        values[hole] = values[at];
        hole = at;
      }
    }
    values[hole] = null;
    return removed;
  }

  /** All of them, in no order. */
  List<V> all() {
    List<V> all = new ArrayList<>(size);
    for (int at = 0; at < values.length; at++) {
      if (values[at] != null) {
        all.add(valueAt(at));
      }
    }
    return all;
  }

  void clear() {
    Arrays.fill(values, null);
    size = 0;
  }

  /** Where an XID is, or where it would be put. */
  private int find(int xid) {
    int mask = values.length - 1;
    int at = xid & mask;
    while (values[at] != null && xids[at] != xid) {
      at = at + 1 & mask;
    }
    return at;
  }

  @SuppressWarnings("unchecked") // only add() puts something in
  private V valueAt(int at) {
    return (V) values[at];
  }

  private void grow() {
    int[] oldXids = xids;
    Object[] oldValues = values;
    xids = new int[2 * oldXids.length];
    values = new Object[2 * oldValues.length];
    for (int i = 0; i < oldValues.length; i++) {
      if (oldValues[i] != null) {
        int at = find(oldXids[i]);
        xids[at] = oldXids[i];
        values[at] = oldValues[i];
      }
    }
  }
}
