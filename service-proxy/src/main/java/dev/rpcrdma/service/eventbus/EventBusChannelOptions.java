// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.impl.verticle.ConfigValues;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.Set;

/** What an {@link EventBusChannel} wants. What it has in common with a channel over RDMA has the same name and form. */
public final class EventBusChannelOptions {

  /** How long a call waits for its results. */
  public static final Duration DEFAULT_CALL_TIMEOUT = RpcOptions.DEFAULT_CALL_TIMEOUT;
  /** Calls reach services of other nodes. */
  public static final boolean DEFAULT_LOCAL_ONLY = false;
  /** How many calls may be without an outcome, of each direction. */
  public static final int DEFAULT_MAX_CALLS = 10_000;

  private static final String LOCAL_ONLY = "localOnly";
  private static final String MAX_CALLS = "maxCalls";
  private static final Set<String> COMMON = Set.of("callTimeout", "serviceTimeout", "credentials", "tracingPolicy");
  private static final Set<String> ALL =
      Set.of("callTimeout", "serviceTimeout", "credentials", "tracingPolicy", LOCAL_ONLY, MAX_CALLS);

  private final RpcClientOptions common;
  private boolean localOnly = DEFAULT_LOCAL_ONLY;
  private int maxCalls = DEFAULT_MAX_CALLS;

  /** The defaults. */
  public EventBusChannelOptions() {
    common = new RpcClientOptions();
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public EventBusChannelOptions(EventBusChannelOptions other) {
    this(other.toJson());
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public EventBusChannelOptions(JsonObject json) {
    ConfigValues.checkKeys(json, ALL, "the options");
    common = new RpcClientOptions(only(json));
    setLocalOnly(ConfigValues.value(json, LOCAL_ONLY, Boolean.class, "true or false", DEFAULT_LOCAL_ONLY));
    setMaxCalls(ConfigValues.value(json, MAX_CALLS, Integer.class, "a whole number", DEFAULT_MAX_CALLS));
  }

  private static JsonObject only(JsonObject json) {
    JsonObject some = new JsonObject();
    COMMON.stream().filter(json::containsKey).forEach(key -> some.put(key, json.getValue(key)));
    return some;
  }

  /**
   * The JSON form.
   *
   * @return all options; times in milliseconds
   */
  public JsonObject toJson() {
    return only(common.toJson()).put(LOCAL_ONLY, localOnly).put(MAX_CALLS, maxCalls);
  }

  /**
   * How long a call waits that does not say so.
   *
   * @return 1 ms to 1 day
   */
  public Duration getCallTimeout() {
    return common.getCallTimeout();
  }

  /**
   * Sets how long a call waits that does not say so.
   *
   * @param value 1 ms to 1 day
   * @return this
   */
  public EventBusChannelOptions setCallTimeout(Duration value) {
    common.setCallTimeout(value);
    return this;
  }

  /**
   * How long what is bound to the channel may take for a call.
   *
   * @return 1 ms to 1 day
   */
  public Duration getServiceTimeout() {
    return common.getServiceTimeout();
  }

  /**
   * Sets how long what is bound to the channel may take for a call; then it is answered SYSTEM_ERR.
   *
   * @param value 1 ms to 1 day
   * @return this
   */
  public EventBusChannelOptions setServiceTimeout(Duration value) {
    common.setServiceTimeout(value);
    return this;
  }

  /**
   * Who calls, unless a call says so.
   *
   * @return flavor and body
   */
  public OpaqueAuth getCredentials() {
    return common.getCredentials();
  }

  /**
   * Sets who calls, unless a call says so.
   *
   * @param value flavor and body
   * @return this
   */
  public EventBusChannelOptions setCredentials(OpaqueAuth value) {
    common.setCredentials(value);
    return this;
  }

  /**
   * Whether calls have spans.
   *
   * @return the policy
   */
  public TracingPolicy getTracingPolicy() {
    return common.getTracingPolicy();
  }

  /**
   * Sets whether calls have spans. Messages of calls have none of their own.
   *
   * @param value the policy
   * @return this
   */
  public EventBusChannelOptions setTracingPolicy(TracingPolicy value) {
    common.setTracingPolicy(value);
    return this;
  }

  /**
   * Whether only services of the same Vert.x are called.
   *
   * @return false unless set
   */
  public boolean isLocalOnly() {
    return localOnly;
  }

  /**
   * Sets whether only services of the same Vert.x are called, and call back.
   *
   * @param value true if so
   * @return this
   */
  public EventBusChannelOptions setLocalOnly(boolean value) {
    localOnly = value;
    return this;
  }

  /**
   * How many calls may be without an outcome.
   *
   * @return at least 1
   */
  public int getMaxCalls() {
    return maxCalls;
  }

  /**
   * Sets how many calls may be without an outcome, and how many calls back may be executed. One more fails with an
   * {@link dev.rpcrdma.api.RpcResourceException}.
   *
   * @param value at least 1
   * @return this
   */
  public EventBusChannelOptions setMaxCalls(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("maxCalls is at least 1, not " + value);
    }
    maxCalls = value;
    return this;
  }
}
