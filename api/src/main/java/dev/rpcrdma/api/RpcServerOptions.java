// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.options.TlsJson;
import dev.rpcrdma.api.rpcbind.RpcbindPolicy;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Optional;

/** What a {@link RpcServer} wants. */
public final class RpcServerOptions extends RpcOptions<RpcServerOptions> {

  /** How long a client without a connection is remembered. */
  public static final Duration DEFAULT_SESSION_TIME = Duration.ofMinutes(2);
  /** How many clients without a connection are remembered. */
  public static final int DEFAULT_MAX_SESSIONS = 1024;

  /** Connections of a server at once. */
  public static final int DEFAULT_MAX_CONNECTIONS = 4096;
  /** Connections of a server at once from one address. */
  public static final int DEFAULT_MAX_CONNECTIONS_PER_HOST = 1024;

  private static final OptionSet OPTIONS = COMMON.extended("RpcServerOptions");
  private static final Option<RpcbindPolicy> RPCBIND = OPTIONS.add("rpcbind", OptionType.constant(RpcbindPolicy.class),
      RpcbindPolicy.OFF,
      "whether the server [registers](rpcbind.md#servers) with the rpcbind of its host");
  private static final Option<Integer> RPCBIND_PORT = OPTIONS.add("rpcbindPort", OptionType.int32(1, 65535),
      RpcbindProgram.PORT,
      "where that rpcbind listens, at 127.0.0.1");
  private static final Option<Integer> MAX_SESSIONS = OPTIONS.add("limits.maxSessions",
      OptionType.int32(1, 1_000_000).unit("clients"), DEFAULT_MAX_SESSIONS,
      "clients without a connection that are remembered");
  private static final Option<Integer> MAX_CONNECTIONS = OPTIONS.add("limits.maxConnections",
      OptionType.int32(1, 1_000_000).unit("connections"), DEFAULT_MAX_CONNECTIONS,
      "connections at once; one more is rejected");
  private static final Option<Integer> MAX_CONNECTIONS_PER_HOST = OPTIONS.add("limits.maxConnectionsPerHost",
      OptionType.int32(1, 1_000_000).unit("connections"), DEFAULT_MAX_CONNECTIONS_PER_HOST,
      "connections at once from one address");
  private static final Option<Duration> SESSION_TIME = OPTIONS.add("timeouts.sessionTime",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_SESSION_TIME,
      "how long a client without a connection is [remembered](recovery.md#sessions)");
  private static final Option<Optional<ServerSSLOptions>> TLS = OPTIONS.add("tls",
      OptionType.optional(TlsJson.SERVER_TYPE), Optional.empty(),
      "[TLS](security.md#tls): key and certificate, and whether clients must have one").secret();

  /** The defaults. */
  public RpcServerOptions() {
    super(new OptionValues(OPTIONS));
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcServerOptions(RpcServerOptions other) {
    super(new OptionValues(other.values));
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown or in another place, or a value is not allowed, with what is
   */
  public RpcServerOptions(JsonObject json) {
    super(new OptionValues(OPTIONS).read(json));
  }

  @Override
  RpcServerOptions self() {
    return this;
  }

  /**
   * What connections are secured by.
   *
   * @return a copy; empty for plaintext
   */
  public Optional<ServerSSLOptions> getTls() {
    return values.get(TLS);
  }

  /**
   * Sets what connections are secured by. Clients without TLS are refused then, and so is listening with a provider
   * that has none. There is no ALPN, no hybrid key exchange and no OpenSSL: they fail listening.
   *
   * @param options key and certificate at least, copied; in JSON those of Vert.x, with {@code pemKeyCertOptions},
   *     {@code keyStoreOptions} or {@code pfxKeyCertOptions}, and {@code pemTrustOptions}, {@code trustStoreOptions} or
   *     {@code pfxTrustOptions}
   * @return this
   */
  public RpcServerOptions setTls(ServerSSLOptions options) {
    return setSome(TLS, options);
  }

  /**
   * How long a client without a connection is remembered: the replies that it may not have got, and the
   * calls that wait for its return.
   *
   * @return a duration
   */
  public Duration getSessionTime() {
    return values.get(SESSION_TIME);
  }

  /**
   * Sets how long a client without a connection is remembered. Make it longer than clients take to come
   * back: one that is forgotten learns so, and fails the calls that it cannot send again.
   *
   * @param time 1 ms to 1 day
   * @return this
   */
  public RpcServerOptions setSessionTime(Duration time) {
    return set(SESSION_TIME, time);
  }

  /**
   * How many connections this server has at once; one more is rejected. Servers behind one address count
   * each for itself.
   *
   * @return connections
   */
  public int getMaxConnections() {
    return values.get(MAX_CONNECTIONS);
  }

  /**
   * Sets how many connections this server has at once. Each costs the buffers for what comes ({@link #setInlineSize}),
   * outside of the heap.
   *
   * @param connections 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxConnections(int connections) {
    return set(MAX_CONNECTIONS, connections);
  }

  /**
   * How many connections from one address this server has at once; one more is rejected.
   *
   * @return connections
   */
  public int getMaxConnectionsPerHost() {
    return values.get(MAX_CONNECTIONS_PER_HOST);
  }

  /**
   * Sets how many connections from one address this server has at once, so that one host cannot take all.
   *
   * @param connections 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxConnectionsPerHost(int connections) {
    return set(MAX_CONNECTIONS_PER_HOST, connections);
  }

  /**
   * How many clients without a connection are remembered.
   *
   * @return clients
   */
  public int getMaxSessions() {
    return values.get(MAX_SESSIONS);
  }

  /**
   * Sets how many clients without a connection are remembered; with one more, that which left first is
   * forgotten. Each may cost {@link #getReplyCacheBytes()} and {@link #getLargeReplyCacheBytes()}.
   *
   * @param clients 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxSessions(int clients) {
    return set(MAX_SESSIONS, clients);
  }

  /**
   * Whether the server registers with the rpcbind of its host.
   *
   * @return what is done, and what if it fails
   */
  public RpcbindPolicy getRpcbind() {
    return values.get(RPCBIND);
  }

  /**
   * Sets whether the server registers what is bound on it with the rpcbind of its host, when it listens, for rdma, or
   * rdma6, or both if it listens on all addresses of IPv6; and takes that back before it closes. An address that is
   * registered from before, such as by a process that has died, is replaced. Servers behind one address are registered
   * as long as one of them listens. What is bound later is not registered.
   *
   * @param policy what is done, and what if it fails
   * @return this
   */
  public RpcServerOptions setRpcbind(RpcbindPolicy policy) {
    return set(RPCBIND, policy);
  }

  /**
   * Where the rpcbind listens, at 127.0.0.1; with port 111 its socket /run/rpcbind.sock is used where there is one.
   *
   * @return a port of TCP
   */
  public int getRpcbindPort() {
    return values.get(RPCBIND_PORT);
  }

  /**
   * Sets where the rpcbind listens, at 127.0.0.1; with port 111 its socket /run/rpcbind.sock is used where there is
   * one.
   *
   * @param port 1 to 65535
   * @return this
   */
  public RpcServerOptions setRpcbindPort(int port) {
    return set(RPCBIND_PORT, port);
  }
}
