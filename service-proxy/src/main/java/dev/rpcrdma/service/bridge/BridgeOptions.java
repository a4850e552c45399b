// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may cross a bridge, and how long it may take. By default nothing crosses. */
public final class BridgeOptions {

  /** How long a message waits for its reply by default: as long as on the event bus. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  /** How many bridges a message may cross by default. */
  public static final int DEFAULT_MAX_HOPS = 1;
  /** For how long an address that a service has given to a caller is kept by default, without being used. */
  public static final Duration DEFAULT_PROXY_TIMEOUT = Duration.ofMinutes(5);

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Set<String> KEYS =
      Set.of("forwarded", "delivered", "timeout", "maxHops", "proxyTimeout", "localOnly");

  private final Map<String, BridgePermit> forwarded = new LinkedHashMap<>();
  private final Map<String, BridgePermit> delivered = new LinkedHashMap<>();
  private Duration timeout = DEFAULT_TIMEOUT;
  private Duration proxyTimeout = DEFAULT_PROXY_TIMEOUT;
  private int maxHops = DEFAULT_MAX_HOPS;
  private boolean localOnly;

  /** Creates options by which nothing crosses. */
  public BridgeOptions() {}

  /**
   * Copies options.
   *
   * @param other what to copy
   */
  public BridgeOptions(BridgeOptions other) {
    forwarded.putAll(other.forwarded);
    delivered.putAll(other.delivered);
    timeout = other.timeout;
    proxyTimeout = other.proxyTimeout;
    maxHops = other.maxHops;
    localOnly = other.localOnly;
  }

  /**
   * Reads options.
   *
   * @param json with {@code forwarded} and {@code delivered}, arrays of {@link BridgePermit#fromJson permits}; {@code
   *     timeout} and {@code proxyTimeout}, in milliseconds or as in ISO 8601, such as {@code "PT30S"}; {@code maxHops};
   *     {@code localOnly}; each may be left out
   * @throws IllegalArgumentException if there is another key, or a value that is not allowed
   */
  public BridgeOptions(JsonObject json) {
    ConfigValues.checkKeys(json, KEYS, "the options of a bridge");
    permits(json, "forwarded").forEach(this::forward);
    permits(json, "delivered").forEach(this::deliver);
    setTimeout(ConfigValues.duration(json, "timeout", timeout));
    setProxyTimeout(ConfigValues.duration(json, "proxyTimeout", proxyTimeout));
    setMaxHops(ConfigValues.value(json, "maxHops", Integer.class, "a whole number", maxHops));
    setLocalOnly(ConfigValues.value(json, "localOnly", Boolean.class, "true or false", localOnly));
  }

  private static List<BridgePermit> permits(JsonObject json, String key) {
    List<BridgePermit> permits = new ArrayList<>();
    JsonArray array = ConfigValues.value(json, key, JsonArray.class, "an array of permits", new JsonArray());
    for (Object each : array) {
      if (!(each instanceof JsonObject permit)) {
        throw new IllegalArgumentException(key + " is an array of permits, not of " + each);
      }
      permits.add(BridgePermit.fromJson(permit));
    }
    return permits;
  }

  /**
   * Writes options.
   *
   * @return what the constructor reads
   */
  public JsonObject toJson() {
    return new JsonObject().put("forwarded", json(forwarded)).put("delivered", json(delivered))
        .put("timeout", timeout.toString()).put("proxyTimeout", proxyTimeout.toString()).put("maxHops", maxHops)
        .put("localOnly", localOnly);
  }

  private static JsonArray json(Map<String, BridgePermit> permits) {
    return new JsonArray(permits.values().stream().map(BridgePermit::toJson).toList());
  }

  /**
   * Has messages to an address of this end's event bus forwarded to the peer.
   *
   * @param permit which; takes the place of another one of the same address
   * @return this
   */
  public BridgeOptions forward(BridgePermit permit) {
    forwarded.put(permit.address(), permit);
    return this;
  }

  /**
   * Has messages of peers delivered to an address of this end's event bus.
   *
   * @param permit which; takes the place of another one of the same address
   * @return this
   */
  public BridgeOptions deliver(BridgePermit permit) {
    delivered.put(permit.address(), permit);
    return this;
  }

  /**
   * What is forwarded.
   *
   * @return one permit for each address
   */
  public List<BridgePermit> getForwarded() {
    return List.copyOf(forwarded.values());
  }

  /**
   * What is delivered.
   *
   * @return one permit for each address
   */
  public List<BridgePermit> getDelivered() {
    return List.copyOf(delivered.values());
  }

  /**
   * How long a message may wait for its reply.
   *
   * @return a positive time
   */
  public Duration getTimeout() {
    return timeout;
  }

  /**
   * Sets how long a message may wait for its reply. The event bus does not tell how long its sender waits.
   *
   * @param value 1 ms to 1 day; {@link #DEFAULT_TIMEOUT} by default
   * @return this
   */
  public BridgeOptions setTimeout(Duration value) {
    timeout = checked("timeout", value);
    return this;
  }

  /**
   * For how long an address that a service has given to a caller ({@code proxyaddr}) is kept without being used.
   *
   * @return a positive time
   */
  public Duration getProxyTimeout() {
    return proxyTimeout;
  }

  /**
   * Sets for how long an address that a service has given to a caller is kept without being used.
   *
   * @param value 1 ms to 1 day; {@link #DEFAULT_PROXY_TIMEOUT} by default, which is how long a service keeps one
   * @return this
   */
  public BridgeOptions setProxyTimeout(Duration value) {
    proxyTimeout = checked("proxyTimeout", value);
    return this;
  }

  private static Duration checked(String key, Duration value) {
    if (value.toMillis() < 1 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(key + " is 1 ms to 1 day, not " + value);
    }
    return value;
  }

  /**
   * How many bridges a message may cross.
   *
   * @return 1 or more
   */
  public int getMaxHops() {
    return maxHops;
  }

  /**
   * Sets how many bridges a message may cross, this one included; it is not forwarded by one more. So two bridges that
   * forward an address to each other do not send a message around for ever.
   *
   * @param value 1 to 16; {@value #DEFAULT_MAX_HOPS} by default
   * @return this
   */
  public BridgeOptions setMaxHops(int value) {
    if (value < 1 || value > 16) {
      throw new IllegalArgumentException("maxHops is 1 to 16, not " + value);
    }
    maxHops = value;
    return this;
  }

  /**
   * Whether the bridge takes part in this node's event bus alone.
   *
   * @return false by default
   */
  public boolean isLocalOnly() {
    return localOnly;
  }

  /**
   * Says whether the bridge takes part in this node's event bus alone: then messages of other nodes of a cluster do not
   * come to it, and what it delivers does not go to them.
   *
   * @param value true for this node alone
   * @return this
   */
  public BridgeOptions setLocalOnly(boolean value) {
    localOnly = value;
    return this;
  }
}
