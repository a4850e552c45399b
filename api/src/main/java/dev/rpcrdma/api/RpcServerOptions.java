package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** What a {@link RpcServer} wants. */
public final class RpcServerOptions extends RpcOptions<RpcServerOptions> {

  /** How long a client without a connection is remembered. */
  public static final Duration DEFAULT_SESSION_TIME = Duration.ofMinutes(2);
  /** How many clients without a connection are remembered. */
  public static final int DEFAULT_MAX_SESSIONS = 1024;

  private Duration sessionTime = DEFAULT_SESSION_TIME;
  private int maxSessions = DEFAULT_MAX_SESSIONS;

  /** The defaults. */
  public RpcServerOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcServerOptions(RpcServerOptions other) {
    this(other.toJson());
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
  RpcServerOptions self() {
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
   * How many clients without a connection are remembered.
   *
   * @return clients
   */
  public int getMaxSessions() {
    return maxSessions;
  }

  /**
   * Sets how many clients without a connection are remembered; with one more, that which left first is
   * forgotten. Each may cost {@link #getReplyCacheBytes()}.
   *
   * @param clients 1 to 1000000
   * @return this
   */
  public RpcServerOptions setMaxSessions(int clients) {
    maxSessions = range("maxSessions", clients, 1, 1_000_000);
    return this;
  }
}
