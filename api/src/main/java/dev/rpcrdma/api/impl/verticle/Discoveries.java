// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import dev.rpcrdma.api.impl.module.OptionalModules;
import dev.rpcrdma.api.spi.ServerDiscovery;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Ways to find servers that optional modules bring, by their keys in a configuration. */
final class Discoveries {

  private static final Logger LOG = LoggerFactory.getLogger(Discoveries.class);

  /** Artifacts by keys that are known without their modules, so that a missing one is named. */
  private static final Map<String, String> ARTIFACTS = Map.of("cluster", "vertx-rpcrdma-cluster");

  private final OptionalModules<ServerDiscovery> modules;
  private final Map<String, ServerDiscovery> byKey = new LinkedHashMap<>();

  /**
   * Finds the discoveries of all modules, if a configuration has a key that is not built in. No jar is read for other
   * configurations.
   *
   * @param json the configuration
   * @param builtIn keys that mean something else; a discovery of another module never takes them
   */
  Discoveries(JsonObject json, Set<String> builtIn) {
    modules = builtIn.containsAll(json.fieldNames()) ? OptionalModules.none()
        : OptionalModules.of(ServerDiscovery.class);
    for (ServerDiscovery discovery : modules.all()) {
      String key = key(discovery);
      if (key == null || builtIn.contains(key)) {
        LOG.warn(discovery.getClass().getName() + " is not used: its key is " + key
            + ", which is none, or means something else in a configuration");
      } else {
        byKey.putIfAbsent(key, discovery);
      }
    }
  }

  /** Asks for a key; a discovery that cannot tell it has none, and affects no other one. */
  private static String key(ServerDiscovery discovery) {
    try {
      return discovery.key();
    } catch (Exception | LinkageError e) {
      LOG.warn(discovery.getClass().getName() + " does not tell its key", e);
      return null;
    }
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
