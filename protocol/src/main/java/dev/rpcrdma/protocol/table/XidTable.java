package dev.rpcrdma.protocol.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What belongs to an XID: an open-addressing table of ints, since boxed keys and nodes would be most of
 * what a small call allocates. XIDs come in sequence and are scattered: side by side, the calls in flight
 * would be one long run, and whatever takes one out goes to the end of its run.
 *
 * @param <V> what belongs to an XID
 */
public final class XidTable<V> {

  private int[] xids = new int[16];
  private Object[] values = new Object[16];
  private int size;

  /** Creates an empty table. */
  public XidTable() {}

  /**
   * How many XIDs are in the table.
   *
   * @return a count
   */
  public int size() {
    return size;
  }

  /**
   * Whether there are none.
   *
   * @return true if so
   */
  public boolean isEmpty() {
    return size == 0;
  }

  /**
   * Finds what belongs to an XID.
   *
   * @param xid 32 bits
   * @return null if the XID is not in the table
   */
  public V get(int xid) {
    return valueAt(find(xid));
  }

  /**
   * Whether something belongs to an XID.
   *
   * @param xid 32 bits
   * @return true if so
   */
  public boolean contains(int xid) {
    return values[find(xid)] != null;
  }

  /**
   * Puts something in, in place of what belonged to the XID before.
   *
   * @param xid 32 bits
   * @param value not null
   */
  public void put(int xid, V value) {
    if (2 * (size + 1) > values.length) {
      grow();
    }
    int at = find(xid);
    size += values[at] == null ? 1 : 0;
    xids[at] = xid;
    values[at] = value;
  }

  /**
   * Takes an XID out, if it is there.
   *
   * @param xid 32 bits
   * @return what belonged to it, or null
   */
  public V remove(int xid) {
    int hole = find(xid);
    V removed = valueAt(hole);
    if (removed == null) {
      return null;
    }
    size--;
    // Whoever was pushed on by what leaves now moves up, so that a search may end at a free place.
    int mask = values.length - 1;
    for (int at = hole + 1 & mask; values[at] != null; at = at + 1 & mask) {
      int pushed = at - home(xids[at]) & mask;
      if (pushed >= (at - hole & mask)) {
        xids[hole] = xids[at];
        values[hole] = values[at];
        hole = at;
      }
    }
    values[hole] = null;
    return removed;
  }

  /**
   * Takes an XID out if it belongs to something.
   *
   * @param xid 32 bits
   * @param value what it should belong to
   * @return whether it did
   */
  public boolean remove(int xid, V value) {
    return get(xid) == value && remove(xid) != null;
  }

  /**
   * All that is in the table, in no order.
   *
   * @return a copy
   */
  public List<V> all() {
    List<V> all = new ArrayList<>(size);
    for (int at = 0; at < values.length; at++) {
      if (values[at] != null) {
        all.add(valueAt(at));
      }
    }
    return all;
  }

  /** Takes everything out. */
  public void clear() {
    Arrays.fill(values, null);
    size = 0;
  }

  /** Where an XID is unless others were there before: the high bits of a product with the golden ratio. */
  private int home(int xid) {
    return (xid * 0x9e3779b9) >>> (1 + Integer.numberOfLeadingZeros(values.length));
  }

  /** Where an XID is, or where it would be put. */
  private int find(int xid) {
    int mask = values.length - 1;
    int at = home(xid);
    while (values[at] != null && xids[at] != xid) {
      at = at + 1 & mask;
    }
    return at;
  }

  @SuppressWarnings("unchecked") // only put() puts something in
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
