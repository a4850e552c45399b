// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.options.CredentialJson;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What clients and servers have in common. Each setter checks its range and throws
 * {@link IllegalArgumentException} with the range in its message.
 *
 * @param <T> the options' own type, for fluent setters
 */
public abstract class RpcOptions<T extends RpcOptions<T>> extends DeclaredOptions {

  /** Inline size in each direction: what Linux uses. */
  public static final int DEFAULT_INLINE_SIZE = 4096;
  /** Calls in flight from client to server. */
  public static final int DEFAULT_FORWARD_CREDITS = 64;
  /** Calls in flight from server to client. */
  public static final int DEFAULT_REVERSE_CREDITS = 16;
  /** Calls that may wait for a credit. */
  public static final int DEFAULT_MAX_QUEUED_CALLS = 4096;
  /** Calls that wait for one service. */
  public static final int DEFAULT_MAX_CALLS_PER_SERVICE = 4096;
  /** Calls that services execute at a time. */
  public static final int DEFAULT_MAX_EXECUTIONS = 65_536;
  /** Room for results whose size nobody can predict: with the head of the reply 64 KiB of the pool. */
  public static final int DEFAULT_MAX_REPLY = (64 << 10) - OncRpc.SUCCESS_HEADER_LENGTH;
  /** The largest chunk: the largest piece of memory that Java addresses by an int, rounded. */
  public static final long DEFAULT_MAX_CHUNK_BYTES = 1L << 30;
  /** Segments in one message; a header of 4096 bytes holds 169 read segments. */
  public static final int DEFAULT_MAX_SEGMENTS = 256;
  /** What the calls of one connection may have pulled, until they are answered. */
  public static final long DEFAULT_MAX_READ_BYTES_IN_FLIGHT = 1L << 30;
  /** What the replies of one connection may have waiting to be pulled. */
  public static final long DEFAULT_MAX_PROVIDED_BYTES = 1L << 30;
  /** Pool memory for chunks, of one device and all who set the same bound. */
  public static final long DEFAULT_MAX_POOL_BYTES = 2L << 30;
  /** Pool memory of a connection that may be held back for late replies. */
  public static final long DEFAULT_MAX_SET_ASIDE = 64L << 20;
  /** How long a call waits for its reply. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);
  /** How long connecting or accepting may take. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);
  /** How long a service may take. */
  public static final Duration DEFAULT_SERVICE_TIMEOUT = Duration.ofSeconds(60);
  /** How long closing waits for calls in flight. */
  public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(5);
  /** How long memory is held back for a late reply. */
  public static final Duration DEFAULT_SET_ASIDE_TIME = Duration.ofSeconds(30);
  /** How long a peer may be silent before it is asked for a sign of life. */
  public static final Duration DEFAULT_KEEP_ALIVE_TIME = Duration.ofSeconds(30);
  /** How long the peer may take to give one. */
  public static final Duration DEFAULT_KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(10);
  /** Replies that are kept for calls that come again, for each peer. */
  public static final long DEFAULT_REPLY_CACHE_BYTES = 1L << 20;
  /** Large replies that are kept since their connection was lost before they were pulled. */
  public static final long DEFAULT_LARGE_REPLY_CACHE_BYTES = 64L << 20;

  static final Duration SHORTEST = Duration.ofMillis(1);
  static final Duration LONGEST = Duration.ofDays(1);

