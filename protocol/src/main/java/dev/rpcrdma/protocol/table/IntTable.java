// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What belongs to a number, such as an XID: an open-addressing table of ints, since boxed keys and nodes
 * would be most of what a small call allocates. Numbers that come in sequence are scattered: side by
 * side, the calls in flight would be one long run, and whatever takes one out goes to the end of its run.
 *
 * @param <V> what belongs to a number
 */
public final class IntTable<V> {

  private int[] numbers = new int[16];
  private Object[] values = new Object[16];
  private int size;

  /** Creates an empty table. */
  public IntTable() {}

  /**
   * How many numbers are in the table.
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
   * Finds what belongs to a number.
   *
   * @param number 32 bits
   * @return null if the number is not in the table
   */
  public V get(int number) {
    return valueAt(find(number));
  }

  /**
   * Whether something belongs to a number.
   *
   * @param number 32 bits
   * @return true if so
   */
  public boolean contains(int number) {
    return values[find(number)] != null;
  }

  /**
   * Puts something in, in place of what belonged to the number before.
   *
   * @param number 32 bits
   * @param value not null
   */
  public void put(int number, V value) {
    if (2 * (size + 1) > values.length) {
      grow();
    }
    int at = find(number);
    size += values[at] == null ? 1 : 0;
    numbers[at] = number;
    values[at] = value;
  }

  /**
   * Takes a number out, if it is there.
   *
   * @param number 32 bits
   * @return what belonged to it, or null
   */
  public V remove(int number) {
    int hole = find(number);
    V removed = valueAt(hole);
    if (removed == null) {
      return null;
    }
    size--;
    // Whoever was pushed on by what leaves now moves up, so that a search may end at a free place.
    int mask = values.length - 1;
    for (int at = hole + 1 & mask; values[at] != null; at = at + 1 & mask) {
      int pushed = at - home(numbers[at]) & mask;
      if (pushed >= (at - hole & mask)) {
        numbers[hole] = numbers[at];
        values[hole] = values[at];
        hole = at;
      }
    }
    values[hole] = null;
    return removed;
  }

  /**
   * Takes a number out if it belongs to something.
   *
   * @param number 32 bits
   * @param value what it should belong to
   * @return whether it did
   */
  public boolean remove(int number, V value) {
    return get(number) == value && remove(number) != null;
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

  /** Where a number is unless others were there before: the high bits of a product with the golden ratio. */
  private int home(int number) {
    return (number * 0x9e3779b9) >>> (1 + Integer.numberOfLeadingZeros(values.length));
  }

  /** Where a number is, or where it would be put. */
  private int find(int number) {
    int mask = values.length - 1;
    int at = home(number);
    while (values[at] != null && numbers[at] != number) {
      at = at + 1 & mask;
    }
    return at;
  }

  @SuppressWarnings("unchecked") // only put() puts something in
  private V valueAt(int at) {
    return (V) values[at];
  }

  private void grow() {
    int[] oldNumbers = numbers;
    Object[] oldValues = values;
    numbers = new int[2 * oldNumbers.length];
    values = new Object[2 * oldValues.length];
    for (int i = 0; i < oldValues.length; i++) {
      if (oldValues[i] != null) {
        int at = find(oldNumbers[i]);
        numbers[at] = oldNumbers[i];
        values[at] = oldValues[i];
      }
    }
  }
}
