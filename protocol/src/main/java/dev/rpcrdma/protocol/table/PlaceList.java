// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.table;

import java.util.ArrayList;
import java.util.List;

/**
 * A list without an order. Each entry knows its place, so that one comes and goes without a search, and without
 * anything being allocated for it.
 *
 * @param <E> the type of the entries, each in one list at a time
 */
public final class PlaceList<E extends PlaceList.Entry> {

  /** The place of an entry that is in no list. */
  public static final int NOWHERE = -1;

  /** Keeps its place for the list that it is in. */
  public interface Entry {

    /**
     * Where it is.
     *
     * @return what {@link #place(int)} was told last; {@link #NOWHERE} before
     */
    int place();

    /**
     * It is somewhere else from now on.
     *
     * @param value to be kept
     */
    void place(int value);
  }

  private final List<E> entries = new ArrayList<>();

  /** Creates an empty list. */
  public PlaceList() {}

  /**
   * How many there are.
   *
   * @return a count
   */
  public int size() {
    return entries.size();
  }

  /**
   * Whether there is none.
   *
   * @return true if so
   */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Puts an entry in.
   *
   * @param entry in no list yet
   */
  public void add(E entry) {
    entry.place(entries.size());
    entries.add(entry);
  }

  /**
   * Takes an entry out, unless it is out already, or in another list.
   *
   * @param entry what to take out
   */
  public void remove(E entry) {
    int place = entry.place();
    if (place == NOWHERE || place >= entries.size() || entries.get(place) != entry) {
      return;
    }
    E last = entries.remove(entries.size() - 1);
    if (last != entry) {
      entries.set(place, last);
      last.place(place);
    }
    entry.place(NOWHERE);
  }

  /**
   * All of them.
   *
   * @return a copy
   */
  public List<E> all() {
    return List.copyOf(entries);
  }
}
