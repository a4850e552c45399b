// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What clients and servers have in common. Each setter checks its range and throws
 * {@link IllegalArgumentException} with the range in its message.
 *
 * @param <T> the options' own type, for fluent setters
 */
public abstract class RpcOptions<T extends RpcOptions<T>> {

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

  private String provider = "";
  private JsonObject providerOptions = new JsonObject();
  private List<ProviderOptions> providers = List.of();
  private String capture = "";
  private int inlineSize = DEFAULT_INLINE_SIZE;
  private int forwardCredits = DEFAULT_FORWARD_CREDITS;
  private int reverseCredits = DEFAULT_REVERSE_CREDITS;
  private int maxQueuedCalls = DEFAULT_MAX_QUEUED_CALLS;
  private int maxCallsPerService = DEFAULT_MAX_CALLS_PER_SERVICE;
  private int maxExecutions = DEFAULT_MAX_EXECUTIONS;
  private int maxReply = DEFAULT_MAX_REPLY;
  private long maxChunkBytes = DEFAULT_MAX_CHUNK_BYTES;
  private int maxSegments = DEFAULT_MAX_SEGMENTS;
  private long maxReadBytesInFlight = DEFAULT_MAX_READ_BYTES_IN_FLIGHT;
  private boolean metadata = true;
  private TracingPolicy tracingPolicy = TracingPolicy.PROPAGATE;
  private boolean parallelServices;
  private String metricsName = "";
  /** Null for none; nobody else has it. */
  private KerberosOptions kerberos;
  private OpaqueAuth credentials = OpaqueAuth.NONE;
  private boolean pullReplies = true;
  private boolean provideReplies = true;
  private long maxProvidedBytes = DEFAULT_MAX_PROVIDED_BYTES;
  private long maxPoolBytes = DEFAULT_MAX_POOL_BYTES;
  private long maxPendingReplyBytes;
  private long maxSetAside = DEFAULT_MAX_SET_ASIDE;
  private Duration callTimeout = DEFAULT_CALL_TIMEOUT;
  private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
  private Duration serviceTimeout = DEFAULT_SERVICE_TIMEOUT;
  private Duration drainTimeout = DEFAULT_DRAIN_TIMEOUT;
  private Duration setAsideTime = DEFAULT_SET_ASIDE_TIME;
  private Duration keepAliveTime = DEFAULT_KEEP_ALIVE_TIME;
  private Duration keepAliveTimeout = DEFAULT_KEEP_ALIVE_TIMEOUT;
  private long replyCacheBytes = DEFAULT_REPLY_CACHE_BYTES;
  private long largeReplyCacheBytes = DEFAULT_LARGE_REPLY_CACHE_BYTES;

  RpcOptions() {}

  abstract T self();

  /**
   * The provider's name.
   *
   * @return empty for the usable provider with the highest priority
   */
  public String getProvider() {
    return provider;
  }

  /**
   * Chooses a provider by name.
   *
   * @param name such as {@code siw}; empty for the usable one with the highest priority
   * @return this
   */
  public T setProvider(String name) {
    provider = name;
    return self();
  }

  /**
   * Settings of the provider's own.
   *
   * @return a copy
   */
  public JsonObject getProviderOptions() {
    return providerOptions.copy();
  }

  /**
   * Sets settings of the provider's own.
   *
   * @param options see the provider's documentation
   * @return this
   */
  public T setProviderOptions(JsonObject options) {
    providerOptions = options.copy();
    return self();
  }

  /**
   * The providers that were added, in their order.
   *
   * @return none for what {@link #getProvider} says
   */
  public List<ProviderOptions> getProviders() {
    return providers;
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
    ProviderOptions added = new ProviderOptions(name, settings);
    if (name.isEmpty() || providers.stream().anyMatch(other -> other.name().equals(name))) {
      throw new IllegalArgumentException("providers have names, each another one, not \"" + name + "\"");
    }
    List<ProviderOptions> all = new ArrayList<>(providers);
    all.add(added);
    providers = List.copyOf(all);
    return self();
  }

  /**
   * The providers to use: those that were added, or else the one that was set.
   *
   * @return one at least
   */
  public List<ProviderOptions> providersInOrder() {
    return providers.isEmpty() ? List.of(new ProviderOptions(provider, providerOptions)) : providers;
  }