  static final OptionSet COMMON = new OptionSet("RpcOptions", "option");
  private static final Option<String> PROVIDER = COMMON.add("provider", OptionType.text(), "",
      "the provider's name; empty for the usable one with the highest priority");
  private static final Option<JsonObject> PROVIDER_OPTIONS = COMMON.add("providerOptions", OptionType.object(),
      new JsonObject(),
      "the provider's own settings, such as those [of siw](#siw)");
  private static final Option<List<ProviderOptions>> PROVIDERS = COMMON.add("providers", ProviderOptions.LIST,
      List.of(),
      "[several providers](deploying.md#several-providers), in place of those two");
  private static final Option<String> CAPTURE = COMMON.add("capture", OptionType.text(), "",
      "a pcapng file for Wireshark, which all traffic is recorded to");
  private static final Option<Boolean> METADATA = COMMON.add("metadata", OptionType.flag(), true,
      "whether [metadata](extensions.md#metadata) goes with calls: deadlines, headers, trace context");
  private static final Option<TracingPolicy> TRACING_POLICY = COMMON.add("tracingPolicy",
      OptionType.constant(TracingPolicy.class), TracingPolicy.PROPAGATE,
      "whether calls have [spans](observing.md#tracing)");
  private static final Option<String> METRICS_NAME = COMMON.add("metricsName", OptionType.text(), "",
      "the name in [Vert.x's metrics](observing.md#metrics-of-vertx)");
  private static final Option<OpaqueAuth> CREDENTIALS = COMMON.add("credentials", CredentialJson.TYPE, OpaqueAuth.NONE,
      "[who calls](security.md#credentials), if a call does not say; AUTH_NONE").secret();
  private static final Option<Optional<KerberosOptions>> KERBEROS = COMMON.add("kerberos",
      OptionType.optional(KerberosOptions.TYPE), Optional.empty(),
      "[Kerberos](security.md#kerberos): of a client which service to call, as whom, and how calls are protected; "
          + "of a server its keytab");
  private static final Option<Boolean> PARALLEL_SERVICES = COMMON.add("parallelServices", OptionType.flag(), false,
      "whether services of workers and virtual threads serve [calls at once](deploying.md#threads)");
  private static final Option<Integer> INLINE_SIZE = COMMON.add("limits.inlineSize",
      OptionType.int32(1024, 262144).only("a multiple of 1024 from 1024 to 262144", RpcOptions::isInlineSize)
          .unit("bytes"),
      DEFAULT_INLINE_SIZE,
      "the longest message in one Send; both ends' lesser one counts");
  private static final Option<Integer> FORWARD_CREDITS = COMMON.add("limits.forwardCredits",
      OptionType.int32(1, 4096).unit("calls"), DEFAULT_FORWARD_CREDITS,
      "calls in flight from client to server: what a client asks for, and a server grants");
  private static final Option<Integer> REVERSE_CREDITS = COMMON.add("limits.reverseCredits",
      OptionType.int32(1, 4096).unit("calls"), DEFAULT_REVERSE_CREDITS,
      "calls in flight from server to client");
  private static final Option<Integer> MAX_QUEUED_CALLS = COMMON.add("limits.maxQueuedCalls",
      OptionType.int32(1, 1 << 20).unit("calls"), DEFAULT_MAX_QUEUED_CALLS,
      "calls that wait for a credit; one more fails");
  private static final Option<Integer> MAX_CALLS_PER_SERVICE = COMMON.add("limits.maxCallsPerService",
      OptionType.int32(1, 1 << 20).unit("calls"), DEFAULT_MAX_CALLS_PER_SERVICE,
      "calls that a service has been handed over and has not begun with; one more is [not "
          + "executed](calls.md#too-many-calls)");
  private static final Option<Integer> MAX_EXECUTIONS = COMMON.add("limits.maxExecutions",
      OptionType.int32(1, 1 << 24).unit("calls"), DEFAULT_MAX_EXECUTIONS,
      "calls that all services of a server, or of a channel, execute at a time; of one connection a sixteenth, or "
          + "its credits");
  private static final Option<Long> MAX_CHUNK_BYTES = COMMON.add("limits.maxChunkBytes",
      OptionType.int64(4096, Integer.MAX_VALUE).unit("bytes"), DEFAULT_MAX_CHUNK_BYTES,
      "the largest chunk that is taken from a peer");
  private static final Option<Integer> MAX_SEGMENTS = COMMON.add("limits.maxSegments",
      OptionType.int32(1, 1 << 16).unit("segments"), DEFAULT_MAX_SEGMENTS,
      "the most segments that are taken in one message");
  private static final Option<Duration> CALL_TIMEOUT = COMMON.add("timeouts.callTimeout",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_CALL_TIMEOUT,
      "how long a call waits, if it does not say");
  private static final Option<Duration> CONNECT_TIMEOUT = COMMON.add("timeouts.connectTimeout",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_CONNECT_TIMEOUT,
      "how long connecting or accepting may take");
  private static final Option<Duration> SERVICE_TIMEOUT = COMMON.add("timeouts.serviceTimeout",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_SERVICE_TIMEOUT,
      "how long a service may take before its caller is answered SYSTEM_ERR");
  private static final Option<Duration> DRAIN_TIMEOUT = COMMON.add("timeouts.drainTimeout",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_DRAIN_TIMEOUT,
      "how long [closing](deploying.md#closing) waits for calls in flight");
  private static final Option<Integer> MAX_REPLY = COMMON.add("replies.maxReply",
      OptionType.int32(0, 1 << 30).unit("bytes"), DEFAULT_MAX_REPLY,
      "room for results whose size nobody can predict, where they are not [pulled](large-replies.md)");
  private static final Option<Boolean> PULL_REPLIES = COMMON.add("replies.pullReplies", OptionType.flag(), true,
      "whether results of unpredictable size are pulled from peers that provide them");
  private static final Option<Boolean> PROVIDE_REPLIES = COMMON.add("replies.provideReplies", OptionType.flag(), true,
      "whether replies without room are provided to be pulled");
  private static final Option<Long> MAX_PROVIDED_BYTES = COMMON.add("replies.maxProvidedBytes",
      OptionType.int64(4096, Long.MAX_VALUE).unit("bytes"), DEFAULT_MAX_PROVIDED_BYTES,
      "replies that one peer may leave waiting to be pulled");
  private static final Option<Long> MAX_PENDING_REPLY_BYTES = COMMON.add("replies.maxPendingReplyBytes",
      OptionType.int64(0, Long.MAX_VALUE).only("0, or 65536 or more", bytes -> bytes == 0 || bytes >= 1 << 16)
          .unit("bytes"),
      0L,
      "replies that are made before peers have taken them, of all connections; 0 for a quarter of the heap or of "
          + "direct memory, whichever is less");
  private static final Option<Long> REPLY_CACHE_BYTES = COMMON.add("replies.replyCacheBytes",
      OptionType.int64(0, 1 << 30).unit("bytes"), DEFAULT_REPLY_CACHE_BYTES,
      "replies to one peer that are kept for [calls that come again](recovery.md#remembering)");
  private static final Option<Long> LARGE_REPLY_CACHE_BYTES = COMMON.add("replies.largeReplyCacheBytes",
      OptionType.int64(0, Long.MAX_VALUE).unit("bytes"), DEFAULT_LARGE_REPLY_CACHE_BYTES,
      "large replies to one peer that are kept until they are pulled");
  private static final Option<Long> MAX_READ_BYTES_IN_FLIGHT = COMMON.add("memory.maxReadBytesInFlight",
      OptionType.int64(4096, Long.MAX_VALUE).unit("bytes"), DEFAULT_MAX_READ_BYTES_IN_FLIGHT,
      "arguments in chunks that one connection's calls may hold");
  private static final Option<Long> MAX_POOL_BYTES = COMMON.add("memory.maxPoolBytes",
      OptionType.int64(1 << 20, Long.MAX_VALUE).unit("bytes"), DEFAULT_MAX_POOL_BYTES,
      "registered memory for chunks, shared by those that set the same bound; at most seven eighths of [direct "
          + "memory](deploying.md#memory)");
  private static final Option<Long> MAX_SET_ASIDE = COMMON.add("memory.maxSetAside",
      OptionType.int64(0, Long.MAX_VALUE).unit("bytes"), DEFAULT_MAX_SET_ASIDE,
      "memory of a connection that is held back for late replies");
  private static final Option<Duration> SET_ASIDE_TIME = COMMON.add("memory.setAsideTime",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_SET_ASIDE_TIME,
      "how long memory is held back for the late reply of a call that was given up");
  private static final Option<Duration> KEEP_ALIVE_TIME = COMMON.add("keepAlive.keepAliveTime",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_KEEP_ALIVE_TIME,
      "how long a peer may be silent before it is asked for a sign of life");
  private static final Option<Duration> KEEP_ALIVE_TIMEOUT = COMMON.add("keepAlive.keepAliveTimeout",
      OptionType.duration(SHORTEST, LONGEST), DEFAULT_KEEP_ALIVE_TIMEOUT,
      "how long it may take to give one");

