package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.Set;

/** The configuration of a verticle that is one end of a bridge. */
record BridgeConfig(SocketAddress address, JsonObject options, BridgeOptions bridge) {

  private static final Set<String> KEYS = Set.of("host", "port", "options", "bridge");
  private static final String INLINE_SIZE = "inlineSize";
  /** Messages of a few kilobytes are what event buses carry most; each that needs no chunk is twice as fast. */
  private static final int BRIDGE_INLINE_SIZE = 16 * 1024;

  /**
   * Reads it.
   *
   * @param json what the verticle was deployed with
   * @throws IllegalArgumentException if a key is missing or not known, or has a value that is not allowed
   */
  static BridgeConfig of(JsonObject json) {
    VerticleConfig config = new VerticleConfig(json, KEYS);
    JsonObject options = config.options().copy();
    if (!options.containsKey(INLINE_SIZE)) {
      options.put(INLINE_SIZE, BRIDGE_INLINE_SIZE);
    }
    return new BridgeConfig(config.address(), options, new BridgeOptions(
        ConfigValues.value(json, "bridge", JsonObject.class, "an object with what may cross")));
  }
}
