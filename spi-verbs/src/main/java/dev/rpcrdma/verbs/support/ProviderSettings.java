// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;

/** Reads the settings of a provider. */
public final class ProviderSettings {

  private ProviderSettings() {}

  /**
   * Reads settings.
   *
   * @param set those that there are
   * @param json names and values; what is missing has its default
   * @return the values
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name, or a value of a wrong type or out of its range
   */
  public static OptionValues read(OptionSet set, JsonObject json) {
    try {
      return new OptionValues(set).read(json);
    } catch (IllegalArgumentException e) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "Wrong settings: " + Causes.message(e));
    }
  }
}