  RpcOptions(OptionValues values) {
    super(values);
  }

  abstract T self();

  final <V> T set(Option<V> option, V value) {
    values.set(option, value);
    return self();
  }

  final <V> T setSome(Option<Optional<V>> option, V value) {
    values.setSome(option, value);
    return self();
  }

  private static boolean isInlineSize(int bytes) {
    return bytes >= 1024 && bytes <= 262144 && bytes % 1024 == 0;
  }

  /**
   * The provider's name.
   *
   * @return empty for the usable provider with the highest priority
   */
  public String getProvider() {
    return values.get(PROVIDER);
  }

  /**
   * Chooses a provider by name.
   *
   * @param name such as {@code siw}; empty for the usable one with the highest priority
   * @return this
   */
  public T setProvider(String name) {
    return set(PROVIDER, name);
  }

  /**
   * Settings of the provider's own.
   *
   * @return a copy
   */
  public JsonObject getProviderOptions() {
    return values.get(PROVIDER_OPTIONS);
  }

  /**
   * Sets settings of the provider's own.
   *
   * @param options see the provider's documentation
   * @return this
   */
  public T setProviderOptions(JsonObject options) {
    return set(PROVIDER_OPTIONS, options);
  }

  /**
   * The providers that were added, in their order.
   *
   * @return none for what {@link #getProvider} says
   */
  public List<ProviderOptions> getProviders() {
    return values.get(PROVIDERS);
  }

