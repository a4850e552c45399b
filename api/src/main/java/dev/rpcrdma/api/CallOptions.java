// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.options.CredentialJson;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What a caller may decide for each call. Immutable. */
public final class CallOptions extends DeclaredOptions {

  private static final int MAX_TOKEN = 65_536;

  private static final OptionSet OPTIONS = new OptionSet("CallOptions", "option");
  private static final Option<Optional<Duration>> TIMEOUT = OPTIONS.add("timeout",
      OptionType.optional(OptionType.duration(RpcOptions.SHORTEST, RpcOptions.LONGEST)), Optional.empty(),
      "how long to wait for the results; the channel's `callTimeout` without it");
  private static final Option<Optional<OpaqueAuth>> CREDENTIALS = OPTIONS.add("credentials",
      OptionType.optional(CredentialJson.TYPE), Optional.empty(),
      "[who calls](security.md#credentials); the channel's without it").secret();
  private static final Option<Optional<Integer>> MAX_REPLY = OPTIONS.add("maxReply",
      OptionType.optional(OptionType.int32(0, Integer.MAX_VALUE).unit("bytes")), Optional.empty(),
      "the largest results to make room for where the program cannot tell; the channel's without it");
  private static final Option<Optional<Cancellation>> CANCELLATION = OPTIONS.add("cancellation",
      OptionType.optional(OptionType.inMemory("a `Cancellation`")), Optional.empty(),
      "what can give the call up before it has an outcome");
  private static final Option<Metadata> METADATA = OPTIONS.add("metadata",
      OptionType.inMemory("headers and a trace context"), Metadata.NONE,
      "what goes with the call beside its arguments; peers that take no [metadata](extensions.md#metadata) see none "
          + "of it").defaultWords("none");
  private static final Option<Optional<String>> ROUTING_KEY = OPTIONS.add("routingKey",
      OptionType.optional(OptionType.text()), Optional.empty(),
      "what calls have in common that are to take [the same way](addresses.md#several-connections); stays at this "
          + "end");
  private static final Option<Boolean> REPLICATED_REPLIES = OPTIONS.add("replicatedReplies", OptionType.flag(), false,
      "whether the servers of the call's address keep its reply [together](failover.md), so that it may go to "
          + "another one though it was sent");
  private static final Option<Optional<String>> TOKEN = OPTIONS.add("token",
      OptionType.optional(OptionType.text().only(
          "at most 65,536 bytes of UTF-8, without half of a surrogate pair", CallOptions::isToken)),
      Optional.empty(),
      "for whom the call is made, [in place of credentials](security.md#tokens)").secret();

  /** The channel's defaults. */
  public static final CallOptions DEFAULT = new CallOptions(new OptionValues(OPTIONS));

  // Read for each call, and never changed.
  private final Optional<Duration> timeout;
  private final Optional<OpaqueAuth> credentials;
  private final Optional<Cancellation> cancellation;
  private final Metadata metadata;
  private final Optional<String> routingKey;
  private final boolean replicatedReplies;
  private final Optional<String> token;
  private final OptionalInt maxReply;

  private CallOptions(OptionValues values) {
    super(values);
    timeout = values.get(TIMEOUT);
    credentials = values.get(CREDENTIALS);
    cancellation = values.get(CANCELLATION);
    metadata = values.get(METADATA);
    routingKey = values.get(ROUTING_KEY);
    replicatedReplies = values.get(REPLICATED_REPLIES);
    token = values.get(TOKEN);
    maxReply = values.get(MAX_REPLY).map(OptionalInt::of).orElseGet(OptionalInt::empty);
  }

  private static boolean isToken(String value) {
    return value.getBytes(StandardCharsets.UTF_8).length <= MAX_TOKEN
        && StandardCharsets.UTF_8.newEncoder().canEncode(value);
  }

  /**
   * How long to wait for the results.
   *
   * @return 1 ms to 1 day; empty for the channel's default
   */
  public Optional<Duration> timeout() {
    return timeout;
  }

  /**
   * Who calls.
   *
   * @return empty for the channel's default
   */
  public Optional<OpaqueAuth> credentials() {
    return credentials;
  }

  /**
   * The largest results to make room for where the program cannot tell.
   *
   * @return bytes; empty for the channel's default
   */
  public OptionalInt maxReply() {
    return maxReply;
  }

  /**
   * What can give the call up before it has an outcome.
   *
   * @return empty if nothing shall
   */
  public Optional<Cancellation> cancellation() {
    return cancellation;
  }

  /**
   * What goes with the call beside its arguments. Peers that take no metadata ({@link RpcOptions#isMetadata}) see none
   * of it.
   *
   * @return headers and a trace context
   */
  public Metadata metadata() {
    return metadata;
  }

