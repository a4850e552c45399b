// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.options.TlsJson;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Duration;
import java.util.Optional;

/** What a {@link RpcClient} wants. */
public final class RpcClientOptions extends RpcOptions<RpcClientOptions> {

  /** What is sent again after a loss: what cannot be executed twice by it. */
  public static final Replay DEFAULT_REPLAY = Replay.SAFE;
  /** How often connecting is tried in a row after a loss. */
  public static final int DEFAULT_RECONNECT_ATTEMPTS = 10;
  /** The pause after the first failed attempt. */
  public static final Duration DEFAULT_RECONNECT_DELAY = Duration.ofMillis(100);
  /** The longest pause between attempts. */
  public static final Duration DEFAULT_MAX_RECONNECT_DELAY = Duration.ofSeconds(5);

  /** How long calls wait for a server that was lost: as long as each has time. */
  public static final Duration DEFAULT_RECONNECT_TIMEOUT = Duration.ZERO;

  /** How many connections a channel has to a server. */
  public static final int DEFAULT_CONNECTIONS = 1;

  private static final OptionSet OPTIONS = COMMON.extended("RpcClientOptions");
  private static final Option<Replay> REPLAY = OPTIONS.add("replay", OptionType.constant(Replay.class), DEFAULT_REPLAY,
      "which calls are [sent again](recovery.md#sending-again) after a loss");
  private static final Option<Integer> CONNECTIONS = OPTIONS.add("connections",
      OptionType.int32(1, 64).unit("connections"), DEFAULT_CONNECTIONS,
      "connections of a channel to a server, each [with an event loop of its own](addresses.md#several-connections)");
  private static final Option<Boolean> PROVIDER_FALLBACK = OPTIONS.add("providerFallback", OptionType.flag(), false,
      "whether a connection may be made with the [next provider](deploying.md#several-providers)");
  private static final Option<Integer> RECONNECT_ATTEMPTS = OPTIONS.add("reconnect.reconnectAttempts",
      OptionType.int32(0, 1_000_000).unit("attempts"), DEFAULT_RECONNECT_ATTEMPTS,
      "how often in a row connecting is tried after a loss; 0 for no limit");
  private static final Option<Duration> RECONNECT_DELAY = OPTIONS.add("reconnect.reconnectDelay",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_RECONNECT_DELAY,
      "the pause after the first failed attempt; it doubles");
  private static final Option<Duration> MAX_RECONNECT_DELAY = OPTIONS.add("reconnect.maxReconnectDelay",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_MAX_RECONNECT_DELAY,
      "the longest pause");
  private static final Option<Duration> RECONNECT_TIMEOUT = OPTIONS.add("reconnect.reconnectTimeout",
      OptionType.duration(Duration.ZERO, LONGEST).only("0, or 1 ms to 1 day", RpcClientOptions::isReconnectTimeout),
      DEFAULT_RECONNECT_TIMEOUT,
      "how long calls wait for a server that was lost; 0 for as long as each has time");
  private static final Option<Optional<ClientSSLOptions>> TLS = OPTIONS.add("tls",
      OptionType.optional(TlsJson.CLIENT_TYPE), Optional.empty(),
      "[TLS](security.md#tls): whom to trust, and this side's certificate").secret();

