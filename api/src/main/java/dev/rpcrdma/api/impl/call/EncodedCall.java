// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.api.impl.metrics.CallObservation;
import dev.rpcrdma.api.impl.trace.ClientSpan;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.replicated.CallIdentity;
import dev.rpcrdma.protocol.requester.CallFailure;
import dev.rpcrdma.protocol.requester.CallStage;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.session.ChannelCall;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * A request whose arguments have been encoded, on the caller's thread: from here on the application may
 * do with its values what it likes. Keeps an owner of each data item, and of each target of a placed
 * result, until the one outcome. Belongs to no connection.
 *
 * @param <T> the type of the results
 */
public class EncodedCall<T> extends ChannelCall {

  private static final Logger LOG = LoggerFactory.getLogger(EncodedCall.class);

  private static final byte[] ASKING_SERVER_TIME = Metadata.askingServerTime(new byte[0]);

  private final RpcRequest<T> request;
  private final PayloadStream arguments;
  private final boolean soleAttempt;
  private final Promise<T> promise;
  /** Metadata, encoded. */
  private byte[] tags;
  /** That of the call which it is a part of, or of all attempts. */
  private final long deadline;
  /** Null until it is made. */
  private CallMaker maker;
  /** Null if nobody watches. */
  private CallObservation observation;

  EncodedCall(Source<T> source, Promise<T> promise) {
    this.request = source.request();
    this.deadline = source.deadline();
    this.tags = source.metadata().encoded();
    this.arguments = source.arguments();
    this.soleAttempt = source.soleAttempt();
    this.promise = promise;
    LentMemory.retain(request, arguments);
  }

  /**
   * Encodes a request and has it made.
   *
   * @param request what to call
   * @param fallback gets the outcome if the caller has no context
   * @param loop the event loop that the call is made on
   * @param policy whether the call has a span, if there is a tracer
   * @param peer who is called, for the span
   * @param maker makes the call, or fails it
   * @param <T> the type of the results
   * @return the outcome, on the caller's context; what the encoder throws, or a payload that was
   *     released, fails it at once with an {@link RpcEncodingException}
   */
  public static <T> Future<T> make(RpcRequest<T> request, Context fallback, EventLoop loop,
      TracingPolicy policy, SocketAddress peer, Consumer<? super EncodedCall<T>> maker) {
    Context caller = CallerContext.orElse(fallback);
    VertxTracer<?, ?> tracer = Contexts.tracer(caller);
    if (tracer == null) {
      return make(request, loop, Contexts.promise(caller), request.options().metadata(), maker);
    }
    ClientSpan span = ClientSpan.begin(tracer, caller, policy, request, peer);
    Future<T> outcome = make(request, loop, Contexts.promise(caller), span.metadata(), maker);
    outcome.onComplete(any -> span.end(outcome));
    return outcome;
  }

  private static <T> Future<T> make(RpcRequest<T> request, EventLoop loop, Promise<T> promise,
      Metadata metadata, Consumer<? super EncodedCall<T>> maker) {
    Optional<Cancellation> cancellation = request.options().cancellation();
    if (cancellation.isPresent() && cancellation.get().isCancelled()) {
      promise.fail(CallOutcome.neverMade(request));
      return promise.future();
    }
    EncodedCall<T> call;
    try {
      PayloadStream arguments = encode(request);
      CallInService part = CurrentCall.find();
      Source<T> source = new Source<>(request, arguments, metadata,
          part == null ? Long.MAX_VALUE : part.deadline(), true);
      call = cancellation.isEmpty() && part == null ? new EncodedCall<>(source, promise)
          : CancellableCall.begin(source, promise, (CancellationImpl) cancellation.orElse(null),
              part == null ? null : part.parts(), loop);
    } catch (Throwable e) {
      promise.fail(notEncoded(request, e));
      return promise.future();
    }
    return given(call, promise, maker);
  }

  /**
   * What a call is made of.
   *
   * @param deadline of the call which it is a part of, or of all attempts; {@link Long#MAX_VALUE} for none
   * @param soleAttempt whether nobody reads the arguments when it has its results: another attempt would
   */
  record Source<T>(RpcRequest<T> request, PayloadStream arguments, Metadata metadata, long deadline,
      boolean soleAttempt) {}

  /** The arguments of a request, with those items apart that may be. */
  static PayloadStream encode(RpcRequest<?> request) {
    PayloadStream arguments = ArgumentWriter.encode(request.arguments());
    checkEligible(request, arguments.items().size());
    return arguments;
  }

  /** Why a request was not encoded. */
  static RpcException notEncoded(RpcRequest<?> request, Throwable cause) {
    return cause instanceof RpcException known ? known : new RpcEncodingException(
        "The arguments of " + request.describe() + " cannot be sent: " + Causes.message(cause), cause);
  }

  /** Gives a call to who makes it, or fails it if it is too late for that. */
  static <T> Future<T> given(EncodedCall<T> call, Promise<T> promise, Consumer<? super EncodedCall<T>> maker) {
    try {
      maker.accept(call);
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it all that the call could have been made on.
      Future<T> closed = LoopCalls.closed();
      call.fail(closed.cause());
      return closed;
    }
    return promise.future();
  }

