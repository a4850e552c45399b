// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.options.CredentialJson;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;

/** What an {@link EventBusChannel} wants. What it has in common with a channel over RDMA has the same name and form. */
public final class EventBusChannelOptions extends DeclaredOptions {

  /** How long a call waits for its results. */
  public static final Duration DEFAULT_CALL_TIMEOUT = RpcOptions.DEFAULT_CALL_TIMEOUT;
  /** Calls reach services of other nodes. */
  public static final boolean DEFAULT_LOCAL_ONLY = false;
  /** How many calls may be without an outcome, of each direction. */
  public static final int DEFAULT_MAX_CALLS = 10_000;

  private static final OptionSet OPTIONS = new OptionSet("EventBusChannelOptions", "option");
  private static final Option<OpaqueAuth> CREDENTIALS = OPTIONS.add("credentials", CredentialJson.TYPE, OpaqueAuth.NONE,
      "[who calls](security.md#credentials), if a call does not say; AUTH_NONE").secret();
  private static final Option<TracingPolicy> TRACING_POLICY = OPTIONS.add("tracingPolicy",
      OptionType.constant(TracingPolicy.class), TracingPolicy.PROPAGATE,
      "whether calls have [spans](observing.md#tracing)");
  private static final Option<Boolean> LOCAL_ONLY = OPTIONS.add("localOnly", OptionType.flag(), DEFAULT_LOCAL_ONLY,
      "whether only services of the same Vert.x are called, and call back");
  private static final Option<Integer> MAX_CALLS = OPTIONS.add("limits.maxCalls",
      OptionType.int32(1, Integer.MAX_VALUE).unit("calls"), DEFAULT_MAX_CALLS,
      "calls without an outcome, and as many that call back; one more fails");
  private static final Option<Duration> CALL_TIMEOUT = OPTIONS.add("timeouts.callTimeout",
      OptionType.duration(Duration.ofMillis(1), Duration.ofDays(1)), DEFAULT_CALL_TIMEOUT,
      "how long a call waits, if it does not say");
  private static final Option<Duration> SERVICE_TIMEOUT = OPTIONS.add("timeouts.serviceTimeout",
      OptionType.duration(Duration.ofMillis(1), Duration.ofDays(1)), RpcOptions.DEFAULT_SERVICE_TIMEOUT,
      "how long what is bound to the channel may take before its caller is answered SYSTEM_ERR");

  /** The defaults. */
  public EventBusChannelOptions() {
    super(new OptionValues(OPTIONS));
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public EventBusChannelOptions(EventBusChannelOptions other) {
    super(new OptionValues(other.values));
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown or in another place, or a value is not allowed, with what is
   */
  public EventBusChannelOptions(JsonObject json) {
    super(new OptionValues(OPTIONS).read(json));
  }

  /**
   * The JSON form.
   *
   * @return all options
   */
  public JsonObject toJson() {
    return values.toJson();
  }

  /**
   * How long a call waits that does not say so.
   *
   * @return 1 ms to 1 day
   */
  public Duration getCallTimeout() {
    return values.get(CALL_TIMEOUT);
  }

  /**
   * Sets how long a call waits that does not say so.
   *
   * @param value 1 ms to 1 day
   * @return this
   */
  public EventBusChannelOptions setCallTimeout(Duration value) {
    return set(CALL_TIMEOUT, value);
  }

  /**
   * How long what is bound to the channel may take for a call.
   *
   * @return 1 ms to 1 day
   */
  public Duration getServiceTimeout() {
    return values.get(SERVICE_TIMEOUT);
  }

  /**
   * Sets how long what is bound to the channel may take for a call; then it is answered SYSTEM_ERR.
   *
   * @param value 1 ms to 1 day
   * @return this
   */
  public EventBusChannelOptions setServiceTimeout(Duration value) {
    return set(SERVICE_TIMEOUT, value);
  }

  /**
   * Who calls, unless a call says so.
   *
   * @return flavor and body
   */
  public OpaqueAuth getCredentials() {
    return values.get(CREDENTIALS);
  }

  /**
   * Sets who calls, unless a call says so.
   *
   * @param value flavor and body
   * @return this
   */
  public EventBusChannelOptions setCredentials(OpaqueAuth value) {
    return set(CREDENTIALS, value);
  }

  /**
   * Whether calls have spans.
   *
   * @return the policy
   */
  public TracingPolicy getTracingPolicy() {
    return values.get(TRACING_POLICY);
  }

  /**
   * Sets whether calls have spans. Messages of calls have none of their own.
   *
   * @param value the policy
   * @return this
   */
  public EventBusChannelOptions setTracingPolicy(TracingPolicy value) {
    return set(TRACING_POLICY, value);
  }

  /**
   * Whether only services of the same Vert.x are called.
   *
   * @return false unless set
   */
  public boolean isLocalOnly() {
    return values.get(LOCAL_ONLY);
  }

  /**
   * Sets whether only services of the same Vert.x are called, and call back.
   *
   * @param value true if so
   * @return this
   */
  public EventBusChannelOptions setLocalOnly(boolean value) {
    return set(LOCAL_ONLY, value);
  }

  /**
   * How many calls may be without an outcome.
   *
   * @return at least 1
   */
  public int getMaxCalls() {
    return values.get(MAX_CALLS);
  }

  /**
   * Sets how many calls may be without an outcome, and how many calls back may be executed. One more fails with an
   * {@link dev.rpcrdma.api.RpcResourceException}.
   *
   * @param value at least 1
   * @return this
   */
  public EventBusChannelOptions setMaxCalls(int value) {
    return set(MAX_CALLS, value);
  }

  private <V> EventBusChannelOptions set(Option<V> option, V value) {
    values.set(option, value);
    return this;
  }
}
