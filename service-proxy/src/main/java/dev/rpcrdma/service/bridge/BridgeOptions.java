// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** What may cross a bridge, and how long it may take. By default nothing crosses. */
public final class BridgeOptions extends DeclaredOptions {

  /** How long a message waits for its reply by default: as long as on the event bus. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  /** How many bridges a message may cross by default. */
  public static final int DEFAULT_MAX_HOPS = 1;
  /** For how long an address that a service has given to a caller is kept by default, without being used. */
  public static final Duration DEFAULT_PROXY_TIMEOUT = Duration.ofMinutes(5);

  private static final OptionSet OPTIONS = new OptionSet("BridgeOptions", "option");
  private static final Option<List<BridgePermit>> FORWARDED = OPTIONS.add("forwarded", BridgePermit.LIST, List.of(),
      "which messages to addresses of this end's event bus go to the peer");
  private static final Option<List<BridgePermit>> DELIVERED = OPTIONS.add("delivered", BridgePermit.LIST, List.of(),
      "which messages of peers go to addresses of this end's event bus");
  private static final Option<Duration> TIMEOUT = OPTIONS.add("timeout",
      OptionType.duration(Duration.ofMillis(1), Duration.ofDays(1)), DEFAULT_TIMEOUT,
      "how long a message may wait for its reply: the event bus does not tell how long its sender waits");
  private static final Option<Duration> PROXY_TIMEOUT = OPTIONS.add("proxyTimeout",
      OptionType.duration(Duration.ofMillis(1), Duration.ofDays(1)), DEFAULT_PROXY_TIMEOUT,
      "for how long an [object](bridge.md#objects) can be called that no caller uses");
  private static final Option<Integer> MAX_HOPS = OPTIONS.add("maxHops", OptionType.int32(1, 16).unit("bridges"),
      DEFAULT_MAX_HOPS,
      "how many bridges a message may cross, this one included; two that forward an address to each other would send "
          + "it around");
  private static final Option<Boolean> LOCAL_ONLY = OPTIONS.add("localOnly", OptionType.flag(), false,
      "whether the other nodes of a cluster have no part in it");

  /** Creates options by which nothing crosses. */
  public BridgeOptions() {
    super(new OptionValues(OPTIONS));
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public BridgeOptions(BridgeOptions other) {
    super(new OptionValues(other.values));
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public BridgeOptions(JsonObject json) {
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
   * Has messages to an address of this end's event bus forwarded to the peer.
   *
   * @param permit which; takes the place of another one of the same address
   * @return this
   */
  public BridgeOptions forward(BridgePermit permit) {
    return set(FORWARDED, BridgePermit.added(getForwarded(), permit));
  }

  /**
   * Has messages of peers delivered to an address of this end's event bus.
   *
   * @param permit which; takes the place of another one of the same address
   * @return this
   */
  public BridgeOptions deliver(BridgePermit permit) {
    return set(DELIVERED, BridgePermit.added(getDelivered(), permit));
  }

  /**
   * What is forwarded.
   *
   * @return one permit for each address
   */
  public List<BridgePermit> getForwarded() {
    return values.get(FORWARDED);
  }

  /**
   * What is delivered.
   *
   * @return one permit for each address
   */
  public List<BridgePermit> getDelivered() {
    return values.get(DELIVERED);
  }

  /**
   * How long a message may wait for its reply.
   *
   * @return a positive time
   */
  public Duration getTimeout() {
    return values.get(TIMEOUT);
  }

  /**
   * Sets how long a message may wait for its reply. The event bus does not tell how long its sender waits.
   *
   * @param value 1 ms to 1 day; {@link #DEFAULT_TIMEOUT} by default
   * @return this
   */
  public BridgeOptions setTimeout(Duration value) {
    return set(TIMEOUT, value);
  }

  /**
   * For how long an address that a service has given to a caller ({@code proxyaddr}) is kept without being used.
   *
   * @return a positive time
   */
  public Duration getProxyTimeout() {
    return values.get(PROXY_TIMEOUT);
  }

  /**
   * Sets for how long an address that a service has given to a caller is kept without being used.
   *
   * @param value 1 ms to 1 day; {@link #DEFAULT_PROXY_TIMEOUT} by default, which is how long a service keeps one
   * @return this
   */
  public BridgeOptions setProxyTimeout(Duration value) {
    return set(PROXY_TIMEOUT, value);
  }

  /**
   * How many bridges a message may cross.
   *
   * @return 1 or more
   */
  public int getMaxHops() {
    return values.get(MAX_HOPS);
  }

  /**
   * Sets how many bridges a message may cross, this one included; it is not forwarded by one more. So two bridges that
   * forward an address to each other do not send a message around for ever.
   *
   * @param value 1 to 16; {@value #DEFAULT_MAX_HOPS} by default
   * @return this
   */
  public BridgeOptions setMaxHops(int value) {
    return set(MAX_HOPS, value);
  }

  /**
   * Whether the bridge takes part in this node's event bus alone.
   *
   * @return false by default
   */
  public boolean isLocalOnly() {
    return values.get(LOCAL_ONLY);
  }

  /**
   * Says whether the bridge takes part in this node's event bus alone: then messages of other nodes of a cluster do not
   * come to it, and what it delivers does not go to them.
   *
   * @param value true for this node alone
   * @return this
   */
  public BridgeOptions setLocalOnly(boolean value) {
    return set(LOCAL_ONLY, value);
  }

  private <V> BridgeOptions set(Option<V> option, V value) {
    values.set(option, value);
    return this;
  }
}