  /**
   * Adds a provider; {@link #setProvider} does not count then. A server listens on all of them, at the same address. A
   * client takes the first, and others if it may ({@link RpcClientOptions#setProviderFallback}).
   *
   * @param name such as {@code siw}
   * @param settings of the provider's own
   * @return this
   */
  public T addProvider(String name, JsonObject settings) {
    return set(PROVIDERS, ProviderOptions.added(getProviders(), new ProviderOptions(name, settings)));
  }

  /**
   * The providers to use: those that were added, or else the one that was set.
   *
   * @return one at least
   */
  public List<ProviderOptions> providersInOrder() {
    List<ProviderOptions> added = getProviders();
    return added.isEmpty() ? List.of(new ProviderOptions(getProvider(), getProviderOptions())) : added;
  }

  /**
   * Where traffic is recorded.
   *
   * @return empty for nowhere
   */
  public String getCapture() {
    return values.get(CAPTURE);
  }

  /**
   * Records all traffic of this client or server to a file that Wireshark opens.
   *
   * @param path a file to be written in pcapng format; empty for none
   * @return this
   */
  public T setCapture(String path) {
    return set(CAPTURE, path);
  }

  /**
   * The longest message of ours, and the longest that we take, in one Send (the inline threshold).
   *
   * @return bytes
   */
  public int getInlineSize() {
    return values.get(INLINE_SIZE);
  }

  /**
   * Sets the inline size. A connection uses the lesser of both ends' in each direction. For what comes, a connection
   * has one buffer of this size where the device delivers one message after the other, as siw does; else one for each
   * Receive, up to three for each credit granted and one for each asked for. Sends share those of their event loop.
   *
   * @param bytes a multiple of 1024 from 1024 to 262144 (RFC 8797 §4)
   * @return this
   */
  public T setInlineSize(int bytes) {
    return set(INLINE_SIZE, bytes);
  }

  /**
   * Calls in flight from client to server: what a client asks for, what a server grants.
   *
   * @return credits
   */
  public int getForwardCredits() {
    return values.get(FORWARD_CREDITS);
  }

  /**
   * Sets the credits of the forward direction.
   *
   * @param credits 1 to 4096
   * @return this
   */
  public T setForwardCredits(int credits) {
    return set(FORWARD_CREDITS, credits);
  }

  /**
   * Calls in flight from server to client: what a server asks for, what a client grants.
   *
   * @return credits
   */
  public int getReverseCredits() {
    return values.get(REVERSE_CREDITS);
  }

  /**
   * Sets the credits of the reverse direction.
   *
   * @param credits 1 to 4096
   * @return this
   */
  public T setReverseCredits(int credits) {
    return set(REVERSE_CREDITS, credits);
  }