  /**
   * Where traffic is recorded.
   *
   * @return empty for nowhere
   */
  public String getCapture() {
    return capture;
  }

  /**
   * Records all traffic of this client or server to a file that Wireshark opens.
   *
   * @param path a file to be written in pcapng format; empty for none
   * @return this
   */
  public T setCapture(String path) {
    capture = path;
    return self();
  }

  /**
   * The longest message of ours, and the longest that we take, in one Send (the inline threshold).
   *
   * @return bytes
   */
  public int getInlineSize() {
    return inlineSize;
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
    if (bytes < 1024 || bytes > 262144 || bytes % 1024 != 0) {
      throw new IllegalArgumentException(
          "The inline size is a multiple of 1024 from 1024 to 262144, not " + bytes);
    }
    inlineSize = bytes;
    return self();
  }

  /**
   * Calls in flight from client to server: what a client asks for, what a server grants.
   *
   * @return credits
   */
  public int getForwardCredits() {
    return forwardCredits;
  }

  /**
   * Sets the credits of the forward direction.
   *
   * @param credits 1 to 4096
   * @return this
   */
  public T setForwardCredits(int credits) {
    forwardCredits = range("forwardCredits", credits, 1, 4096);
    return self();
  }

  /**
   * Calls in flight from server to client: what a server asks for, what a client grants.
   *
   * @return credits
   */
  public int getReverseCredits() {
    return reverseCredits;
  }

  /**
   * Sets the credits of the reverse direction.
   *
   * @param credits 1 to 4096
   * @return this
   */
  public T setReverseCredits(int credits) {
    reverseCredits = range("reverseCredits", credits, 1, 4096);
    return self();
  }

  /**
   * How many calls may wait for a credit on one connection, for a connection of a channel, and until the servers of an
   * address are known, so many each. One more fails with an {@link RpcTransportException}, and was not sent.
   *
   * @return calls
   */
  public int getMaxQueuedCalls() {
    return maxQueuedCalls;
  }

  /**
   * Sets how many calls may wait for a credit.
   *
   * @param calls 1 to 2^20
   * @return this
   */
  public T setMaxQueuedCalls(int calls) {
    maxQueuedCalls = range("maxQueuedCalls", calls, 1, 1 << 20);
    return self();
  }

  /**
   * Returns how many calls may wait for one service whose worker threads or event loop are busy. A further call is not
   * executed, nor is a call that would wait for more than half of its remaining time. Callers of this library get an
   * {@link RpcResourceException}, other callers SYSTEM_ERR.
   *
   * @return number of calls
   */
  public int getMaxCallsPerService() {
    return maxCallsPerService;
  }

  /**
   * Sets how many calls may wait for one service.
   *
   * @param calls 1 to 2^20
   * @return this
   */
  public T setMaxCallsPerService(int calls) {
    maxCallsPerService = range("maxCallsPerService", calls, 1, 1 << 20);
    return self();
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
    return maxExecutions;
  }

  /**
   * Sets how many calls services may execute at a time.
   *
   * @param calls 1 to 2^24
   * @return this
   */
  public T setMaxExecutions(int calls) {
    maxExecutions = range("maxExecutions", calls, 1, 1 << 24);
    return self();
  }

  /**
   * Room that a call makes for results whose size its program cannot predict, unless the procedure or the
   * call itself says how much ({@link CallOptions#withMaxReply}). Results that are larger fail the call with
   * {@link RpcTransportException}.
   *
   * @return bytes, without the 24 of the reply's head
   */
  public int getMaxReply() {
    return maxReply;
  }

  /**
   * Sets the room for results of unpredictable size. Each call with such results holds so much memory of the
   * pool, and the head of its reply, rounded up to a power of two, from when it is sent to its outcome.
   *
   * @param bytes 0 to 2^30
   * @return this
   */
  public T setMaxReply(int bytes) {
    maxReply = range("maxReply", bytes, 0, 1 << 30);
    return self();
  }

  /**
   * What calls have that say nothing of who makes them: of a client all its calls, of a server those in the reverse
   * direction.
   *
   * @return AUTH_NONE, unless set
   */
  public OpaqueAuth getCredentials() {
    return credentials;
  }