  /** Items that the binding does not name must not be reduced (RFC 8166 §3.4.2, R-060). */
  private static void checkEligible(RpcRequest<?> request, int items) {
    if (items > request.eligibleArguments()) {
      throw new RpcEncodingException("The arguments of " + request.describe() + " hold " + items
          + " data items; its binding has " + request.eligibleArguments()
          + " that are DDP-eligible. Write the others as opaque", null);
    }
  }

  /** What is called. */
  public RpcRequest<T> request() {
    return request;
  }

  public boolean readOnly() {
    return request.readOnly();
  }

  /**
   * It is about to be made; on the loop. From now on it knows what its request leaves open.
   *
   * @return false if it was given up on its way here; it has failed then, and is not to be made
   */
  public boolean begin(CallMaker by) {
    maker = by;
    CallMeter meter = by.policy().meter();
    if (meter != null) {
      observation = meter.begin(request, by.now());
      if (observation.wantsServerTime()) {
        tags = tags.length == 0 ? ASKING_SERVER_TIME : Metadata.askingServerTime(tags);
      }
    }
    if (deadline != Long.MAX_VALUE && deadline - System.nanoTime() <= 0) {
      fail(CallOutcome.tooLate(request));
      return false;
    }
    return true;
  }

  // What is sent

  @Override
  public int program() {
    return request.program();
  }

  @Override
  public int version() {
    return request.version();
  }

  @Override
  public int procedure() {
    return request.procedure();
  }

  @Override
  public OpaqueAuth credential() {
    return request.options().credentials().orElseGet(maker.policy().security().credentials());
  }

  @Override
  protected Optional<CallProtector> protector() {
    if (request.options().token().isPresent()) {
      return Optional.of(new TokenShown(request.options().token().get()));
    }
    CallProtectors protectors = maker.policy().security().protectors();
    return protectors == null || request.options().credentials().isPresent() ? Optional.empty()
        : Optional.ofNullable(protectors.of(program(), version()));
  }

  @Override
  protected boolean outdated(AuthStatus status) {
    CallProtectors protectors = maker.policy().security().protectors();
    return protectors != null && request.options().credentials().isEmpty()
        && protectors.outdated(status, sentCredential());
  }

  @Override
  public PayloadStream arguments() {
    return arguments;
  }

  @Override
  protected List<RpcRequest.PlacedResult> placedResults() {
    return request.placedResults();
  }

  @Override
  protected int maxResults() {
    return request.replyBound().predictable() ? request.replyBound().bytes()
        : request.options().maxReply().orElse(maker.policy().options().getMaxReply());
  }

  /** What nobody knows is as small as it can be: with large replies to be pulled it takes no room. */
  @Override
  protected int typicalResults() {
    return request.replyBound().predictable() || request.options().maxReply().isPresent() ? maxResults() : 0;
  }

  /** For how long its caller waits: no longer than somebody waits for what the caller is doing. */
  public long timeoutNanos() {
    long timeout = timeout().toNanos();
    return deadline == Long.MAX_VALUE ? timeout : Math.min(timeout, deadline - System.nanoTime());
  }

  private Duration timeout() {
    return request.options().timeout().orElse(maker.policy().options().getCallTimeout());
  }

  @Override
  public byte[] metadata() {
    return tags;
  }

  /** What would not be known by its identity could be executed by another server, too. */
  @Override
  protected boolean needsMetadata() {
    return knownToAllPeers();
  }

  @Override
  protected boolean belongsToPeer() {
    return request.options().routingKey().isPresent();
  }

  @Override
  protected boolean knownToAllPeers() {
    return request.options().replicatedReplies() && request.options().headers().containsKey(CallIdentity.HEADER);
  }

  @Override
  protected void onServerTime(long nanos) {
    if (observation != null) {
      observation.serverTook(nanos);
    }
  }

  @Override
  public void cancel(long now) {
    if (maker == null || !maker.giveUp(this)) {
      super.cancel(now);
    }
  }

  // Outcomes

  /** It has its outcome, which nobody has heard yet. */
  public void ended() {
    if (maker != null) {
      maker.callEnded();
    }
  }

  /** It has failed, or will not be made. */
  public void fail(Throwable cause) {
    ended();
    release();
    promise.fail(cause);
    observed();
  }

  @Override
  protected void reached(CallStage stage) {
    if (observation != null) {
      observation.reached(stage, maker.now());
    }
  }

  /** Its caller has been told. */
  private void observed() {
    if (observation != null) {
      observation.end(promise.future().succeeded(), maker.now());
    }
  }

  private void release() {
    if (!LentMemory.release(request, arguments)) {
      // Nobody's outcome, be it this call's or another's, waits for who has released what is not his.
      LOG.warn("A payload that was lent to a call of " + request.describe() + " has been released once too often");
    }
  }

  @Override
  public void replied(XdrReader results) {
    ended();
    CallOutcome.replied(request, promise, maker.context(), results);
    observed();
    release();
    if (soleAttempt) {
      // A reply counts only when its call has left, so nothing is left that could send these.
      ArgumentWriter.spent(arguments);
    }
  }

  @Override
  public void rejected(ReplyHeader header) {
    fail(CallOutcome.rejection(request, header));
  }

  @Override
  public void failed(CallFailure failure) {
    fail(CallOutcome.failure(request, failure, maker.connectFailure(), timeout(),
        deadline != Long.MAX_VALUE));
  }
}