  /** The defaults. */
  public RpcClientOptions() {
    super(new OptionValues(OPTIONS));
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcClientOptions(RpcClientOptions other) {
    super(new OptionValues(other.values));
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown or in another place, or a value is not allowed, with what is
   */
  public RpcClientOptions(JsonObject json) {
    super(new OptionValues(OPTIONS).read(json));
  }

  @Override
  RpcClientOptions self() {
    return this;
  }

  /**
   * What connections are secured by.
   *
   * @return a copy; empty for plaintext
   */
  public Optional<ClientSSLOptions> getTls() {
    return values.get(TLS);
  }

  /**
   * Sets what connections are secured by. A server without TLS, and a provider without it, are never connected to in
   * plaintext instead. The server's certificate must name the host that is connected to, by the algorithm
   * {@code HTTPS} unless another one is set; with {@code ""} the name is not looked at, and the chain is, unless {@code
   * trustAll} is set. There is no ALPN, no hybrid key exchange and no OpenSSL: they fail the connect.
   *
   * @param options keys, trust and rules, copied; in JSON those of Vert.x, with {@code pemKeyCertOptions}, {@code
   *     keyStoreOptions} or {@code pfxKeyCertOptions}, and {@code pemTrustOptions}, {@code trustStoreOptions} or {@code
   *     pfxTrustOptions}
   * @return this
   */
  public RpcClientOptions setTls(ClientSSLOptions options) {
    return setSome(TLS, options);
  }

  /**
   * Which calls a channel sends again when their connection was lost.
   *
   * @return the rule
   */
  public Replay getReplay() {
    return values.get(REPLAY);
  }

  /**
   * Sets which calls a channel sends again when their connection was lost after the server may have
   * executed them. Others fail with {@link RpcConnectionLostException}. What was not sent is always sent.
   *
   * @param rule see its values
   * @return this
   */
  public RpcClientOptions setReplay(Replay rule) {
    return set(REPLAY, rule);
  }

  /**
   * How often in a row connecting is tried after a loss, before the calls that wait for it fail.
   *
   * @return attempts; 0 for no limit but the calls' own deadlines
   */
  public int getReconnectAttempts() {
    return values.get(RECONNECT_ATTEMPTS);
  }

  /**
   * Sets how often in a row connecting is tried after a loss. The first connection of a channel is
   * tried once: its address may be wrong.
   *
   * @param attempts 0 (no limit) to 1000000
   * @return this
   */
  public RpcClientOptions setReconnectAttempts(int attempts) {
    return set(RECONNECT_ATTEMPTS, attempts);
  }

  /**
   * The pause after the first failed attempt; it doubles with each that follows, and is shortened by up
   * to a half at random.
   *
   * @return a duration
   */
  public Duration getReconnectDelay() {
    return values.get(RECONNECT_DELAY);
  }

  /**
   * Sets the pause after the first failed attempt.
   *
   * @param delay 1 ms to 1 day
   * @return this
   */
  public RpcClientOptions setReconnectDelay(Duration delay) {
    return set(RECONNECT_DELAY, delay);
  }

  /**
   * How many connections a channel has to a server.
   *
   * @return a count
   */
  public int getConnections() {
    return values.get(CONNECTIONS);
  }

  /**
   * Sets how many connections a channel has to a server, each with credits and a session of its own, and on an event
   * loop of its own as long as there are others. A call goes over the one with the fewest calls, and stays with it;
   * calls of one {@linkplain CallOptions#routingKey routing key} go over the same one.
   *
   * @param count 1 to 64
   * @return this
   */
  public RpcClientOptions setConnections(int count) {
    return set(CONNECTIONS, count);
  }

  /**
   * Whether a connection that cannot be made with one provider is made with the next.
   *
   * @return false unless set
   */
  public boolean isProviderFallback() {
    return values.get(PROVIDER_FALLBACK);
  }

  /**
   * Sets whether a connection that cannot be made with one of the providers that were added ({@link #addProvider}) is
   * made with the next: it may be much slower. Each time is logged, and counted in {@link ChannelSnapshot#fallbacks};
   * the next connection begins with the first provider again.
   *
   * @param fallback true to go on with the next
   * @return this
   */
  public RpcClientOptions setProviderFallback(boolean fallback) {
    return set(PROVIDER_FALLBACK, fallback);
  }

  /**
   * How long calls wait for a server that was lost.
   *
   * @return zero for as long as each has time, and {@link #getReconnectAttempts} allow
   */
  public Duration getReconnectTimeout() {
    return values.get(RECONNECT_TIMEOUT);
  }

  /**
   * Sets how long calls wait for a server that was lost, so that they fail sooner than by their own timeouts. Those
   * that are made later fail with the next attempt that fails.
   *
   * @param timeout 0 (as long as each has time) to 1 day
   * @return this
   */
  public RpcClientOptions setReconnectTimeout(Duration timeout) {
    return set(RECONNECT_TIMEOUT, timeout);
  }

  /**
   * The longest pause between attempts.
   *
   * @return a duration
   */
  public Duration getMaxReconnectDelay() {
    return values.get(MAX_RECONNECT_DELAY);
  }

  /**
   * Sets the longest pause between attempts; if it is shorter than the first one, that is as long.
   *
   * @param delay 1 ms to 1 day
   * @return this
   */
  public RpcClientOptions setMaxReconnectDelay(Duration delay) {
    return set(MAX_RECONNECT_DELAY, delay);
  }

  private static boolean isReconnectTimeout(Duration value) {
    return value.isZero() || value.compareTo(SHORTEST) >= 0 && value.compareTo(LONGEST) <= 0;
  }
}