  /**
   * How many calls may wait for a credit on one connection, for a connection of a channel, and until the servers of an
   * address are known, so many each. One more fails with an {@link RpcTransportException}, and was not sent.
   *
   * @return calls
   */
  public int getMaxQueuedCalls() {
    return values.get(MAX_QUEUED_CALLS);
  }

  /**
   * Sets how many calls may wait for a credit.
   *
   * @param calls 1 to 2^20
   * @return this
   */
  public T setMaxQueuedCalls(int calls) {
    return set(MAX_QUEUED_CALLS, calls);
  }

  /**
   * Returns how many calls may wait for one service whose worker threads or event loop are busy. A further call is not
   * executed, nor is a call that would wait for more than half of its remaining time. Callers of this library get an
   * {@link RpcResourceException}, other callers SYSTEM_ERR.
   *
   * @return number of calls
   */
  public int getMaxCallsPerService() {
    return values.get(MAX_CALLS_PER_SERVICE);
  }

  /**
   * Sets how many calls may wait for one service.
   *
   * @param calls 1 to 2^20
   * @return this
   */
  public T setMaxCallsPerService(int calls) {
    return set(MAX_CALLS_PER_SERVICE, calls);
  }

  /**
   * Returns how many unanswered calls all services of a server, or of a channel, may have. One connection may have a
   * sixteenth of them, or as many as its credits if that is more. A further call is not executed: callers of this
   * library get an {@link RpcResourceException}, other callers SYSTEM_ERR. An abandoned call counts for at most the
   * service timeout.
   *
   * @return number of calls
   */
  public int getMaxExecutions() {
    return values.get(MAX_EXECUTIONS);
  }

  /**
   * Sets how many calls services may execute at a time.
   *
   * @param calls 1 to 2^24
   * @return this
   */
  public T setMaxExecutions(int calls) {
    return set(MAX_EXECUTIONS, calls);
  }

  /**
   * Room that a call makes for results whose size its program cannot predict, unless the procedure or the
   * call itself says how much ({@link CallOptions#withMaxReply}). Results that are larger fail the call with
   * {@link RpcTransportException}.
   *
   * @return bytes, without the 24 of the reply's head
   */
  public int getMaxReply() {
    return values.get(MAX_REPLY);
  }

  /**
   * Sets the room for results of unpredictable size. Each call with such results holds so much memory of the
   * pool, and the head of its reply, rounded up to a power of two, from when it is sent to its outcome.
   *
   * @param bytes 0 to 2^30
   * @return this
   */
  public T setMaxReply(int bytes) {
    return set(MAX_REPLY, bytes);
  }

  /**
   * What calls have that say nothing of who makes them: of a client all its calls, of a server those in the reverse
   * direction.
   *
   * @return AUTH_NONE, unless set
   */
  public OpaqueAuth getCredentials() {
    return values.get(CREDENTIALS);
  }

  /**
   * Sets what calls have that say nothing of who makes them.
   *
   * @param value such as {@code new AuthSys(…).toAuth()}; in JSON {@code {"machine": "host", "uid": 1000, "gid": 100,
   *     "gids": [100]}}, or {@code {"flavor": 1, "body": "…"}} in base 64
   * @return this
   */
  public T setCredentials(OpaqueAuth value) {
    return set(CREDENTIALS, value);
  }

  /**
   * How calls prove who makes them.
   *
   * @return a copy; empty for {@link #getCredentials} alone
   */
  public Optional<KerberosOptions> getKerberos() {
    return values.get(KERBEROS);
  }

  /**
   * Sets how calls prove who makes them. Of a client: all of its calls but those with credentials of their own. Of a
   * server: it takes such calls, beside those that have other credentials, which a {@link ServiceInterceptor} may
   * refuse.
   *
   * @param options copied
   * @return this
   */
  public T setKerberos(KerberosOptions options) {
    return setSome(KERBEROS, options);
  }

  /**
   * Whether services that belong to a worker or to virtual threads serve several calls at once.
   *
   * @return false unless set
   */
  public boolean isParallelServices() {
    return values.get(PARALLEL_SERVICES);
  }

