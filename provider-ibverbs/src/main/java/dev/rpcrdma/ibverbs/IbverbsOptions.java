// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.support.SettingNames;
import dev.rpcrdma.verbs.support.SettingValues;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of the provider {@code ibverbs}, with their names in JSON.
 *
 * @param device {@code device}: the RDMA device, such as {@code mlx5_0}; default the first one that has an active port
 * @param inlineBytes {@code inlineBytes}: longest Send or Write whose bytes are put into the work request, in bytes;
 *     default 128. A device that cannot do so many does as many as it can, or none
 * @param startupTimeoutMillis {@code startupTimeoutMillis}: how long a consumer may take to answer a connection
 *     request, in milliseconds; default 10000
 * @param closeTimeoutMillis {@code closeTimeoutMillis}: how long a disconnect may take to send what was flushed and to
 *     see the peer's end, in milliseconds; default 2000
 * @param revokeTimeoutMillis {@code revokeTimeoutMillis}: how long a revocation may take before the connection ends, in
 *     milliseconds; default 5000
 * @param maxPendingConnections {@code maxPendingConnections}: how many connections of one listener may wait for an
 *     answer; default 1024. More are rejected at once
 * @param busyPollMicros {@code busyPollMicros}: for how long an event loop looks for more messages before it sleeps, in
 *     microseconds; default 0, which is never. Where nothing comes so soon, it does so after one message in 64
 * @param nudgeMillis {@code nudgeMillis}: how long after connecting by Linux' siw an empty Write goes out, in
 *     milliseconds; default 20, 0 for never. A peer that is siw may overlook what comes in right after its MPA Reply
 *     until more comes. While nothing is heard of it, two more follow, after ten and a hundred times as long
 */
public record IbverbsOptions(
    Optional<String> device,
    int inlineBytes,
    int startupTimeoutMillis,
    int closeTimeoutMillis,
    int revokeTimeoutMillis,
    int maxPendingConnections,
    int busyPollMicros,
    int nudgeMillis) {

  private static final int MOST_INLINE_BYTES = 1024;
  private static final int MOST_POLL_MICROS = 1_000_000;

  /** The first device, and the values named above. */
  public static final IbverbsOptions DEFAULT = new IbverbsOptions(Optional.empty(), 128, 10_000, 2_000, 5_000, 1024, 0,
      20);

  private static final String NAME = "ibverbs";
  private static final Set<String> NAMES = Set.of("device", "inlineBytes", "startupTimeoutMillis",
      "closeTimeoutMillis", "revokeTimeoutMillis", "maxPendingConnections", "busyPollMicros", "nudgeMillis");

  /** Checks the ranges. */
  public IbverbsOptions {
    within("inlineBytes", inlineBytes, 0, MOST_INLINE_BYTES);
    within("startupTimeoutMillis", startupTimeoutMillis, 1, Integer.MAX_VALUE);
    within("closeTimeoutMillis", closeTimeoutMillis, 1, Integer.MAX_VALUE);
    within("revokeTimeoutMillis", revokeTimeoutMillis, 1, Integer.MAX_VALUE);
    within("maxPendingConnections", maxPendingConnections, 1, Integer.MAX_VALUE);
    within("busyPollMicros", busyPollMicros, 0, MOST_POLL_MICROS);
    within("nudgeMillis", nudgeMillis, 0, Integer.MAX_VALUE);
  }

  /**
   * Reads settings.
   *
   * @param json names and values; what is missing has its default
   * @return the options
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name or a value of the wrong type or out of range
   */
  public static IbverbsOptions of(JsonObject json) {
    SettingNames.check(json, NAMES, "ibverbs setting %s");
    return new IbverbsOptions(device(json),
        SettingValues.integer(json, "inlineBytes", DEFAULT.inlineBytes, NAME),
        SettingValues.integer(json, "startupTimeoutMillis", DEFAULT.startupTimeoutMillis, NAME),
        SettingValues.integer(json, "closeTimeoutMillis", DEFAULT.closeTimeoutMillis, NAME),
        SettingValues.integer(json, "revokeTimeoutMillis", DEFAULT.revokeTimeoutMillis, NAME),
        SettingValues.integer(json, "maxPendingConnections", DEFAULT.maxPendingConnections, NAME),
        SettingValues.integer(json, "busyPollMicros", DEFAULT.busyPollMicros, NAME),
        SettingValues.integer(json, "nudgeMillis", DEFAULT.nudgeMillis, NAME));
  }

  private static Optional<String> device(JsonObject json) {
    if (!json.containsKey("device")) {
      return Optional.empty();
    }
    if (json.getValue("device") instanceof String name) {
      return Optional.of(name);
    }
    throw new VerbsException(Kind.INVALID_ARGUMENT, "ibverbs setting 'device' must be a name, not "
        + json.getValue("device"));
  }

  private static void within(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new VerbsException(Kind.INVALID_ARGUMENT, "ibverbs setting '" + name + "' must be at least " + least
          + (most == Integer.MAX_VALUE ? "" : " and at most " + most) + ", not " + value);
    }
  }
}
