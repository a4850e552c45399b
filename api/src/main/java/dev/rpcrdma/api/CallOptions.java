// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.Metadata;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a caller may decide for each call. Immutable.
 *
 * @param timeout how long to wait for the results, 1 ms to 1 day; empty for the channel's default
 * @param credentials who calls; empty for the channel's default
 * @param maxReply the largest results to make room for where the program cannot tell, in bytes; empty
 *     for the channel's default
 * @param cancellation what can give the call up before it has an outcome; empty if nothing shall
 * @param metadata what goes with the call beside its arguments; peers that take no metadata
 *     ({@link RpcOptions#isMetadata}) see none of it
 * @param routingKey what calls have in common that are to take the same way: to one server, if the load balancer goes
 *     by keys, and over one of several connections ({@link RpcClientOptions#setConnections}); stays at this end
 * @param replicatedReplies whether the servers of the call's address keep its reply together ({@code ReplicatedReplies}
 *     of {@code vertx-rpcrdma-cluster}), so that it may go to another one though it was sent
 * @param token says for whom the call is made, in place of credentials; empty for the channel's default
 */
public record CallOptions(
    Optional<Duration> timeout, Optional<OpaqueAuth> credentials, OptionalInt maxReply,
    Optional<Cancellation> cancellation, Metadata metadata, Optional<String> routingKey, boolean replicatedReplies,
    Optional<String> token) {

  private static final int MAX_TOKEN = 65_536;

  /** The channel's defaults. */
  public static final CallOptions DEFAULT =
      new CallOptions(Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty(),
          Metadata.NONE);

  /**
   * Options without a routing key.
   *
   * @param timeout how long to wait for the results, 1 ms to 1 day; empty for the channel's default
   * @param credentials who calls; empty for the channel's default
   * @param maxReply the largest results to make room for; empty for the channel's default
   * @param cancellation what can give the call up; empty if nothing shall
   * @param metadata what goes with the call beside its arguments
   */
  public CallOptions(Optional<Duration> timeout, Optional<OpaqueAuth> credentials, OptionalInt maxReply,
      Optional<Cancellation> cancellation, Metadata metadata) {
    this(timeout, credentials, maxReply, cancellation, metadata, Optional.empty(), false, Optional.empty());
  }

  /**
   * Options of calls whose replies each server keeps alone.
   *
   * @param timeout how long to wait for the results, 1 ms to 1 day; empty for the channel's default
   * @param credentials who calls; empty for the channel's default
   * @param maxReply the largest results to make room for; empty for the channel's default
   * @param cancellation what can give the call up; empty if nothing shall
   * @param metadata what goes with the call beside its arguments
   * @param routingKey what calls have in common that are to take the same way
   */
  public CallOptions(Optional<Duration> timeout, Optional<OpaqueAuth> credentials, OptionalInt maxReply,
      Optional<Cancellation> cancellation, Metadata metadata, Optional<String> routingKey) {
    this(timeout, credentials, maxReply, cancellation, metadata, routingKey, false, Optional.empty());
  }

  /** Checks the ranges. */
  public CallOptions {
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(cancellation, "cancellation");
    Objects.requireNonNull(metadata, "metadata");
    Objects.requireNonNull(routingKey, "routingKey");
    token.ifPresent(value -> {
      if (value.getBytes(StandardCharsets.UTF_8).length > MAX_TOKEN) {
        throw new IllegalArgumentException("A token has at most " + MAX_TOKEN + " bytes");
      }
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
        throw new IllegalArgumentException("A token has half of a surrogate pair");
      }
    });
    timeout.ifPresent(value -> RpcOptions.duration("timeout", value));
    maxReply.ifPresent(value -> {
      if (value < 0) {
        throw new IllegalArgumentException("A reply's bound must not be negative: " + value);
      }
    });
  }

  /**
   * These options with another timeout.
   *
   * @param value how long to wait for the results, 1 ms to 1 day
   * @return a copy
   */
  public CallOptions withTimeout(Duration value) {
    return new CallOptions(Optional.of(value), credentials, maxReply, cancellation, metadata,
        routingKey, replicatedReplies, token);
  }

  /**
   * These options with other credentials.
   *
   * @param value who calls
   * @return a copy
   */
  public CallOptions withCredentials(OpaqueAuth value) {
    return new CallOptions(timeout, Optional.of(value), maxReply, cancellation, metadata,
        routingKey, replicatedReplies, token);
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
    return new CallOptions(timeout, credentials, maxReply, cancellation, metadata, routingKey, replicatedReplies,
        Optional.of(value));
  }

  /**
   * These options with another bound of unpredictable results.
   *
   * @param bytes the largest results to make room for
   * @return a copy
   */
  public CallOptions withMaxReply(int bytes) {
    return new CallOptions(timeout, credentials, OptionalInt.of(bytes), cancellation, metadata,
        routingKey, replicatedReplies, token);
  }

  /**
   * These options with another cancellation.
   *
   * @param value gives up the calls that are made with it, whenever its owner wants
   * @return a copy
   */
  public CallOptions withCancellation(Cancellation value) {
    return new CallOptions(timeout, credentials, maxReply, Optional.of(value), metadata,
        routingKey, replicatedReplies, token);
  }

  /**
   * Headers of the application.
   *
   * @return by lower-case name
   */
  public Map<String, String> headers() {
    return metadata.headers();
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
    return new CallOptions(timeout, credentials, maxReply, cancellation,
        new Metadata(metadata.traceParent(), metadata.traceState(), all), routingKey, replicatedReplies, token);
  }

  /**
   * These options with another routing key.
   *
   * @param key what calls have in common that are to take the same way, such as the number of an order: those of one
   *     key go over one connection as long as they reach the same server, and those without chunks in their order
   * @return a copy
   */
  public CallOptions withRoutingKey(String key) {
    return new CallOptions(timeout, credentials, maxReply, cancellation, metadata, Optional.of(key),
        replicatedReplies, token);
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
    return new CallOptions(timeout, credentials, maxReply, cancellation, metadata, routingKey, true, token);
  }

  /** All but the token, which is a secret. */
  @Override
  public String toString() {
    return "CallOptions[timeout=" + timeout + ", credentials=" + credentials + ", maxReply=" + maxReply
        + ", cancellation=" + cancellation + ", metadata=" + metadata + ", routingKey=" + routingKey
        + ", replicatedReplies=" + replicatedReplies + (token.isPresent() ? ", with a token" : "") + ']';
  }
}