  /**
   * Sets what calls have that say nothing of who makes them.
   *
   * @param value such as {@code new AuthSys(…).toAuth()}; in JSON {@code {"machine": "host", "uid": 1000, "gid": 100,
   *     "gids": [100]}}, or {@code {"flavor": 1, "body": "…"}} in base 64
   * @return this
   */
  public T setCredentials(OpaqueAuth value) {
    credentials = Objects.requireNonNull(value, "credentials");
    return self();
  }

  /**
   * How calls prove who makes them.
   *
   * @return a copy; empty for {@link #getCredentials} alone
   */
  public Optional<KerberosOptions> getKerberos() {
    return Optional.ofNullable(kerberos).map(KerberosOptions::new);
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
    kerberos = new KerberosOptions(options);
    return self();
  }

  /**
   * Whether services that belong to a worker or to virtual threads serve several calls at once.
   *
   * @return false unless set
   */
  public boolean isParallelServices() {
    return parallelServices;
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
    parallelServices = parallel;
    return self();
  }

  /**
   * What Vert.x's metrics call it.
   *
   * @return empty for the remote address of a client, and the address that a server listens at
   */
  public String getMetricsName() {
    return metricsName;
  }

  /**
   * Sets what Vert.x's metrics call it.
   *
   * @param name the namespace of its calls, and the name of its pools
   * @return this
   */
  public T setMetricsName(String name) {
    metricsName = Objects.requireNonNull(name, "name");
    return self();
  }

  /**
   * Whether messages to and from peers that take it have metadata with them: for how long callers wait, how long
   * services take, trace context, headers.
   *
   * @return true by default
   */
  public boolean isMetadata() {
    return metadata;
  }

  /**
   * Sets whether there is metadata. Peers that do not know it see none of it in any case.
   *
   * @param value false to neither send nor take any
   * @return this
   */
  public T setMetadata(boolean value) {
    metadata = value;
    return self();
  }

  /**
   * Whether calls have spans, if Vert.x has a tracer.
   *
   * @return those that are made while there is a span, by default
   */
  public TracingPolicy getTracingPolicy() {
    return tracingPolicy;
  }

  /**
   * Sets whether calls have spans. They are told to peers that take metadata ({@link #isMetadata}).
   *
   * @param policy as Vert.x has it for its own clients and servers
   * @return this
   */
  public T setTracingPolicy(TracingPolicy policy) {
    tracingPolicy = Objects.requireNonNull(policy, "policy");
    return self();
  }

  /**
   * Whether results of unpredictable size are pulled from peers that provide them, so that calls make no room
   * for them.
   *
   * @return true by default
   */
  public boolean isPullReplies() {
    return pullReplies;
  }

  /**
   * Sets whether large results are pulled. Without it, and from peers that do not provide them, calls with
   * results of unpredictable size make room ({@link #getMaxReply}).
   *
   * @param value false to have no results pulled
   * @return this
   */
  public T setPullReplies(boolean value) {
    pullReplies = value;
    return self();
  }

  /**
   * Whether replies for which the caller has made no room are provided to be pulled, to peers that do so.
   *
   * @return true by default
   */
  public boolean isProvideReplies() {
    return provideReplies;
  }

  /**
   * Sets whether replies are provided to be pulled. Without it, and for peers that do not pull, a reply for
   * which the caller has made no room is answered ERR_CHUNK, though its call was executed.
   *
   * @param value false to provide none
   * @return this
   */
  public T setProvideReplies(boolean value) {
    provideReplies = value;
    return self();
  }

  /**
   * How many bytes of replies may wait to be pulled by one peer. Replies beyond wait until others were pulled; a
   * reply that is larger waits alone.
   *
   * @return bytes
   */
  public long getMaxProvidedBytes() {
    return maxProvidedBytes;
  }

  /**
   * Sets how much of its replies one peer may leave waiting.
   *
   * @param bytes 4096 or more
   * @return this
   */
  public T setMaxProvidedBytes(long bytes) {
    if (bytes < 4096) {
      throw new IllegalArgumentException("maxProvidedBytes is 4096 or more, not " + bytes);
    }
    maxProvidedBytes = bytes;
    return self();
  }

