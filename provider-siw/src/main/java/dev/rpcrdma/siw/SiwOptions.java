// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import dev.rpcrdma.verbs.support.ProviderSettings;
import io.vertx.core.json.JsonObject;

/** Settings of the provider {@code siw}: {@code docs/options.md} of the source tree lists them. Immutable. */
public final class SiwOptions extends DeclaredOptions {

  private static final int MOST_POLL_MICROS = 1_000_000;
  /** A sender on the same machine would have to wait for the processor that looks for its bytes. */
  private static final int MESSAGE_POLL_MICROS_BY_DEFAULT = Runtime.getRuntime().availableProcessors() > 1 ? 100 : 0;

  private static final OptionSet OPTIONS = new OptionSet("SiwOptions", "siw setting");
  private static final Option<Boolean> CRC = OPTIONS.add("crc", OptionType.flag(), true,
      "whether FPDUs carry a CRC32C (RFC 5044 §4.4); off only if both sides say so");
  private static final Option<Boolean> PEER_TO_PEER = OPTIONS.add("peerToPeer", OptionType.flag(), false,
      "whether to connect in the peer-to-peer model (RFC 6581). The accepting side may send first without it: each "
          + "connection starts with an empty Write, which any iWARP peer takes");
  private static final Option<Boolean> FALLBACK_TO_REVISION_1 = OPTIONS.add("fallbackToRevision1", OptionType.flag(),
      false,
      "whether to connect once more by RFC 5044's startup to a peer that closes on the enhanced one (RFC 6581 §10); "
          + "Read depths are not negotiated then");
  private static final Option<Integer> NUDGE_MILLIS = OPTIONS.add("nudgeMillis",
      OptionType.int32(0, Integer.MAX_VALUE).unit("ms"), 20,
      "how long after connecting a second empty Write goes out, since Linux siw may overlook what comes in right "
          + "after its Reply; 0 for never. While nothing comes back, two more follow, after ten and a hundred times as "
          + "long");
  private static final Option<Integer> STARTUP_TIMEOUT_MILLIS = OPTIONS.add("startupTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 10_000,
      "how long a peer may take for its MPA Request, and a consumer for its answer");
  private static final Option<Integer> CLOSE_TIMEOUT_MILLIS = OPTIONS.add("closeTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 2_000,
      "how long a disconnect may take to send what was flushed, and to see the peer's end");
  private static final Option<Integer> REVOKE_TIMEOUT_MILLIS = OPTIONS.add("revokeTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 5_000,
      "how long a revocation may wait for outbound bytes before the connection ends");
  private static final Option<Integer> MAX_PENDING_CONNECTIONS = OPTIONS.add("maxPendingConnections",
      OptionType.int32(1, Integer.MAX_VALUE).unit("connections"), 2048,
      "connections of one listener that are in startup or wait for an answer; more are closed at once");
  private static final Option<Integer> MAX_PENDING_PER_ADDRESS = OPTIONS.add("maxPendingPerAddress",
      OptionType.int32(1, Integer.MAX_VALUE).unit("connections"), 1024,
      "those of a device from one remote address; more are closed at once");
  private static final Option<Integer> MAX_CONNECTIONS_PER_ADDRESS = OPTIONS.add("maxConnectionsPerAddress",
      OptionType.int32(1, Integer.MAX_VALUE).unit("connections"), 4096,
      "connections that a device accepts from one remote address, those in startup among them; more are closed at "
          + "once");
  private static final Option<Integer> FPDU_TIMEOUT_MILLIS = OPTIONS.add("fpduTimeoutMillis",
      OptionType.int32(1, Integer.MAX_VALUE).unit("ms"), 30_000,
      "how long a peer that has begun an FPDU may send nothing that completes one; the connection ends once to "
          + "twice that long after");
  private static final Option<Integer> BUSY_POLL_MICROS = OPTIONS.add("busyPollMicros",
      OptionType.int32(0, MOST_POLL_MICROS).unit("µs"), 0,
      "for how long an event loop looks for [more messages](siw.md#busy-polling) before it sleeps; 0 for never. "
          + "Where nothing comes so soon, it does so after one message in 64");
  private static final Option<Integer> MESSAGE_POLL_MICROS = OPTIONS.add("messagePollMicros",
      OptionType.int32(0, MOST_POLL_MICROS).unit("µs"), MESSAGE_POLL_MICROS_BY_DEFAULT,
      "for how long an event loop looks for what is on its way for sure, before it sleeps: the rest of a message of "
          + "which a part has come, and the Response to an RDMA Read; 0 for never")
      .defaultWords("100; 0 where there is one processor");

  /** The defaults. */
  public static final SiwOptions DEFAULT = of(new JsonObject());

  private SiwOptions(OptionValues values) {
    super(values);
  }

  /**
   * Reads settings.
   *
   * @param json names and values; what is missing has its default
   * @return the options
   * @throws VerbsException of kind INVALID_ARGUMENT for an unknown name, or a value of a wrong type or out of its range
   */
  public static SiwOptions of(JsonObject json) {
    return new SiwOptions(ProviderSettings.read(OPTIONS, json));
  }

  /**
   * Whether FPDUs carry a CRC32C.
   *
   * @return true unless set; off only if both sides say so (RFC 5044 §4.4)
   */
  public boolean crc() {
    return values.get(CRC);
  }

  /**
   * Whether to connect in the peer-to-peer model of RFC 6581.
   *
   * @return false unless set
   */
  public boolean peerToPeer() {
    return values.get(PEER_TO_PEER);
  }

  /**
   * Whether to connect once more by the plain startup of RFC 5044 to a peer that closes on the enhanced one.
   *
   * @return false unless set
   */
  public boolean fallbackToRevision1() {
    return values.get(FALLBACK_TO_REVISION_1);
  }

  /**
   * How long after connecting a second empty Write goes out.
   *
   * @return milliseconds; 0 for never
   */
  public int nudgeMillis() {
    return values.get(NUDGE_MILLIS);
  }

  /**
   * How long a peer may take for its MPA Request, and a consumer for its answer.
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
   * How long a revocation may wait for outbound bytes.
   *
   * @return milliseconds
   */
  public int revokeTimeoutMillis() {
    return values.get(REVOKE_TIMEOUT_MILLIS);
  }

  /**
   * How many connections of one listener may be in startup or wait for an answer.
   *
   * @return connections
   */
  public int maxPendingConnections() {
    return values.get(MAX_PENDING_CONNECTIONS);
  }

  /**
   * How many of those that a device has accepted from one remote address may be so.
   *
   * @return connections
   */
  public int maxPendingPerAddress() {
    return values.get(MAX_PENDING_PER_ADDRESS);
  }

  /**
   * How many connections a device accepts from one remote address.
   *
   * @return connections
   */
  public int maxConnectionsPerAddress() {
    return values.get(MAX_CONNECTIONS_PER_ADDRESS);
  }

  /**
   * How long a peer that has begun an FPDU may complete none.
   *
   * @return milliseconds
   */
  public int fpduTimeoutMillis() {
    return values.get(FPDU_TIMEOUT_MILLIS);
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
   * For how long an event loop looks for what is on its way for sure, before it sleeps.
   *
   * @return microseconds; 0 for never
   */
  public int messagePollMicros() {
    return values.get(MESSAGE_POLL_MICROS);
  }
}
