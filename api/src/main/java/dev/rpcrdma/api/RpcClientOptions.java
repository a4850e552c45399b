// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.Replay;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Duration;
import java.util.Objects;
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

  private int connections = DEFAULT_CONNECTIONS;
  private boolean providerFallback;
  private Duration reconnectTimeout = DEFAULT_RECONNECT_TIMEOUT;
  private Replay replay = DEFAULT_REPLAY;
  private int reconnectAttempts = DEFAULT_RECONNECT_ATTEMPTS;
  private Duration reconnectDelay = DEFAULT_RECONNECT_DELAY;
  private Duration maxReconnectDelay = DEFAULT_MAX_RECONNECT_DELAY;
  /** Null for none; nobody else has it. */
  private ClientSSLOptions tls;

  /** The defaults. */
  public RpcClientOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcClientOptions(RpcClientOptions other) {
    RpcOptionsJson.copy(other, this);
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default, what is unknown is refused
   */
  public RpcClientOptions(JsonObject json) {
    RpcOptionsJson.read(json, this);
  }

  @Override
  public JsonObject toJson() {
    return RpcOptionsJson.write(this);
  }

  /** What is not the default, without keys and credentials. */
  @Override
  public String toString() {
    return RpcOptionsJson.describe(this);
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
    return Optional.ofNullable(tls).map(ClientSSLOptions::copy);
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
    tls = Objects.requireNonNull(options, "tls").copy();
    return this;
  }

  /**
   * Which calls a channel sends again when their connection was lost.
   *
   * @return the rule
   */
  public Replay getReplay() {
    return replay;
  }

  /**
   * Sets which calls a channel sends again when their connection was lost after the server may have
   * executed them. Others fail with {@link RpcConnectionLostException}. What was not sent is always sent.
   *
   * @param rule see its values
   * @return this
   */
  public RpcClientOptions setReplay(Replay rule) {
    replay = Objects.requireNonNull(rule, "rule");
    return this;
  }

  /**
   * How often in a row connecting is tried after a loss, before the calls that wait for it fail.
   *
   * @return attempts; 0 for no limit but the calls' own deadlines
   */
  public int getReconnectAttempts() {
    return reconnectAttempts;
  }

  /**
   * Sets how often in a row connecting is tried after a loss. The first connection of a channel is
   * tried once: its address may be wrong.
   *
   * @param attempts 0 (no limit) to 1000000
   * @return this
   */
  public RpcClientOptions setReconnectAttempts(int attempts) {
    reconnectAttempts = range("reconnectAttempts", attempts, 0, 1_000_000);
    return this;
  }

  /**
   * The pause after the first failed attempt; it doubles with each that follows, and is shortened by up
   * to a half at random.
   *
   * @return a duration
   */
  public Duration getReconnectDelay() {
    return reconnectDelay;
  }

  /**
   * Sets the pause after the first failed attempt.
   *
   * @param delay 1 ms to 1 day
   * @return this
   */
  public RpcClientOptions setReconnectDelay(Duration delay) {
    reconnectDelay = duration("reconnectDelay", delay);
    return this;
  }

  /**
   * How many connections a channel has to a server.
   *
   * @return a count
   */
  public int getConnections() {
    return connections;
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
    connections = range("connections", count, 1, 64);
    return this;
  }

  /**
   * Whether a connection that cannot be made with one provider is made with the next.
   *
   * @return false unless set
   */
  public boolean isProviderFallback() {
    return providerFallback;
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
    providerFallback = fallback;
    return this;
  }

  /**
   * How long calls wait for a server that was lost.
   *
   * @return zero for as long as each has time, and {@link #getReconnectAttempts} allow
   */
  public Duration getReconnectTimeout() {
    return reconnectTimeout;
  }

  /**
   * Sets how long calls wait for a server that was lost, so that they fail sooner than by their own timeouts. Those
   * that are made later fail with the next attempt that fails.
   *
   * @param timeout 0 (as long as each has time) to 1 day
   * @return this
   */
  public RpcClientOptions setReconnectTimeout(Duration timeout) {
    reconnectTimeout = timeout.isZero() ? timeout : duration("reconnectTimeout", timeout);
    return this;
  }

  /**
   * The longest pause between attempts.
   *
   * @return a duration
   */
  public Duration getMaxReconnectDelay() {
    return maxReconnectDelay;
  }

  /**
   * Sets the longest pause between attempts; if it is shorter than the first one, that is as long.
   *
   * @param delay 1 ms to 1 day
   * @return this
   */
  public RpcClientOptions setMaxReconnectDelay(Duration delay) {
    maxReconnectDelay = duration("maxReconnectDelay", delay);
    return this;
  }
}