  /**
   * The largest chunk, and the most bytes in all Read chunks of one message, that we take from a peer.
   *
   * @return bytes
   */
  public long getMaxChunkBytes() {
    return maxChunkBytes;
  }

  /**
   * Sets the largest chunk. What is above {@link #getMaxReadBytesInFlight} is never pulled.
   *
   * @param bytes 4096 to 2^31-1
   * @return this
   */
  public T setMaxChunkBytes(long bytes) {
    if (bytes < 4096 || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("maxChunkBytes is 4096 to 2147483647, not " + bytes);
    }
    maxChunkBytes = bytes;
    return self();
  }

  /**
   * How many segments, in all chunks of one message together, we take from a peer.
   *
   * @return a count
   */
  public int getMaxSegments() {
    return maxSegments;
  }

  /**
   * Sets the most segments of a message. A message with more is answered ERR_CHUNK.
   *
   * @param segments 1 to 65536
   * @return this
   */
  public T setMaxSegments(int segments) {
    maxSegments = range("maxSegments", segments, 1, 1 << 16);
    return self();
  }

  /**
   * How many bytes of Read chunks we hold for the calls of one connection, from when they are to be
   * pulled until the services have answered.
   *
   * @return bytes
   */
  public long getMaxReadBytesInFlight() {
    return maxReadBytesInFlight;
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
    if (bytes < 4096) {
      throw new IllegalArgumentException("maxReadBytesInFlight is 4096 or more, not " + bytes);
    }
    maxReadBytesInFlight = bytes;
    return self();
  }

  /**
   * The most memory for chunks that clients and servers with this bound have in use together, of one device.
   *
   * @return bytes
   */
  public long getMaxPoolBytes() {
    return maxPoolBytes;
  }

  /**
   * Sets the most memory for chunks. Those who set the same bound share it; others of the same device have their own.
   * It is never more than seven eighths of the direct memory that the JVM has, by {@code -XX:MaxDirectMemorySize}.
   *
   * @param bytes at least 2^20
   * @return this
   */
  public T setMaxPoolBytes(long bytes) {
    if (bytes < 1 << 20) {
      throw new IllegalArgumentException("maxPoolBytes is at least 1048576, not " + bytes);
    }
    maxPoolBytes = bytes;
    return self();
  }

  /**
   * How many bytes of replies this end makes before its peers have taken them; see {@link #setMaxPendingReplyBytes}.
   *
   * @return bytes; 0 for a quarter of the heap or of direct memory, whichever is less
   */
  public long getMaxPendingReplyBytes() {
    return maxPendingReplyBytes;
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
    if (bytes != 0 && bytes < 1 << 16) {
      throw new IllegalArgumentException("maxPendingReplyBytes is 0, or at least 65536, not " + bytes);
    }
    maxPendingReplyBytes = bytes;
    return self();
  }

  /**
   * The most memory of a connection that is held back for late replies of calls that were given up.
   *
   * @return bytes
   */
  public long getMaxSetAside() {
    return maxSetAside;
  }