  /**
   * What calls have in common that are to take the same way: to one server, if the load balancer goes by keys, and over
   * one of several connections ({@link RpcClientOptions#setConnections}).
   *
   * @return empty if they may go anywhere; stays at this end
   */
  public Optional<String> routingKey() {
    return routingKey;
  }

  /**
   * Whether the servers of the call's address keep its reply together, so that it may go to another one though it was
   * sent.
   *
   * @return false unless {@link #withReplicatedReplies} says so
   */
  public boolean replicatedReplies() {
    return replicatedReplies;
  }

  /**
   * For whom the call is made, in place of credentials.
   *
   * @return empty for the channel's default
   */
  public Optional<String> token() {
    return token;
  }

  /**
   * These options with another timeout.
   *
   * @param value how long to wait for the results, 1 ms to 1 day
   * @return a copy
   */
  public CallOptions withTimeout(Duration value) {
    return withSome(TIMEOUT, value);
  }

  /**
   * These options with other credentials.
   *
   * @param value who calls
   * @return a copy
   */
  public CallOptions withCredentials(OpaqueAuth value) {
    return withSome(CREDENTIALS, value);
  }

  /**
   * These options with the token of a user for whom the call is made, as by a front of many users. It is exchanged for
   * a handle once for each connection, as that of a client ({@link RpcClient.RpcClientBuilder#withToken}), and all
   * calls with an equal token have that handle; those of a token that is refused fail with an {@link
   * RpcSecurityException}. Over the event bus it is the header {@code auth-token}, and who is refused has an {@link
   * RpcRejectedException}. The call has no other credentials then, and is not protected by Kerberos.
   *
   * @param value at most 65,536 bytes of UTF-8
   * @return a copy
   */
  public CallOptions withToken(String value) {
    return withSome(TOKEN, value);
  }

  /**
   * These options with another bound of unpredictable results.
   *
   * @param bytes the largest results to make room for
   * @return a copy
   */
  public CallOptions withMaxReply(int bytes) {
    return withSome(MAX_REPLY, bytes);
  }

  /**
   * These options with another cancellation.
   *
   * @param value gives up the calls that are made with it, whenever its owner wants
   * @return a copy
   */
  public CallOptions withCancellation(Cancellation value) {
    return withSome(CANCELLATION, value);
  }

  /**
   * Headers of the application.
   *
   * @return by lower-case name
   */
  public Map<String, String> headers() {
    return metadata().headers();
  }

  /**
   * These options with one header more. All headers and a trace context together have 1008 bytes: names, values, three
   * for each header and up to seven for all.
   *
   * @param name letters, digits and the marks that HTTP allows; upper case becomes lower case
   * @param value text without control characters; takes the place of another one of that name
   * @return a copy
   * @throws IllegalArgumentException if it cannot cross, or there is no room for it
   */
  public CallOptions withHeader(String name, String value) {
    return withHeaders(Map.of(name, value));
  }

  /**
   * These options with more headers, within the same bound.
   *
   * @param more as in {@link #withHeader}
   * @return a copy
   * @throws IllegalArgumentException if one cannot cross, or there is no room for them
   */
  public CallOptions withHeaders(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers());
    more.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
    return withMetadata(new Metadata(metadata().traceParent(), metadata().traceState(), all));
  }

  /**
   * These options with other metadata, headers and trace context together.
   *
   * @param value what goes with the call
   * @return a copy
   */
  public CallOptions withMetadata(Metadata value) {
    return with(METADATA, value);
  }

  /**
   * These options with another routing key.
   *
   * @param key what calls have in common that are to take the same way, such as the number of an order: those of one
   *     key go over one connection as long as they reach the same server, and those without chunks in their order
   * @return a copy
   */
  public CallOptions withRoutingKey(String key) {
    return withSome(ROUTING_KEY, key);
  }

  /**
   * Returns these options for a program all of whose servers keep replies together, by {@code ReplicatedReplies} of
   * {@code vertx-rpcrdma-cluster}: a call that was sent to a server that is lost goes on to another one of its address,
   * and is executed at most once by all. Calls that only look need none of it, and a channel to one server has no other
   * one to go to; there it changes nothing.
   *
   * @return a copy
   */
  public CallOptions withReplicatedReplies() {
    return with(REPLICATED_REPLIES, true);
  }

  private <V> CallOptions withSome(Option<Optional<V>> option, V value) {
    OptionValues changed = new OptionValues(values);
    changed.setSome(option, value);
    return new CallOptions(changed);
  }

  private <V> CallOptions with(Option<V> option, V value) {
    OptionValues changed = new OptionValues(values);
    changed.set(option, value);
    return new CallOptions(changed);
  }
}
