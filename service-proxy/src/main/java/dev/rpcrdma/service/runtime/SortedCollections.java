// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes and reads sets and maps in the natural order of what is in them. A comparator does not cross, so one
 * of another order is refused before anything is sent.
 */
public final class SortedCollections {

  private SortedCollections() {}

  /**
   * Writes a set as a variable-length array, in its order.
   *
   * @param out the writer
   * @param value the elements
   * @param max their bound
   * @param what the set's name
   * @param element writes one
   * @param <T> their type
   * @throws IllegalArgumentException if the order is not the natural one
   */
  public static <T> void writeSet(ValueWriter out, SortedSet<T> value, int max, String what, Consumer<T> element) {
    requireNatural(out.present(value, what).comparator(), what);
    out.collection(value, max, what, ordering(out, element));
  }

  /**
   * Reads a set whose elements may come in any order.
   *
   * @param in the reader
   * @param max the bound of its count
   * @param leastSize the least size of an element, at least 4
   * @param element reads one
   * @param <T> the type of elements
   * @return the elements in their natural order
   * @throws XdrException if two of them compare as equal
   */
  public static <T> NavigableSet<T> readSet(ValueReader in, int max, int leastSize, Supplier<T> element) {
    NavigableSet<T> set = new TreeSet<>();
    int before = in.weight;
    in.weight = 0;
    List<T> elements = in.list(max, leastSize, ordering(in, element));
    in.weight = Math.max(before, Collisions.sortedWeight(elements.size(), in.weight));
    for (T each : elements) {
      if (!set.add(each)) {
        throw new XdrException("Element " + set.size() + " of a set repeats another");
      }
    }
    return set;
  }

  /**
   * Writes a map as a variable-length array of key and value, in its order.
   *
   * @param out the writer
   * @param value the entries
   * @param max their bound
   * @param what the map's name
   * @param key writes a key
   * @param mapped writes a value
   * @param <K> the type of keys
   * @param <V> the type of values
   * @throws IllegalArgumentException if the order is not the natural one
   */
  public static <K, V> void writeMap(ValueWriter out, SortedMap<K, V> value, int max, String what,
      Consumer<K> key, Consumer<V> mapped) {
    requireNatural(out.present(value, what).comparator(), what);
    out.map(value, max, what, ordering(out, key), mapped);
  }

  /**
   * Reads a map whose entries may come in any order.
   *
   * @param in the reader
   * @param max the bound of its count
   * @param leastSize the least size of an entry, at least 4
   * @param key reads a key
   * @param mapped reads a value
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return the entries in the natural order of their keys
   * @throws XdrException if two keys compare as equal
   */
  public static <K, V> NavigableMap<K, V> readMap(ValueReader in, int max, int leastSize, Supplier<K> key,
      Supplier<V> mapped) {
    NavigableMap<K, V> map = new TreeMap<>();
    int before = in.weight;
    in.weight = 0;
    int count = in.count(max, leastSize);
    Supplier<K> keys = ordering(in, key);
    for (int i = 0; i < count; i++) {
      map.put(keys.get(), mapped.get());
      if (map.size() <= i) {
        throw new XdrException("Entry " + i + " of a map repeats the key of another");
      }
    }
    in.weight = Math.max(before, Collisions.sortedWeight(count, in.weight));
    return map;
  }

  private static <T> Consumer<T> ordering(ValueWriter out, Consumer<T> element) {
    return value -> {
      boolean before = out.ordering;
      out.ordering = true;
      element.accept(value);
      out.ordering = before;
    };
  }

  private static <T> Supplier<T> ordering(ValueReader in, Supplier<T> element) {
    return () -> {
      boolean before = in.ordering;
      in.ordering = true;
      T value = element.get();
      in.ordering = before;
      return value;
    };
  }

  private static void requireNatural(Comparator<?> comparator, String what) {
    if (comparator != null && !comparator.equals(Comparator.naturalOrder())) {
      throw new IllegalArgumentException(what + " has a comparator: only the natural order crosses");
    }
  }
}
