// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import dev.rpcrdma.verbs.support.ProviderSettings;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Settings of the provider {@code memory}: {@code docs/options.md} of the source tree lists them. A connection has the
 * faults that the settings of the connecting side ask for. The same seed gives the same faults, as long as connections
 * are asked for in the same order, and each end posts the same. By default there are no faults. Immutable.
 */
public final class MemoryOptions extends DeclaredOptions {

  private static final int MOST_MILLIS = 60_000;

  private static final OptionSet OPTIONS = new OptionSet("MemoryOptions", "memory setting");
  private static final Option<Long> SEED = OPTIONS.add("seed", OptionType.int64(), 0L,
      "where the randomness starts");
  private static final Option<Integer> CUT_AFTER_MESSAGES = OPTIONS.add("cutAfterMessages",
      OptionType.int32(0, Integer.MAX_VALUE).unit("messages"), 0,
      "how many Sends, Writes and Reads, of both directions together, a connection carries before it is cut in the "
          + "middle of the next one; 0 for never");
  private static final Option<Double> CUT_PROBABILITY = OPTIONS.add("cutProbability", OptionType.real(0, 1), 0.0,
      "how probable it is for each Send, Write and Read that the connection is cut in its middle");
  private static final Option<Integer> MIN_DELAY_MILLIS = OPTIONS.add("minDelayMillis",
      OptionType.int32(0, MOST_MILLIS).unit("ms"), 0,
      "for how long each message is on its way at least; they do not overtake each other");
  private static final Option<Optional<Integer>> MAX_DELAY_MILLIS = OPTIONS.add("maxDelayMillis",
      OptionType.optional(OptionType.int32(0, MOST_MILLIS).unit("ms")), Optional.empty(),
      "for how long at most; `minDelayMillis` if nothing is said, and never less");
  private static final Option<Double> REFUSE_PROBABILITY = OPTIONS.add("refuseProbability", OptionType.real(0, 1), 0.0,
      "how probable it is for each connect that it finds nobody");
  private static final Option<Integer> CLOSE_TIMEOUT_MILLIS = OPTIONS.add("closeTimeoutMillis",
      OptionType.int32(1, MOST_MILLIS).unit("ms"), 2_000,
      "for how long a close by an end of this device waits until the peer has taken what was flushed before");

  /** The defaults. */
  public static final MemoryOptions DEFAULT = of(new JsonObject());

  private MemoryOptions(OptionValues values) {
    super(values);
    if (maxDelayMillis() == minDelayMillis()) {
      // Said or not, it means the same, and is equal.
      values.set(MAX_DELAY_MILLIS, Optional.empty());
    }
    if (maxDelayMillis() < minDelayMillis()) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "Wrong settings: memory setting maxDelayMillis is "
          + minDelayMillis() + " to " + MOST_MILLIS + ", not " + maxDelayMillis());
    }
  }

  /**
   * Reads settings.
   *
   * @param json names and values; what is missing has its default
   * @return the options
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name, or a value of a wrong type or out of its range
   */
  public static MemoryOptions of(JsonObject json) {
    return new MemoryOptions(ProviderSettings.read(OPTIONS, json));
  }

  /**
   * Where the randomness starts.
   *
   * @return any number
   */
  public long seed() {
    return values.get(SEED);
  }

  /**
   * How many Sends, Writes and Reads a connection carries before it is cut in the middle of the next one.
   *
   * @return messages of both directions together; 0 for never
   */
  public int cutAfterMessages() {
    return values.get(CUT_AFTER_MESSAGES);
  }

  /**
   * How probable it is for each Send, Write and Read that the connection is cut in its middle.
   *
   * @return 0 to 1
   */
  public double cutProbability() {
    return values.get(CUT_PROBABILITY);
  }

  /**
   * For how long each message is on its way at least.
   *
   * @return milliseconds
   */
  public int minDelayMillis() {
    return values.get(MIN_DELAY_MILLIS);
  }

  /**
   * For how long each message is on its way at most.
   *
   * @return milliseconds, {@link #minDelayMillis} or more
   */
  public int maxDelayMillis() {
    return values.get(MAX_DELAY_MILLIS).orElse(minDelayMillis());
  }

  /**
   * How probable it is for each connect that it finds nobody.
   *
   * @return 0 to 1
   */
  public double refuseProbability() {
    return values.get(REFUSE_PROBABILITY);
  }

  /**
   * For how long a close by an end of this device waits until the peer has taken what was flushed before.
   *
   * @return milliseconds
   */
  public int closeTimeoutMillis() {
    return values.get(CLOSE_TIMEOUT_MILLIS);
  }
}
