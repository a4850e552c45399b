// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;
import java.util.Objects;

/**
 * A provider, and settings of its own.
 *
 * @param name such as {@code siw}; empty for the usable one with the highest priority
 * @param settings see the provider's documentation; empty for its defaults
 */
public record ProviderOptions(String name, JsonObject settings) {

  /** Takes a copy of the settings. */
  public ProviderOptions {
    Objects.requireNonNull(name, "name");
    settings = settings.copy();
  }

  /**
   * The settings.
   *
   * @return a copy
   */
  @Override
  public JsonObject settings() {
    return settings.copy();
  }
}