  /**
   * Sets the most memory held back. Beyond it memory is revoked at once, at the risk that the late
   * reply then costs the connection.
   *
   * @param bytes 0 or more
   * @return this
   */
  public T setMaxSetAside(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("maxSetAside is 0 or more, not " + bytes);
    }
    maxSetAside = bytes;
    return self();
  }

  /**
   * How long a call waits for its reply, unless its own options say otherwise.
   *
   * @return a duration
   */
  public Duration getCallTimeout() {
    return callTimeout;
  }

  /**
   * Sets how long a call waits.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setCallTimeout(Duration timeout) {
    callTimeout = duration("callTimeout", timeout);
    return self();
  }

  /**
   * How long connecting or accepting may take.
   *
   * @return a duration
   */
  public Duration getConnectTimeout() {
    return connectTimeout;
  }

  /**
   * Sets how long connecting or accepting may take.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setConnectTimeout(Duration timeout) {
    connectTimeout = duration("connectTimeout", timeout);
    return self();
  }

  /**
   * How long a service may take before its caller is answered SYSTEM_ERR.
   *
   * @return a duration
   */
  public Duration getServiceTimeout() {
    return serviceTimeout;
  }

  /**
   * Sets how long a service may take. A peer that serves no Read of its own calls for as long loses the
   * connection.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setServiceTimeout(Duration timeout) {
    serviceTimeout = duration("serviceTimeout", timeout);
    return self();
  }

  /**
   * How long closing waits for calls in flight.
   *
   * @return a duration
   */
  public Duration getDrainTimeout() {
    return drainTimeout;
  }

  /**
   * Sets how long closing waits.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setDrainTimeout(Duration timeout) {
    drainTimeout = duration("drainTimeout", timeout);
    return self();
  }

  /**
   * How long memory is held back for the late reply of a call that was given up.
   *
   * @return a duration
   */
  public Duration getSetAsideTime() {
    return setAsideTime;
  }

  /**
   * Sets how long memory is held back.
   *
   * @param time 1 ms to 1 day
   * @return this
   */
  public T setSetAsideTime(Duration time) {
    setAsideTime = duration("setAsideTime", time);
    return self();
  }

  /**
   * How long a peer may be silent before it is asked for a sign of life.
   *
   * @return a duration
   */
  public Duration getKeepAliveTime() {
    return keepAliveTime;
  }

  /**
   * Sets how long a peer may be silent. The sign of life is an RDMA Read of nothing, which takes no
   * credit; of a peer that does not serve Reads, a NULL call if there is a credit for it.
   *
   * @param time 1 ms to 1 day
   * @return this
   */
  public T setKeepAliveTime(Duration time) {
    keepAliveTime = duration("keepAliveTime", time);
    return self();
  }

  /**
   * How long the peer may take to give a sign of life; then the connection ends.
   *
   * @return a duration
   */
  public Duration getKeepAliveTimeout() {
    return keepAliveTimeout;
  }

  /**
   * Sets how long the peer may take to give a sign of life.
   *
   * @param timeout 1 ms to 1 day
   * @return this
   */
  public T setKeepAliveTimeout(Duration timeout) {
    keepAliveTimeout = duration("keepAliveTimeout", timeout);
    return self();
  }

  /**
   * How much of the replies to one peer is kept, for calls that come again after a lost connection. A
   * call whose reply was not kept is not executed again, but answered with an error.
   *
   * @return bytes
   */
  public long getReplyCacheBytes() {
    return replyCacheBytes;
  }

  /**
   * Sets how much of the replies to one peer is kept.
   *
   * @param bytes 0 to 2^30
   * @return this
   */
  public T setReplyCacheBytes(long bytes) {
    if (bytes < 0 || bytes > 1 << 30) {
      throw new IllegalArgumentException("replyCacheBytes is 0 to 1073741824, not " + bytes);
    }
    replyCacheBytes = bytes;
    return self();
  }

  /**
   * How much is kept of those replies to one peer that are each larger than {@link #getReplyCacheBytes}, and that
   * it had not pulled when its connection was lost. They are kept without a copy, until the peer has pulled them
   * over another connection, or makes another call in the same slot.
   *
   * @return bytes
   */
  public long getLargeReplyCacheBytes() {
    return largeReplyCacheBytes;
  }

  /**
   * Sets how much of large replies to one peer is kept. A call whose reply is larger is executed once all the same,
   * but fails if its connection is lost before the reply is there.
   *
   * @param bytes 0 or more
   * @return this
   */
  public T setLargeReplyCacheBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("largeReplyCacheBytes is not negative: " + bytes);
    }
    largeReplyCacheBytes = bytes;
    return self();
  }

  /**
   * These options as JSON. Durations are whole numbers of milliseconds, or where they have fractions of these, ISO 8601
   * texts; both forms are read. What is in {@code tls} has the passwords of its keys.
   *
   * @return a new object with all of them; without {@code tls} if there is none
   * @throws IllegalStateException if {@code tls} has keys or trust that have no form in JSON, such as those of {@link
   *     io.vertx.core.net.KeyCertOptions#wrap}
   */
  public abstract JsonObject toJson();

  static int range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " is " + min + " to " + max + ", not " + value);
    }
    return value;
  }

  static Duration duration(String name, Duration value) {
    // Not by its number of milliseconds, which may be more than there are numbers.
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(name + " is 1 ms to 1 day, not " + value);
    }
    return value;
  }
}
