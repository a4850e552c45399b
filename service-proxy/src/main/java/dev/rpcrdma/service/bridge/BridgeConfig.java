// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.json.JsonObject;

/** The configuration of a verticle that is one end of a bridge: what both ends have in common. */
record BridgeConfig(VerticleConfig ends, JsonObject options, BridgeOptions bridge) {

  private static final String BRIDGE = "bridge";
  /** Messages of a few kilobytes are what event buses carry most; each that needs no chunk is twice as fast. */
  private static final int BRIDGE_INLINE_SIZE = 16 * 1024;

  /**
   * Reads that of the end that listens.
   *
   * @param json what the verticle was deployed with
   * @throws IllegalArgumentException if a key is missing or not known, or has a value that is not allowed
   */
  static BridgeConfig ofServer(JsonObject json) {
    return of(VerticleConfig.ofServer(json, BRIDGE), json);
  }

  /**
   * Reads that of the end that connects.
   *
   * @param json what the verticle was deployed with
   * @throws IllegalArgumentException if a key is missing or not known, or has a value that is not allowed
   */
  static BridgeConfig ofClient(JsonObject json) {
    return of(VerticleConfig.ofClient(json, BRIDGE), json);
  }

  private static BridgeConfig of(VerticleConfig config, JsonObject json) {
    JsonObject options = new JsonObject().put("limits", new JsonObject().put("inlineSize", BRIDGE_INLINE_SIZE))
        .mergeIn(config.options(), true);
    return new BridgeConfig(config, options, new BridgeOptions(
        JsonChecks.value(json, BRIDGE, JsonObject.class, "an object with what may cross")));
  }
}
