// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.SettingNames;
import dev.rpcrdma.verbs.support.SettingValues;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * Settings of the provider {@code memory}, with their names in JSON. A connection has the faults that the settings of
 * the connecting side ask for. The same seed gives the same faults, as long as connections are asked for in the same
 * order, and each end posts the same. By default there are no faults.
 *
 * @param seed {@code seed}: where the randomness starts; default 0
 * @param cutAfterMessages {@code cutAfterMessages}: how many Sends, Writes and Reads, of both directions together, a
 *     connection carries before it is cut in the middle of the next one; default 0, which is never
 * @param cutProbability {@code cutProbability}: how probable it is for each Send, Write and Read that the connection is
 *     cut in its middle, from 0 to 1; default 0
 * @param minDelayMillis {@code minDelayMillis}: for how long each message is on its way at least, in milliseconds, from
 *     0 to 60000; default 0. Messages do not overtake each other
 * @param maxDelayMillis {@code maxDelayMillis}: for how long at most, from {@code minDelayMillis} to 60000; default
 *     {@code minDelayMillis}
 * @param refuseProbability {@code refuseProbability}: how probable it is for each connect that it finds nobody, from 0
 *     to 1; default 0
 * @param closeTimeoutMillis {@code closeTimeoutMillis}: for how long a close by an end of this device waits until the
 *     peer has taken what was flushed before, in milliseconds, from 1 to 60000; default 2000
 */
public record MemoryOptions(
    long seed,
    int cutAfterMessages,
    double cutProbability,
    int minDelayMillis,
    int maxDelayMillis,
    double refuseProbability,
    int closeTimeoutMillis) {

  private static final int MOST_MILLIS = 60_000;

  /** No faults. */
  public static final MemoryOptions DEFAULT = new MemoryOptions(0, 0, 0, 0, 0, 0, 2_000);

  private static final String NAME = "memory";
  private static final Set<String> NAMES = Set.of("seed", "cutAfterMessages", "cutProbability", "minDelayMillis",
      "maxDelayMillis", "refuseProbability", "closeTimeoutMillis");

  /**
   * Checks the ranges.
   *
   * @throws VerbsException of kind INVALID_ARGUMENT for a value out of its range
   */
  public MemoryOptions {
    range("cutAfterMessages", cutAfterMessages, 0, Integer.MAX_VALUE);
    probability("cutProbability", cutProbability);
    range("minDelayMillis", minDelayMillis, 0, MOST_MILLIS);
    range("maxDelayMillis", maxDelayMillis, minDelayMillis, MOST_MILLIS);
    probability("refuseProbability", refuseProbability);
    range("closeTimeoutMillis", closeTimeoutMillis, 1, MOST_MILLIS);
  }

  /**
   * Reads settings.
   *
   * @param json names and values; what is missing has its default
   * @return the options
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name or a value of the wrong type or out of its
   *     range, with the setting's name
   */
  public static MemoryOptions of(JsonObject json) {
    for (String name : json.fieldNames()) {
      if (!NAMES.contains(name)) {
        throw invalid("Unknown memory setting '" + name + "'" + SettingNames.guess(name, NAMES) + "; known are "
            + String.join(", ", NAMES.stream().sorted().toList()));
      }
    }
    int minDelay = SettingValues.integer(json, "minDelayMillis", DEFAULT.minDelayMillis, NAME);
    return new MemoryOptions(SettingValues.whole(json, "seed", DEFAULT.seed, NAME),
        SettingValues.integer(json, "cutAfterMessages", DEFAULT.cutAfterMessages, NAME),
        number(json, "cutProbability", DEFAULT.cutProbability),
        minDelay,
        SettingValues.integer(json, "maxDelayMillis", minDelay, NAME),
        number(json, "refuseProbability", DEFAULT.refuseProbability),
        SettingValues.integer(json, "closeTimeoutMillis", DEFAULT.closeTimeoutMillis, NAME));
  }

  private static double number(JsonObject json, String name, double otherwise) {
    Object value = json.containsKey(name) ? json.getValue(name) : otherwise;
    if (value instanceof Number) {
      return ((Number) value).doubleValue();
    }
    throw invalid("memory setting '" + name + "' must be a number, not " + value);
  }

  private static void range(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw invalid(outOfRange(name, least, most, value));
    }
  }

  private static void probability(String name, double value) {
    // Not a number is no probability either.
    if (!(value >= 0 && value <= 1)) {
      throw invalid(outOfRange(name, 0, 1, value));
    }
  }

  private static String outOfRange(String name, Object least, Object most, Object value) {
    return "memory setting '" + name + "' must be from " + least + " to " + most + ", not " + value;
  }

  private static VerbsException invalid(String message) {
    return new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, message);
  }
}