  /**
   * Sets whether services that belong to a worker or to virtual threads serve several calls at once, as many as the
   * credits of their connections and the worker pool allow; they have to be thread-safe then. Otherwise a service has
   * one call at a time, as its verticle has one task; on virtual threads another one while it awaits something.
   * Services of an event loop are called by that thread alone, always.
   *
   * @param parallel true for several at once
   * @return this
   */
  public T setParallelServices(boolean parallel) {
    return set(PARALLEL_SERVICES, parallel);
  }

  /**
   * What Vert.x's metrics call it.
   *
   * @return empty for the remote address of a client, and the address that a server listens at
   */
  public String getMetricsName() {
    return values.get(METRICS_NAME);
  }

  /**
   * Sets what Vert.x's metrics call it.
   *
   * @param name the namespace of its calls, and the name of its pools
   * @return this
   */
  public T setMetricsName(String name) {
    return set(METRICS_NAME, name);
  }

  /**
   * Whether messages to and from peers that take it have metadata with them: for how long callers wait, how long
   * services take, trace context, headers.
   *
   * @return true by default
   */
  public boolean isMetadata() {
    return values.get(METADATA);
  }

  /**
   * Sets whether there is metadata. Peers that do not know it see none of it in any case.
   *
   * @param value false to neither send nor take any
   * @return this
   */
  public T setMetadata(boolean value) {
    return set(METADATA, value);
  }

  /**
   * Whether calls have spans, if Vert.x has a tracer.
   *
   * @return those that are made while there is a span, by default
   */
  public TracingPolicy getTracingPolicy() {
    return values.get(TRACING_POLICY);
  }

  /**
   * Sets whether calls have spans. They are told to peers that take metadata ({@link #isMetadata}).
   *
   * @param policy as Vert.x has it for its own clients and servers
   * @return this
   */
  public T setTracingPolicy(TracingPolicy policy) {
    return set(TRACING_POLICY, policy);
  }

  /**
   * Whether results of unpredictable size are pulled from peers that provide them, so that calls make no room
   * for them.
   *
   * @return true by default
   */
  public boolean isPullReplies() {
    return values.get(PULL_REPLIES);
  }

  /**
   * Sets whether large results are pulled. Without it, and from peers that do not provide them, calls with
   * results of unpredictable size make room ({@link #getMaxReply}).
   *
   * @param value false to have no results pulled
   * @return this
   */
  public T setPullReplies(boolean value) {
    return set(PULL_REPLIES, value);
  }

  /**
   * Whether replies for which the caller has made no room are provided to be pulled, to peers that do so.
   *
   * @return true by default
   */
  public boolean isProvideReplies() {
    return values.get(PROVIDE_REPLIES);
  }

  /**
   * Sets whether replies are provided to be pulled. Without it, and for peers that do not pull, a reply for
   * which the caller has made no room is answered ERR_CHUNK, though its call was executed.
   *
   * @param value false to provide none
   * @return this
   */
  public T setProvideReplies(boolean value) {
    return set(PROVIDE_REPLIES, value);
  }

  /**
   * How many bytes of replies may wait to be pulled by one peer. Replies beyond wait until others were pulled; a
   * reply that is larger waits alone.
   *
   * @return bytes
   */
  public long getMaxProvidedBytes() {
    return values.get(MAX_PROVIDED_BYTES);
  }

  /**
   * Sets how much of its replies one peer may leave waiting.
   *
   * @param bytes 4096 or more
   * @return this
   */
  public T setMaxProvidedBytes(long bytes) {
    return set(MAX_PROVIDED_BYTES, bytes);
  }

  /**
   * The largest chunk, and the most bytes in all Read chunks of one message, that we take from a peer.
   *
   * @return bytes
   */
  public long getMaxChunkBytes() {
    return values.get(MAX_CHUNK_BYTES);
  }

  /**
   * Sets the largest chunk. What is above {@link #getMaxReadBytesInFlight} is never pulled.
   *
   * @param bytes 4096 to 2^31-1
   * @return this
   */
  public T setMaxChunkBytes(long bytes) {
    return set(MAX_CHUNK_BYTES, bytes);
  }

