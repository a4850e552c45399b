// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.json.JsonObject;

/**
 * Reads the values of settings as they are. {@link JsonObject} would round a fraction, cut what an {@code int} cannot
 * hold, and take a number for a text.
 */
public final class SettingValues {

  private SettingValues() {}

  /**
   * A whole number.
   *
   * @param json the settings given
   * @param name the setting
   * @param otherwise what it is if it is not given
   * @param provider of the setting, for the reason
   * @return the value
   * @throws VerbsException of kind INVALID_ARGUMENT if it is no whole number, or too large for an {@code int}
   */
  public static int integer(JsonObject json, String name, int otherwise, String provider) {
    long value = whole(json, name, otherwise, provider);
    if (value != (int) value) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, provider + " setting '" + name
          + "' must be from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE + ", not " + value);
    }
    return (int) value;
  }

  /**
   * A whole number.
   *
   * @param json the settings given
   * @param name the setting
   * @param otherwise what it is if it is not given
   * @param provider of the setting, for the reason
   * @return the value
   * @throws VerbsException of kind INVALID_ARGUMENT if it is no whole number
   */
  public static long whole(JsonObject json, String name, long otherwise, String provider) {
    Object value = json.containsKey(name) ? json.getValue(name) : otherwise;
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, provider + " setting '" + name
        + "' must be a whole number, not " + value);
  }

  /**
   * True or false.
   *
   * @param json the settings given
   * @param name the setting
   * @param otherwise what it is if it is not given
   * @param provider of the setting, for the reason
   * @return the value
   * @throws VerbsException of kind INVALID_ARGUMENT if it is neither
   */
  public static boolean flag(JsonObject json, String name, boolean otherwise, String provider) {
    Object value = json.containsKey(name) ? json.getValue(name) : otherwise;
    if (value instanceof Boolean known) {
      return known;
    }
    throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, provider + " setting '" + name
        + "' must be true or false, not " + value);
  }
}
