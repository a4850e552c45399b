// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import java.time.Duration;
import java.util.Objects;

/**
 * How a server makes itself known. Immutable.
 *
 * @param host where others reach it; empty for where it listens, if that is a certain host, and else for the host of
 *     its node's event bus
 * @param port where others reach it, 1 to 65535; 0 for where it listens
 * @param ttl for how long its entry stays that is not put again, which is done each third of this time; 100 ms to 1 day
 * @param leave for how long the server goes on to accept and to serve when it has taken its entry back, so that those
 *     who know it go elsewhere first; 0 to 1 day, and with what taking back takes no longer than the server's {@link
 *     dev.rpcrdma.api.RpcOptions#getDrainTimeout}, or the time of its shutdown
 * @param map the name of the cluster's map; not blank
 */
public record AdvertisementOptions(String host, int port, Duration ttl, Duration leave, String map) {

  /** Where it listens, for 10 s at a time, with 1 s to leave, in {@link DirectoryOptions#DEFAULT_MAP}. */
  public static final AdvertisementOptions DEFAULT = new AdvertisementOptions("", 0, Duration.ofSeconds(10),
      Duration.ofSeconds(1), DirectoryOptions.DEFAULT_MAP);

  /** Checks the ranges. */
  public AdvertisementOptions {
    Objects.requireNonNull(host, "host");
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port is 0 to 65535, not " + port);
    }
    DirectoryOptions.check("ttl", ttl, Duration.ofMillis(100));
    DirectoryOptions.check("leave", leave, Duration.ZERO);
    DirectoryOptions.checkMap(map);
  }

  /**
   * These options with a host.
   *
   * @param value where others reach the server
   * @return a copy
   */
  public AdvertisementOptions withHost(String value) {
    return new AdvertisementOptions(value, port, ttl, leave, map);
  }

  /**
   * These options with a port.
   *
   * @param value where others reach the server, 1 to 65535; 0 for where it listens
   * @return a copy
   */
  public AdvertisementOptions withPort(int value) {
    return new AdvertisementOptions(host, value, ttl, leave, map);
  }

  /**
   * These options with a time to live.
   *
   * @param value 100 ms to 1 day
   * @return a copy
   */
  public AdvertisementOptions withTtl(Duration value) {
    return new AdvertisementOptions(host, port, value, leave, map);
  }

  /**
   * These options with a time to leave.
   *
   * @param value 0 to 1 day
   * @return a copy
   */
  public AdvertisementOptions withLeave(Duration value) {
    return new AdvertisementOptions(host, port, ttl, value, map);
  }

  /**
   * These options with another map.
   *
   * @param name not blank
   * @return a copy
   */
  public AdvertisementOptions withMap(String name) {
    return new AdvertisementOptions(host, port, ttl, leave, name);
  }
}
