// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.trace.ClientSpan;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A request that may be made as one call after the other, to one server after the other. All that belongs to the
 * caller's thread has been taken there: its arguments are encoded once, and what it lent is kept until {@link #end},
 * so that the application may do with its values what it likes.
 *
 * @param <T> the type of the results
 */
public final class PreparedCall<T> {

  private final RpcRequest<T> request;
  private final PayloadStream arguments;
  private final Context caller;
  private final CancellationImpl cancellation;
  private final CancellationImpl whole;
  private final Duration timeout;
  private final long deadline;

  private PreparedCall(RpcRequest<T> request, PayloadStream arguments, Context caller, CallInService part,
      Duration timeout) {
    this.request = request;
    this.arguments = arguments;
    this.caller = caller;
    this.cancellation = (CancellationImpl) request.options().cancellation().orElse(null);
    this.whole = part == null ? null : part.parts();
    this.timeout = timeout;
    long now = System.nanoTime();
    long own = now + timeout.toNanos();
    long ofPart = part == null ? Long.MAX_VALUE : part.deadline();
    this.deadline = ofPart == Long.MAX_VALUE || own - ofPart < 0 ? own : ofPart;
    LentMemory.retain(request, arguments);
  }

  /**
   * Encodes a request, on the caller's thread.
   *
   * @param fallback gets the outcome if the caller has no context
   * @param options for the timeout, if the request leaves it open
   * @return what has to be {@linkplain #end ended}
   * @throws RpcException if it cannot be sent, or is cancelled already
   */
  public static <T> PreparedCall<T> of(RpcRequest<T> request, Context fallback, RpcOptions<?> options) {
    if (request.options().cancellation().map(Cancellation::isCancelled).orElse(false)) {
      throw CallOutcome.neverMade(request);
    }
    try {
      return new PreparedCall<>(request, EncodedCall.encode(request), CallerContext.orElse(fallback),
          CurrentCall.find(), request.options().timeout().orElse(options.getCallTimeout()));
    } catch (Throwable e) {
      throw EncodedCall.notEncoded(request, e);
    }
  }

  public RpcRequest<T> request() {
    return request;
  }

  /** Where the outcome is heard. */
  public Context caller() {
    return caller;
  }

  /** Until when all attempts together may take. */
  public long deadline() {
    return deadline;
  }

  /** How long that was when it was made. */
  public Duration timeout() {
    return timeout;
  }

  /** Has something given up when this call is, which has to be {@linkplain #forget forgotten}. */
  public void add(Cancellable waiting) {
    if (cancellation != null) {
      cancellation.add(waiting);
    }
    if (whole != null) {
      whole.add(waiting);
    }
  }

  /** Takes back what {@link #add} did. */
  public void forget(Cancellable waiting) {
    if (cancellation != null) {
      cancellation.remove(waiting);
    }
    if (whole != null) {
      whole.remove(waiting);
    }
  }

  public boolean isCancelled() {
    return CancellableCall.isCancelled(cancellation) || CancellableCall.isCancelled(whole);
  }

  /**
   * Makes it as a call of its own; not while another one has no outcome.
   *
   * @param loop the event loop that the call is made on
   * @param policy whether it has a span, if there is a tracer
   * @param peer who is called, for the span
   * @param maker makes the call, or fails it
   * @return the outcome, on whatever thread it becomes known
   */
  public Future<T> make(EventLoop loop, TracingPolicy policy, SocketAddress peer,
      Consumer<? super EncodedCall<T>> maker) {
    VertxTracer<?, ?> tracer = Contexts.tracer(caller);
    if (tracer == null) {
      return make(loop, request.options().metadata(), maker);
    }
    ClientSpan span = ClientSpan.begin(tracer, caller, policy, request, peer);
    Future<T> outcome = make(loop, span.metadata(), maker);
    outcome.onComplete(any -> span.end(outcome));
    return outcome;
  }

  private Future<T> make(EventLoop loop, Metadata metadata, Consumer<? super EncodedCall<T>> maker) {
    Promise<T> promise = Promise.promise();
    EncodedCall<T> call;
    try {
      EncodedCall.Source<T> source = new EncodedCall.Source<>(request, arguments, metadata, deadline, false);
      call = cancellation == null && whole == null ? new EncodedCall<>(source, promise)
          : CancellableCall.begin(source, promise, cancellation, whole, loop);
    } catch (Throwable e) {
      promise.fail(EncodedCall.notEncoded(request, e));
      return promise.future();
    }
    return EncodedCall.given(call, promise, maker);
  }

  /** Gives back what the caller has lent; once, when there is an outcome. Bytes may be another call's by then. */
  public void end() {
    // If there is less than was lent, the attempt that found so has said it.
    LentMemory.release(request, arguments);
  }
}
