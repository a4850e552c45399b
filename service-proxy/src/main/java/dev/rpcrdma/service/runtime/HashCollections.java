// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Reads sets and maps that find what is in them by its hash code, in the order of the message. */
public final class HashCollections {

  private HashCollections() {}

  /**
   * Reads a variable-length array whose elements are distinct.
   *
   * @param in the reader
   * @param max the bound of its count
   * @param leastSize the least size of an element, at least 4
   * @param element reads one
   * @param <T> the type of elements
   * @return the elements, in the order of the message
   * @throws XdrException if two are equal, or if too many have one hash code
   */
  public static <T> Set<T> readSet(ValueReader in, int max, int leastSize, Supplier<T> element) {
    int before = in.weight;
    in.weight = 0;
    List<T> elements = in.list(max, leastSize, element);
    in.weight = Math.max(before, Collisions.weight(elements, in.weight));
    Set<T> set = new LinkedHashSet<>();
    for (T each : elements) {
      if (!set.add(each)) {
        throw new XdrException("Element " + set.size() + " of a set repeats another");
      }
    }
    return set;
  }

  /**
   * Reads a variable-length array of key and value, whose keys are distinct.
   *
   * @param in the reader
   * @param max the bound of its count
   * @param leastSize the least size of an entry, at least 4
   * @param key reads a key
   * @param mapped reads a value
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return the entries, in the order of the message
   * @throws XdrException if two keys are equal, or if too many have one hash code
   */
  public static <K, V> Map<K, V> readMap(ValueReader in, int max, int leastSize, Supplier<K> key,
      Supplier<V> mapped) {
    int count = in.count(max, leastSize);
    List<K> keys = ValueReader.room(count);
    List<V> values = ValueReader.room(count);
    int before = in.weight;
    int ofKeys = 0;
    int ofValues = 0;
    for (int i = 0; i < count; i++) {
      in.weight = 0;
      keys.add(key.get());
      ofKeys = Math.max(ofKeys, in.weight);
      in.weight = 0;
      values.add(mapped.get());
      ofValues = Math.max(ofValues, in.weight);
    }
    in.weight = Math.max(before, Math.max(Collisions.weight(keys, ofKeys), ofValues + 1));
    Map<K, V> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(keys.get(i), values.get(i));
      if (map.size() <= i) {
        throw new XdrException("Entry " + i + " of a map repeats the key of another");
      }
    }
    return map;
  }
}