  /**
   * How many segments, in all chunks of one message together, we take from a peer.
   *
   * @return a count
   */
  public int getMaxSegments() {
    return values.get(MAX_SEGMENTS);
  }

  /**
   * Sets the most segments of a message. A message with more is answered ERR_CHUNK.
   *
   * @param segments 1 to 65536
   * @return this
   */
  public T setMaxSegments(int segments) {
    return set(MAX_SEGMENTS, segments);
  }

  /**
   * How many bytes of Read chunks we hold for the calls of one connection, from when they are to be
   * pulled until the services have answered.
   *
   * @return bytes
   */
  public long getMaxReadBytesInFlight() {
    return values.get(MAX_READ_BYTES_IN_FLIGHT);
  }

  /**
   * Sets the most bytes of Read chunks of a connection. A call that would take more together with others waits for
   * them, and is answered SYSTEM_ERR when {@link #getServiceTimeout} is over; one that would take more by itself is
   * answered ERR_CHUNK. The first 32 KiB of a Long call are pulled besides, before anybody knows who makes it: of twice
   * as many calls as are granted at most.
   *
   * @param bytes 4096 or more
   * @return this
   */
  public T setMaxReadBytesInFlight(long bytes) {
    return set(MAX_READ_BYTES_IN_FLIGHT, bytes);
  }

  /**
   * The most memory for chunks that clients and servers with this bound have in use together, of one device.
   *
   * @return bytes
   */
  public long getMaxPoolBytes() {
    return values.get(MAX_POOL_BYTES);
  }

  /**
   * Sets the most memory for chunks. Those who set the same bound share it; others of the same device have their own.
   * It is never more than seven eighths of the direct memory that the JVM has, by {@code -XX:MaxDirectMemorySize}.
   *
   * @param bytes at least 2^20
   * @return this
   */
  public T setMaxPoolBytes(long bytes) {
    return set(MAX_POOL_BYTES, bytes);
  }

  /**
   * How many bytes of replies this end makes before its peers have taken them; see {@link #setMaxPendingReplyBytes}.
   *
   * @return bytes; 0 for a quarter of the heap or of direct memory, whichever is less
   */
  public long getMaxPendingReplyBytes() {
    return values.get(MAX_PENDING_REPLY_BYTES);
  }

  /**
   * Bounds the replies that are made and not taken yet, of all connections of a device. Beyond, calls wait their turn
   * before their services get them, one of each connection after the other. A call counts by what replies of its
   * procedure have lately been, and as long as its reply is on the heap; those under 4096 bytes do not count, and
   * neither do data items. If calls have waited for a second and no room has come back meanwhile, one is served
   * all the same, since a service may wait for another one of the same server; a call that has waited until its
   * caller gives up is not executed. Those who set the same bound share it; others of the same device have their own.
   *
   * @param bytes at least 2^16; 0 for a quarter of the heap or of direct memory, whichever is less
   * @return this
   */
  public T setMaxPendingReplyBytes(long bytes) {
    return set(MAX_PENDING_REPLY_BYTES, bytes);
  }

  /**
   * The most memory of a connection that is held back for late replies of calls that were given up.
   *
   * @return bytes
   */
  public long getMaxSetAside() {
    return values.get(MAX_SET_ASIDE);
  }

  /**
   * Sets the most memory held back. Beyond it memory is revoked at once, at the risk that the late
   * reply then costs the connection.
   *
   * @param bytes 0 or more
   * @return this
   */
  public T setMaxSetAside(long bytes) {
    return set(MAX_SET_ASIDE, bytes);
  }

  /**
   * How long a call waits for its reply, unless its own options say otherwise.
   *
   * @return a duration
   */
  public Duration getCallTimeout() {
    return values.get(CALL_TIMEOUT);
  }

  /**
   * Sets how long a call waits.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setCallTimeout(Duration timeout) {
    return set(CALL_TIMEOUT, timeout);
  }

  /**
   * How long connecting or accepting may take.
   *
   * @return a duration
   */
  public Duration getConnectTimeout() {
    return values.get(CONNECT_TIMEOUT);
  }

