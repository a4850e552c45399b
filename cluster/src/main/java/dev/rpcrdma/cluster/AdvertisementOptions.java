// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** How a server makes itself known. Immutable. */
public final class AdvertisementOptions extends DeclaredOptions {

  private static final OptionSet OPTIONS = new OptionSet("AdvertisementOptions", "cluster option");
  private static final Option<String> HOST = OPTIONS.add("host", OptionType.text(), "",
      "where others reach the server; empty for where it listens, if that is a certain host, and else for the host "
          + "of its node's event bus");
  private static final Option<Integer> PORT = OPTIONS.add("port", OptionType.int32(0, 65535), 0,
      "the port where others reach it; 0 for where it listens");
  private static final Option<Duration> TTL = OPTIONS.add("ttl",
      OptionType.duration(Duration.ofMillis(100), Duration.ofDays(1)), Duration.ofSeconds(10),
      "for how long its entry stays that is not put again, which is done each third of this time");
  private static final Option<Duration> LEAVE = OPTIONS.add("leave",
      OptionType.duration(Duration.ZERO, Duration.ofDays(1)), Duration.ofSeconds(1),
      "for how long it goes on to serve when it has taken its entry back, within its `drainTimeout`");
  private static final Option<String> MAP = OPTIONS.add("map",
      OptionType.text().only("a text that is not blank", name -> !name.isBlank()), DirectoryOptions.DEFAULT_MAP,
      "the name of the cluster's map");

  /** The defaults. */
  public static final AdvertisementOptions DEFAULT = new AdvertisementOptions(new OptionValues(OPTIONS));

  private AdvertisementOptions(OptionValues values) {
    super(values);
  }

  /**
   * Reads options.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @return the options
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public static AdvertisementOptions of(JsonObject json) {
    return new AdvertisementOptions(new OptionValues(OPTIONS).read(json));
  }

  /**
   * Where others reach the server.
   *
   * @return empty for where it listens, if that is a certain host, and else for the host of its node's event bus
   */
  public String host() {
    return values.get(HOST);
  }

  /**
   * The port where others reach the server.
   *
   * @return 0 for where it listens
   */
  public int port() {
    return values.get(PORT);
  }

  /**
   * For how long its entry stays that is not put again, which is done each third of this time.
   *
   * @return 100 ms to 1 day
   */
  public Duration ttl() {
    return values.get(TTL);
  }

  /**
   * For how long the server goes on to accept and to serve when it has taken its entry back, so that those who know it
   * go elsewhere first. With what taking back takes this is no longer than the server's {@link
   * dev.rpcrdma.api.RpcOptions#getDrainTimeout}, or the time of its shutdown.
   *
   * @return 0 to 1 day
   */
  public Duration leave() {
    return values.get(LEAVE);
  }

  /**
   * The name of the cluster's map.
   *
   * @return not blank
   */
  public String map() {
    return values.get(MAP);
  }

  /**
   * These options with a host.
   *
   * @param value where others reach the server
   * @return a copy
   */
  public AdvertisementOptions withHost(String value) {
    return with(HOST, value);
  }

  /**
   * These options with a port.
   *
   * @param value where others reach the server, 1 to 65535; 0 for where it listens
   * @return a copy
   */
  public AdvertisementOptions withPort(int value) {
    return with(PORT, value);
  }

  /**
   * These options with a time to live.
   *
   * @param value 100 ms to 1 day
   * @return a copy
   */
  public AdvertisementOptions withTtl(Duration value) {
    return with(TTL, value);
  }

  /**
   * These options with a time to leave.
   *
   * @param value 0 to 1 day
   * @return a copy
   */
  public AdvertisementOptions withLeave(Duration value) {
    return with(LEAVE, value);
  }

  /**
   * These options with another map.
   *
   * @param name not blank
   * @return a copy
   */
  public AdvertisementOptions withMap(String name) {
    return with(MAP, name);
  }

  /**
   * The JSON form.
   *
   * @return all options
   */
  public JsonObject toJson() {
    return values.toJson();
  }

  private <V> AdvertisementOptions with(Option<V> option, V value) {
    OptionValues changed = new OptionValues(values);
    changed.set(option, value);
    return new AdvertisementOptions(changed);
  }
}
