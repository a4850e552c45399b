// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Bounds the work of hashing: a sender chooses what the elements of a set and the keys of a map are, and so
 * their hash codes, which for records are easily made equal. The JDK's collections order colliding keys that
 * are comparable, and search all others one by one.
 *
 * <p>The weight of a value is an upper bound of how often each of its parts is looked at when the value is
 * hashed, or compared with another: 0 if no set or map is in it.
 */
final class Collisions {

  /** How much a set or map with colliding elements or keys may weigh. */
  static final int MAX = 256;

  /** What weights are cut to, so that what is added on the way up does not overflow. */
  private static final int FAR_BEYOND_MAX = 1 << 30;

  /**
   * The classes whose colliding keys the JDK orders. A class is one of them if it is declared as a
   * {@code Comparable} of itself, and if what compares as equal is equal: of decimals it is not.
   */
  static final Set<Class<?>> ORDERED = Set.of(String.class, Byte.class, Short.class, Integer.class,
      Long.class, Float.class, Double.class, Character.class, Boolean.class, BigInteger.class, UUID.class,
      Instant.class, Duration.class, LocalTime.class, OffsetTime.class, OffsetDateTime.class, Year.class,
      YearMonth.class, MonthDay.class, ZoneOffset.class);

  private Collisions() {}

  /**
   * Checks the elements of a set, or the keys of a map, before they are put into it.
   *
   * @param keys all of them, of one type
   * @param inner the largest weight of one of them
   * @return the weight of the set, or of the map's keys
   * @throws XdrException if it would exceed {@link #MAX} because hash codes collide
   */
  static int weight(List<?> keys, int inner) {
    int colliding = keys.size() < 2 || isOrdered(keys.get(0)) ? 1 : colliding(keys);
    long weight = colliding * (inner + 1L);
    if (colliding > 1 && weight > MAX) {
      throw new XdrException(colliding + " elements of a set, or keys of a map, have one hash code");
    }
    return (int) weight;
  }

  /**
   * The weight of a set, or of a map, that finds what is in it by its order: another looks at each element as
   * often as there are levels in a tree of all.
   *
   * @param size how many elements or entries there are
   * @param inner the largest weight of one of them
   */
  static int sortedWeight(int size, int inner) {
    return (int) Math.min((Integer.SIZE - Integer.numberOfLeadingZeros(size)) * (inner + 1L), FAR_BEYOND_MAX);
  }

  /** Whether colliding keys are found by their order, or cannot be made to collide. */
  private static boolean isOrdered(Object key) {
    return key instanceof Enum || ORDERED.contains(key.getClass());
  }

  /** How many keys have the hash code that most have; without comparing any of them. */
  private static int colliding(List<?> keys) {
    int[] codes = new int[keys.size()];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = keys.get(i).hashCode();
    }
    Arrays.sort(codes);
    int most = 1;
    int run = 1;
    for (int i = 1; i < codes.length; i++) {
      run = codes[i] == codes[i - 1] ? run + 1 : 1;
      most = Math.max(most, run);
    }
    return most;
  }
}