  /**
   * Sets how long connecting or accepting may take.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setConnectTimeout(Duration timeout) {
    return set(CONNECT_TIMEOUT, timeout);
  }

  /**
   * How long a service may take before its caller is answered SYSTEM_ERR.
   *
   * @return a duration
   */
  public Duration getServiceTimeout() {
    return values.get(SERVICE_TIMEOUT);
  }

  /**
   * Sets how long a service may take. A peer that serves no Read of its own calls for as long loses the
   * connection.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setServiceTimeout(Duration timeout) {
    return set(SERVICE_TIMEOUT, timeout);
  }

  /**
   * How long closing waits for calls in flight.
   *
   * @return a duration
   */
  public Duration getDrainTimeout() {
    return values.get(DRAIN_TIMEOUT);
  }

  /**
   * Sets how long closing waits.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setDrainTimeout(Duration timeout) {
    return set(DRAIN_TIMEOUT, timeout);
  }

  /**
   * How long memory is held back for the late reply of a call that was given up.
   *
   * @return a duration
   */
  public Duration getSetAsideTime() {
    return values.get(SET_ASIDE_TIME);
  }

  /**
   * Sets how long memory is held back.
   *
   * @param time 1 ms to 1 day
   * @return this
   */
  public T setSetAsideTime(Duration time) {
    return set(SET_ASIDE_TIME, time);
  }

  /**
   * How long a peer may be silent before it is asked for a sign of life.
   *
   * @return a duration
   */
  public Duration getKeepAliveTime() {
    return values.get(KEEP_ALIVE_TIME);
  }

  /**
   * Sets how long a peer may be silent. The sign of life is an RDMA Read of nothing, which takes no
   * credit; of a peer that does not serve Reads, a NULL call if there is a credit for it.
   *
   * @param time 1 ms to 1 day
   * @return this
   */
  public T setKeepAliveTime(Duration time) {
    return set(KEEP_ALIVE_TIME, time);
  }

  /**
   * How long the peer may take to give a sign of life; then the connection ends.
   *
   * @return a duration
   */
  public Duration getKeepAliveTimeout() {
    return values.get(KEEP_ALIVE_TIMEOUT);
  }

  /**
   * Sets how long the peer may take to give a sign of life.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setKeepAliveTimeout(Duration timeout) {
    return set(KEEP_ALIVE_TIMEOUT, timeout);
  }

  /**
   * How much of the replies to one peer is kept, for calls that come again after a lost connection. A
   * call whose reply was not kept is not executed again, but answered with an error.
   *
   * @return bytes
   */
  public long getReplyCacheBytes() {
    return values.get(REPLY_CACHE_BYTES);
  }

  /**
   * Sets how much of the replies to one peer is kept.
   *
   * @param bytes 0 to 2^30
   * @return this
   */
  public T setReplyCacheBytes(long bytes) {
    return set(REPLY_CACHE_BYTES, bytes);
  }

  /**
   * How much is kept of those replies to one peer that are each larger than {@link #getReplyCacheBytes}, and that
   * it had not pulled when its connection was lost. They are kept without a copy, until the peer has pulled them
   * over another connection, or makes another call in the same slot.
   *
   * @return bytes
   */
  public long getLargeReplyCacheBytes() {
    return values.get(LARGE_REPLY_CACHE_BYTES);
  }

  /**
   * Sets how much of large replies to one peer is kept. A call whose reply is larger is executed once all the same,
   * but fails if its connection is lost before the reply is there.
   *
   * @param bytes 0 or more
   * @return this
   */
  public T setLargeReplyCacheBytes(long bytes) {
    return set(LARGE_REPLY_CACHE_BYTES, bytes);
  }

  /**
   * These options as JSON. Durations are whole numbers of milliseconds, or where they have fractions of these, ISO 8601
   * texts; both forms are read. What is in {@code tls} has the passwords of its keys.
   *
   * @return a new object with all of them, in groups as the manual lists them; without {@code tls} and {@code kerberos}
   *     if there are none
   * @throws IllegalStateException if {@code tls} has keys or trust that have no form in JSON, such as those of {@link
   *     io.vertx.core.net.KeyCertOptions#wrap}
   */
  public JsonObject toJson() {
    return values.toJson();
  }
}
