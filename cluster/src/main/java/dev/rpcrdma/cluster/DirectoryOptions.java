// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import java.time.Duration;

/**
 * How the servers of a cluster are looked for. Immutable.
 *
 * @param refresh how often the map is read, if nobody says that it has changed; 10 ms to 1 day
 * @param map the name of the cluster's map; not blank
 */
public record DirectoryOptions(Duration refresh, String map) {

  /** The map where servers are, unless another one is said. */
  public static final String DEFAULT_MAP = "rpcrdma.servers";

  /** Each 3 s, in {@link #DEFAULT_MAP}. */
  public static final DirectoryOptions DEFAULT = new DirectoryOptions(Duration.ofSeconds(3), DEFAULT_MAP);

  /** Checks the ranges. */
  public DirectoryOptions {
    check("refresh", refresh, Duration.ofMillis(10));
    checkMap(map);
  }

  static void check(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(name + " is " + least.toMillis() + " ms to 1 day, not " + value);
    }
  }

  static void checkMap(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("The name of a map must not be blank");
    }
  }

  /**
   * These options with another refresh period.
   *
   * @param value 10 ms to 1 day
   * @return a copy
   */
  public DirectoryOptions withRefresh(Duration value) {
    return new DirectoryOptions(value, map);
  }

  /**
   * These options with another map.
   *
   * @param name not blank
   * @return a copy
   */
  public DirectoryOptions withMap(String name) {
    return new DirectoryOptions(refresh, name);
  }
}
