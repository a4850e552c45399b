// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.config;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import dev.rpcrdma.api.impl.verticle.ConfiguredClass;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.DirectoryOptions;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;

/** What a configuration says of a cluster: how a server makes itself known there, and how a client finds servers. */
final class ClusterConfig {

  private static final Set<String> SERVER = Set.of("host", "port", "ttl", "leave", "map");
  private static final Set<String> CLIENT = Set.of("interface", "program", "version", "refresh", "map");
  private static final long MAX_UNSIGNED = 0xffff_ffffL;
  private static final String MAP = "the name of a map";

  private ClusterConfig() {}

  /**
   * How a server makes itself known.
   *
   * @throws IllegalArgumentException if something is wrong
   */
  static AdvertisementOptions advertisement(JsonObject json) {
    ConfigValues.checkKeys(json, SERVER, "cluster");
    AdvertisementOptions otherwise = AdvertisementOptions.DEFAULT;
    return new AdvertisementOptions(
        ConfigValues.value(json, "host", String.class, "a host's name or address", otherwise.host()),
        ConfigValues.value(json, "port", Integer.class, "a port, 0 to 65535", otherwise.port()),
        ConfigValues.duration(json, "ttl", otherwise.ttl()), ConfigValues.duration(json, "leave", otherwise.leave()),
        ConfigValues.value(json, "map", String.class, MAP, otherwise.map()));
  }

  /**
   * How a client keeps up to date.
   *
   * @throws IllegalArgumentException if something is wrong
   */
  static DirectoryOptions directory(JsonObject json) {
    ConfigValues.checkKeys(json, CLIENT, "cluster");
    DirectoryOptions otherwise = DirectoryOptions.DEFAULT;
    return new DirectoryOptions(ConfigValues.duration(json, "refresh", otherwise.refresh()),
        ConfigValues.value(json, "map", String.class, MAP, otherwise.map()));
  }

  /**
   * Which program a client looks for.
   *
   * @param otherwise unless {@code json} names another; empty if it has to
   * @throws IllegalArgumentException if something is wrong
   */
  static ProgramAddress program(JsonObject json, Optional<ProgramAddress> otherwise) {
    boolean numbers = json.containsKey("program") || json.containsKey("version");
    if (json.containsKey("interface")) {
      if (numbers) {
        throw new IllegalArgumentException("cluster has interface, or program and version, not both");
      }
      return ProgramAddress.of(ConfiguredClass.load(json, "interface"));
    }
    if (!numbers) {
      return otherwise.orElseThrow(() -> new IllegalArgumentException(
          "cluster has interface, or program and version, and there is none of them"));
    }
    return ProgramAddress.of(unsigned(json, "program"), unsigned(json, "version"));
  }

  private static int unsigned(JsonObject json, String key) {
    String allowed = "a whole number, 0 to " + MAX_UNSIGNED;
    long value = ConfigValues.whole(key, json.getValue(key), allowed);
    if (value < 0 || value > MAX_UNSIGNED) {
      throw ConfigValues.wrong(key, allowed, value);
    }
    return (int) value;
  }
}
