// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import dev.rpcrdma.api.impl.module.OptionalModules;
import dev.rpcrdma.api.spi.ServerDiscovery;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Ways to find servers that optional modules bring, by their keys in a configuration. */
final class Discoveries {

  /** Artifacts by keys that are known without their modules, so that a missing one is named. */
  private static final Map<String, String> ARTIFACTS = Map.of("cluster", "vertx-rpcrdma-cluster");

  private final OptionalModules<ServerDiscovery> modules = OptionalModules.of(ServerDiscovery.class);
  private final Map<String, ServerDiscovery> byKey = new LinkedHashMap<>();

  Discoveries() {
    modules.all().forEach(discovery -> byKey.putIfAbsent(discovery.key(), discovery));
  }

  /** Returns all keys, also those whose modules are missing. */
  Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>(ARTIFACTS.keySet());
    keys.addAll(byKey.keySet());
    return keys;
  }

  /**
   * Returns the discovery of a key.
   *
   * @throws IllegalArgumentException if its module is missing
   */
  ServerDiscovery get(String key) {
    ServerDiscovery discovery = byKey.get(key);
    if (discovery == null) {
      throw modules.missing(key, ARTIFACTS.get(key));
    }
    return discovery;
  }
}
