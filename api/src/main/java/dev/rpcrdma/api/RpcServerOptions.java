// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.rpcbind.RpcbindPolicy;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Objects;
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

  private Duration sessionTime = DEFAULT_SESSION_TIME;
  private int maxConnections = DEFAULT_MAX_CONNECTIONS;
  private int maxConnectionsPerHost = DEFAULT_MAX_CONNECTIONS_PER_HOST;
  private int maxSessions = DEFAULT_MAX_SESSIONS;
  private RpcbindPolicy rpcbind = RpcbindPolicy.OFF;
  private int rpcbindPort = RpcbindProgram.PORT;
  /** Null for none; nobody else has it. */
  private ServerSSLOptions tls;

  /** The defaults. */
  public RpcServerOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcServerOptions(RpcServerOptions other) {
    RpcOptionsJson.copy(other, this);
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default, what is unknown is refused
   */
  public RpcServerOptions(JsonObject json) {
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
  RpcServerOptions self() {
    return this;
  }

  /**
   * What connections are secured by.
   *
   * @return a copy; empty for plaintext
   */
  public Optional<ServerSSLOptions> getTls() {
    return Optional.ofNullable(tls).map(ServerSSLOptions::copy);
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
    tls = Objects.requireNonNull(options, "tls").copy();
    return this;
  }

  /**
   * How long a client without a connection is remembered: the replies that it may not have got, and the
   * calls that wait for its return.
   *
   * @return a duration
   */
  public Duration getSessionTime() {
    return sessionTime;
  }

  /**
   * Sets how long a client without a connection is remembered. Make it longer than clients take to come
   * back: one that is forgotten learns so, and fails the calls that it cannot send again.
   *
   * @param time 1 ms to 1 day
   * @return this
   */
  public RpcServerOptions setSessionTime(Duration time) {
    sessionTime = duration("sessionTime", time);
    return this;
  }

  /**
   * How many connections this server has at once; one more is rejected. Servers behind one address count
   * each for itself.
   *
   * @return connections
   */
  public int getMaxConnections() {
    return maxConnections;
  }

  /**
   * Sets how many connections this server has at once. Each costs the buffers for what comes ({@link #setInlineSize}),
   * outside of the heap.
   *
   * @param connections 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxConnections(int connections) {
    maxConnections = range("maxConnections", connections, 1, 1_000_000);
    return this;
  }

  /**
   * How many connections from one address this server has at once; one more is rejected.
   *
   * @return connections
   */
  public int getMaxConnectionsPerHost() {
    return maxConnectionsPerHost;
  }

  /**
   * Sets how many connections from one address this server has at once, so that one host cannot take all.
   *
   * @param connections 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxConnectionsPerHost(int connections) {
    maxConnectionsPerHost = range("maxConnectionsPerHost", connections, 1, 1_000_000);
    return this;
  }

  /**
   * How many clients without a connection are remembered.
   *
   * @return clients
   */
  public int getMaxSessions() {
    return maxSessions;
  }

  /**
   * Sets how many clients without a connection are remembered; with one more, that which left first is
   * forgotten. Each may cost {@link #getReplyCacheBytes()} and {@link #getLargeReplyCacheBytes()}.
   *
   * @param clients 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxSessions(int clients) {
    maxSessions = range("maxSessions", clients, 1, 1_000_000);
    return this;
  }

  /**
   * Whether the server registers with the rpcbind of its host.
   *
   * @return what is done, and what if it fails
   */
  public RpcbindPolicy getRpcbind() {
    return rpcbind;
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
    rpcbind = Objects.requireNonNull(policy, "rpcbind");
    return this;
  }

  /**
   * Where the rpcbind listens, at 127.0.0.1; with port 111 its socket /run/rpcbind.sock is used where there is one.
   *
   * @return a port of TCP
   */
  public int getRpcbindPort() {
    return rpcbindPort;
  }

  /**
   * Sets where the rpcbind listens, at 127.0.0.1; with port 111 its socket /run/rpcbind.sock is used where there is
   * one.
   *
   * @param port 1 to 65535
   * @return this
   */
  public RpcServerOptions setRpcbindPort(int port) {
    rpcbindPort = range("rpcbindPort", port, 1, 65535);
    return this;
  }
}
