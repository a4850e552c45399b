// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/** Refuses settings that nobody knows: one that is misspelled would go unnoticed. */
public final class SettingNames {

  private SettingNames() {}

  /**
   * Compares names.
   *
   * @param json the settings given
   * @param known the settings there are
   * @param described an unknown one, in words, with its name where %s stands
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name
   */
  public static void check(JsonObject json, Set<String> known, String described) {
    for (String name : json.fieldNames()) {
      if (!known.contains(name)) {
        throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
            "Unknown " + described.formatted("'" + name + "'") + "; known are "
                + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }
}
