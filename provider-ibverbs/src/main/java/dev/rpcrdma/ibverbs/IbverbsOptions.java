// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import dev.rpcrdma.verbs.support.ProviderSettings;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Settings of the provider {@code ibverbs}: {@code docs/options.md} of the source tree lists them. Immutable. */
public final class IbverbsOptions extends DeclaredOptions {

  private static final OptionSet OPTIONS = new OptionSet("IbverbsOptions", "ibverbs setting");
  private static final Option<Optional<String>> DEVICE = OPTIONS.add("device", OptionType.optional(OptionType.text()),
      Optional.empty(),
      "the RDMA device, such as `mlx5_0`; the first one that has an active port, if none is named");
  private static final Option<Integer> INLINE_BYTES = OPTIONS.add("inlineBytes",
      OptionType.int32(0, 1024).unit("bytes"), 128,
      "the longest Send or Write whose bytes are put into the work request; a device that does not take so many has "
          + "as many as it takes");
  private static final Option<Integer> STARTUP_TIMEOUT_MILLIS = OPTIONS.add("startupTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 10_000,
      "how long a consumer may take to answer a connection request");
  private static final Option<Integer> CLOSE_TIMEOUT_MILLIS = OPTIONS.add("closeTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 2_000,
      "how long a disconnect may take to send what was flushed, and to see the peer's end");
  private static final Option<Integer> REVOKE_TIMEOUT_MILLIS = OPTIONS.add("revokeTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 5_000,
      "how long a revocation may take before the connection ends");
  private static final Option<Integer> MAX_PENDING_CONNECTIONS = OPTIONS.add("maxPendingConnections",
      OptionType.int32(1, Integer.MAX_VALUE).unit("connections"), 1024,
      "connections of one listener that wait for an answer; more are rejected at once");
  private static final Option<Integer> BUSY_POLL_MICROS = OPTIONS.add("busyPollMicros",
      OptionType.int32(0, 1_000_000).unit("µs"), 0,
      "for how long an event loop looks for more messages before it sleeps; 0 for never. Where nothing comes so "
          + "soon, it does so after one message in 64");
  private static final Option<Integer> NUDGE_MILLIS = OPTIONS.add("nudgeMillis",
      OptionType.int32(0, Integer.MAX_VALUE).unit("ms"), 20,
      "how long after connecting [by Linux' siw](ibverbs.md#linux-siw) an empty Write goes out; 0 for never. While "
          + "nothing is heard of the peer, two more follow, after ten and a hundred times as long");

  /** The defaults. */
  public static final IbverbsOptions DEFAULT = of(new JsonObject());

  private IbverbsOptions(OptionValues values) {
    super(values);
  }

  /**
   * Reads settings.
   *
   * @param json names and values; what is missing has its default
   * @return the options
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name, or a value of a wrong type or out of its range
   */
  public static IbverbsOptions of(JsonObject json) {
    return new IbverbsOptions(ProviderSettings.read(OPTIONS, json));
  }

  /**
   * The RDMA device.
   *
   * @return empty for the first one that has an active port
   */
  public Optional<String> device() {
    return values.get(DEVICE);
  }

  /**
   * The longest Send or Write whose bytes are put into the work request.
   *
   * @return bytes
   */
  public int inlineBytes() {
    return values.get(INLINE_BYTES);
  }

  /**
   * How long a consumer may take to answer a connection request.
   *
   * @return milliseconds
   */
  public int startupTimeoutMillis() {
    return values.get(STARTUP_TIMEOUT_MILLIS);
  }

  /**
   * How long a disconnect may take.
   *
   * @return milliseconds
   */
  public int closeTimeoutMillis() {
    return values.get(CLOSE_TIMEOUT_MILLIS);
  }

  /**
   * How long a revocation may take before the connection ends.
   *
   * @return milliseconds
   */
  public int revokeTimeoutMillis() {
    return values.get(REVOKE_TIMEOUT_MILLIS);
  }

  /**
   * How many connections of one listener may wait for an answer.
   *
   * @return connections
   */
  public int maxPendingConnections() {
    return values.get(MAX_PENDING_CONNECTIONS);
  }

  /**
   * For how long an event loop looks for more messages before it sleeps.
   *
   * @return microseconds; 0 for never
   */
  public int busyPollMicros() {
    return values.get(BUSY_POLL_MICROS);
  }

  /**
   * How long after connecting by Linux' siw an empty Write goes out.
   *
   * @return milliseconds; 0 for never
   */
  public int nudgeMillis() {
    return values.get(NUDGE_MILLIS);
  }
}
