// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.api.impl.metrics.CallObservation;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.replicated.CallIdentity;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.CallStage;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.ResultBounds;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.session.Repetition;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.netty.channel.EventLoop;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * One attempt at a {@link ClientCall}, by one channel or connection. Keeps an owner of each data item, and of each
 * target of a placed result, until its one outcome. On the loop that it is made on, but for its making and
 * {@link #giveUp}.
 *
 * @param <T> the type of the results
 */
public final class Attempt<T> implements Call, CallHead, ResultBounds, Cancellable {

  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  private static final byte[] ASKING_SERVER_TIME = Metadata.askingServerTime(new byte[0]);

  private final ClientCall<T> call;
  private final RpcRequest<T> request;
  private final Promise<T> promise;
  private final EventLoop loop;
  /** Metadata, encoded. */
  private byte[] tags;
  /** Null until it is made. */
  private CallMaker maker;
  /** Null if nobody watches. */
  private CallObservation observation;
  /** Handle of the call on its way; null if nothing carries it. */
  private CallHandle carrier;
  private boolean ended;
  /** Set when the caller has given the call up. */
  private boolean cancelled;

  Attempt(ClientCall<T> call, Promise<T> promise, EventLoop loop, Metadata metadata) {
    this.call = call;
    this.request = call.request();
    this.promise = promise;
    this.loop = loop;
    this.tags = metadata.encoded();
  }

  /** Returns the request of the call. */
  public RpcRequest<T> request() {
    return request;
  }

  /**
   * Begins the attempt, on the loop. From now on it knows what its request leaves open.
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
    if (call.deadline() != Long.MAX_VALUE && call.deadline() - System.nanoTime() <= 0) {
      fail(CallOutcome.tooLate(request));
      return false;
    }
    if (call.isCancelled()) {
      fail(CallOutcome.neverMade(request));
      return false;
    }
    return true;
  }

  /** Names what carries it, and gives it up when the caller does. */
  public void carriedBy(CallHandle by) {
    if (!ended) {
      carrier = by;
    }
  }

  /** For how long its caller waits: no longer than somebody waits for what the caller is doing. */
  public long timeoutNanos() {
    long timeout = timeout().toNanos();
    return call.deadline() == Long.MAX_VALUE ? timeout : Math.min(timeout, call.deadline() - System.nanoTime());
  }

  private Duration timeout() {
    return request.options().timeout().orElse(maker.policy().options().getCallTimeout());
  }

  /** Returns what may be done with the call once it was sent. */
  public Repetition repetition() {
    return Repetition.of(request.readOnly(), isReplicated(), request.options().routingKey().isPresent());
  }

  /** Whether all servers together execute it once at most. */
  private boolean isReplicated() {
    return request.options().replicatedReplies() && request.options().headers().containsKey(CallIdentity.HEADER);
  }

  // What is sent

  @Override
  public CallHead head() {
    return this;
  }

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
  public Optional<CallProtector> protector() {
    if (request.options().token().isPresent()) {
      return Optional.of(new TokenShown(request.options().token().get()));
    }
    CallProtectors protectors = maker.policy().security().protectors();
    return protectors == null || request.options().credentials().isPresent() ? Optional.empty()
        : Optional.ofNullable(protectors.of(program(), version()));
  }

  @Override
  public boolean outdated(AuthStatus status, Credential shown) {
    CallProtectors protectors = maker.policy().security().protectors();
    return protectors != null && request.options().credentials().isEmpty() && protectors.outdated(status, shown);
  }

  @Override
  public byte[] metadata() {
    return tags;
  }

  /** Keeps back a call without its identity, which another server could execute, too. */
  @Override
  public boolean needsMetadata() {
    return isReplicated();
  }

  @Override
  public PayloadStream arguments() {
    return call.arguments();
  }

  @Override
  public List<RpcRequest.PlacedResult> rooms() {
    return request.placedResults();
  }

  @Override
  public ResultBounds bounds() {
    return this;
  }

  @Override
  public int max() {
    return request.replyBound().predictable() ? request.replyBound().bytes()
        : request.options().maxReply().orElse(maker.policy().options().getMaxReply());
  }

  /** Returns 0 for sizes that nobody knows: where large replies are pulled, they take no room. */
  @Override
  public int typical() {
    return request.replyBound().predictable() || request.options().maxReply().isPresent() ? max() : 0;
  }

  // Giving up

  /**
   * From any thread; does its work in a turn of the loop of its own. Whoever cancels is often told of
   * the outcome of another call just then, in the middle of what the machine does with all of them.
   */
  @Override
  public void giveUp() {
    try {
      loop.execute(() -> cancel(System.nanoTime()));
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it whatever it knew of this call. Others have loops of their own.
    }
  }

  private void cancel(long now) {
    cancelled = true;
    // One that has not been made yet will not be.
    if (carrier != null) {
      carrier.cancel(this, now);
    }
  }

  // Its outcome

  @Override
  public void reached(CallStage stage) {
    if (observation != null) {
      observation.reached(stage, maker.now());
    }
  }

  @Override
  public void outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Reply reply) {
      serverTook(reply.serverNanos());
      replied(reply.results());
    } else if (outcome instanceof Outcome.Rejected rejected) {
      serverTook(rejected.serverNanos());
      fail(CallOutcome.rejection(request, rejected.header()));
    } else if (outcome instanceof Outcome.Failed failed) {
      fail(CallOutcome.failure(request, cancelled ? failed.ofCancelled() : failed, maker.connectFailure(), timeout(),
          call.deadline() != Long.MAX_VALUE));
    }
  }

  private void serverTook(long nanos) {
    if (observation != null && nanos != Outcome.UNKNOWN) {
      observation.serverTook(nanos);
    }
  }

  private void replied(XdrReader results) {
    ended();
    CallOutcome.replied(request, promise, maker.context(), results);
    observed();
    release();
    if (call.hasOneAttempt()) {
      // A reply counts only when its call has left, so nothing is left that could send these.
      ArgumentWriter.spent(call.arguments());
    }
  }

  /** Fails the attempt, also one that will not be made. */
  public void fail(Throwable cause) {
    ended();
    release();
    promise.fail(cause);
    observed();
  }

  /** Ends the attempt, of whose outcome nobody has heard yet. */
  private void ended() {
    ended = true;
    carrier = null;
    if (maker != null) {
      maker.callEnded();
    }
    call.forget(this);
  }

  /** Ends the observation when the caller has been told. */
  private void observed() {
    if (observation != null) {
      observation.end(promise.future().succeeded(), maker.now());
    }
  }

  private void release() {
    if (!LentMemory.release(request, call.arguments())) {
      // Nobody's outcome, be it this call's or another's, waits for who has released what is not his.
      LOG.warn("A payload that was lent to a call of " + request.describe() + " has been released once too often");
    }
  }
}
