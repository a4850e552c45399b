// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.SettingNames;
import dev.rpcrdma.verbs.support.SettingValues;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * Settings of the provider {@code siw}, with their names in JSON.
 *
 * @param crc {@code crc}: whether FPDUs carry a CRC32C; default true. Off only if both sides say so
 *     (RFC 5044 §4.4)
 * @param peerToPeer {@code peerToPeer}: whether to connect in the peer-to-peer model of RFC 6581;
 *     default false. Not needed for the accepting side to send first: this provider starts each
 *     connection with a zero-length RDMA Write, which any iWARP peer takes
 * @param fallbackToRevision1 {@code fallbackToRevision1}: whether to connect once more by the plain
 *     startup of RFC 5044 to a peer that closes on the enhanced one (RFC 6581 §10); default false.
 *     Read depths are then not negotiated
 * @param nudgeMillis {@code nudgeMillis}: how long after connecting a second zero-length Write goes
 *     out, in milliseconds; default 20, 0 for never. Linux siw may overlook what comes in right
 *     after its Reply until more comes. While nothing comes from it, two more follow, after ten and a
 *     hundred times as long
 * @param startupTimeoutMillis {@code startupTimeoutMillis}: how long a peer may take for its MPA
 *     Request, and a consumer for its answer, in milliseconds; default 10000
 * @param closeTimeoutMillis {@code closeTimeoutMillis}: how long a disconnect may take to send what
 *     was flushed and to see the peer's end, in milliseconds; default 2000
 * @param revokeTimeoutMillis {@code revokeTimeoutMillis}: how long a revocation may wait for
 *     outbound bytes before the connection ends, in milliseconds; default 5000
 * @param maxPendingConnections {@code maxPendingConnections}: how many connections of one listener
 *     may be in startup or waiting for an answer; default 2048. More are closed at once
 * @param maxPendingPerAddress {@code maxPendingPerAddress}: how many of those that a device has accepted
 *     from one remote address may be in startup or waiting for an answer; default 1024. More are closed at
 *     once
 * @param maxConnectionsPerAddress {@code maxConnectionsPerAddress}: how many connections a device accepts
 *     from one remote address, those in startup among them; default 4096. More are closed at once
 * @param fpduTimeoutMillis {@code fpduTimeoutMillis}: how long a peer that has begun an FPDU may send
 *     nothing that completes one, in milliseconds; default 30000. The connection ends between once and
 *     twice that long after
 * @param busyPollMicros {@code busyPollMicros}: for how long an event loop looks for more messages
 *     before it sleeps, in microseconds; default 0, which is never. Where nothing comes so soon, it does
 *     so after one message in 64
 * @param messagePollMicros {@code messagePollMicros}: for how long an event loop looks for what is on its
 *     way for sure, before it sleeps, in microseconds: the rest of a message of which a part has come,
 *     and the Response to an RDMA Read. Default 100, but 0, which is never, where there is only one
 *     processor. Where it does not come so soon, the loop looks after one part in 64
 */
public record SiwOptions(
    boolean crc,
    boolean peerToPeer,
    boolean fallbackToRevision1,
    int nudgeMillis,
    int startupTimeoutMillis,
    int closeTimeoutMillis,
    int revokeTimeoutMillis,
    int maxPendingConnections,
    int maxPendingPerAddress,
    int maxConnectionsPerAddress,
    int fpduTimeoutMillis,
    int busyPollMicros,
    int messagePollMicros) {

  private static final int MOST_POLL_MICROS = 1_000_000;

  /** A sender on the same machine would have to wait for the processor that looks for its bytes. */
  private static final int MESSAGE_POLL_MICROS =
      Runtime.getRuntime().availableProcessors() > 1 ? 100 : 0;

  /** CRCs, client-server model, and the times named above. */
  public static final SiwOptions DEFAULT = new SiwOptions(true, false, false, 20, 10_000, 2_000,
      5_000, 2048, 1024, 4096, 30_000, 0, MESSAGE_POLL_MICROS);

  private static final String NAME = "siw";
  private static final Set<String> NAMES = Set.of("crc", "peerToPeer", "fallbackToRevision1",
      "nudgeMillis", "startupTimeoutMillis", "closeTimeoutMillis", "revokeTimeoutMillis",
      "maxPendingConnections", "maxPendingPerAddress", "maxConnectionsPerAddress", "fpduTimeoutMillis",
      "busyPollMicros", "messagePollMicros");

  /** Checks the ranges. */
  public SiwOptions {
    atLeast("nudgeMillis", nudgeMillis, 0);
    atLeast("startupTimeoutMillis", startupTimeoutMillis, 1);
    atLeast("closeTimeoutMillis", closeTimeoutMillis, 1);
    atLeast("revokeTimeoutMillis", revokeTimeoutMillis, 1);
    atLeast("maxPendingConnections", maxPendingConnections, 1);
    atLeast("maxPendingPerAddress", maxPendingPerAddress, 1);
    atLeast("maxConnectionsPerAddress", maxConnectionsPerAddress, 1);
    atLeast("fpduTimeoutMillis", fpduTimeoutMillis, 1);
    pollMicros("busyPollMicros", busyPollMicros);
    pollMicros("messagePollMicros", messagePollMicros);
  }

  /**
   * Reads settings.
   *
   * @param json names and values; what is missing has its default
   * @return the options
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name or a value of the wrong
   *     type or out of range
   */
  public static SiwOptions of(JsonObject json) {
    SettingNames.check(json, NAMES, "siw setting %s");
    return new SiwOptions(
        SettingValues.flag(json, "crc", DEFAULT.crc, NAME),
        SettingValues.flag(json, "peerToPeer", DEFAULT.peerToPeer, NAME),
        SettingValues.flag(json, "fallbackToRevision1", DEFAULT.fallbackToRevision1, NAME),
        SettingValues.integer(json, "nudgeMillis", DEFAULT.nudgeMillis, NAME),
        SettingValues.integer(json, "startupTimeoutMillis", DEFAULT.startupTimeoutMillis, NAME),
        SettingValues.integer(json, "closeTimeoutMillis", DEFAULT.closeTimeoutMillis, NAME),
        SettingValues.integer(json, "revokeTimeoutMillis", DEFAULT.revokeTimeoutMillis, NAME),
        SettingValues.integer(json, "maxPendingConnections", DEFAULT.maxPendingConnections, NAME),
        SettingValues.integer(json, "maxPendingPerAddress", DEFAULT.maxPendingPerAddress, NAME),
        SettingValues.integer(json, "maxConnectionsPerAddress", DEFAULT.maxConnectionsPerAddress, NAME),
        SettingValues.integer(json, "fpduTimeoutMillis", DEFAULT.fpduTimeoutMillis, NAME),
        SettingValues.integer(json, "busyPollMicros", DEFAULT.busyPollMicros, NAME),
        SettingValues.integer(json, "messagePollMicros", DEFAULT.messagePollMicros, NAME));
  }

  private static void pollMicros(String name, int value) {
    atLeast(name, value, 0);
    if (value > MOST_POLL_MICROS) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "siw setting '" + name
          + "' must be at most " + MOST_POLL_MICROS + ", not " + value);
    }
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "siw setting '" + name + "' must be at least " + least + ", not " + value);
    }
  }
}
