// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.trace.ClientSpan;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A request whose arguments have been encoded, on the caller's thread: from here on the application may do with its
 * values what it likes. It is made by one {@link Attempt}, or by one after the other, to one server after the other,
 * and belongs to no connection.
 *
 * @param <T> the type of the results
 */
public final class ClientCall<T> {

  private final RpcRequest<T> request;
  private final PayloadStream arguments;
  private final Context caller;
  /** That of its caller; null if that has none. */
  private final CancellationImpl cancellation;
  /** That of the call which it is a part of; null if it is none of any. */
  private final CancellationImpl whole;
  /** Null if there is one attempt alone, which has the timeout of who makes it. */
  private final Duration timeout;
  private final long deadline;

  private ClientCall(RpcRequest<T> request, Context caller, CallInService part, Duration timeout) {
    this.request = request;
    this.arguments = encode(request);
    this.caller = caller;
    this.cancellation = (CancellationImpl) request.options().cancellation().orElse(null);
    this.whole = part == null ? null : part.parts();
    this.timeout = timeout;
    this.deadline = deadline(part == null ? Long.MAX_VALUE : part.deadline(), timeout);
  }

  private static long deadline(long ofPart, Duration timeout) {
    if (timeout == null) {
      return ofPart;
    }
    long own = System.nanoTime() + timeout.toNanos();
    return ofPart == Long.MAX_VALUE || own - ofPart < 0 ? own : ofPart;
  }

  /** The arguments of a request, with those items apart that may be. */
  private static PayloadStream encode(RpcRequest<?> request) {
    PayloadStream arguments = ArgumentWriter.encode(request.arguments());
    checkEligible(request, arguments.items().size());
    return arguments;
  }

  /** Items that the binding does not name must not be reduced (RFC 8166 §3.4.2, R-060). */
  private static void checkEligible(RpcRequest<?> request, int items) {
    if (items > request.eligibleArguments()) {
      throw new RpcEncodingException("The arguments of " + request.describe() + " hold " + items
          + " data items; its binding has " + request.eligibleArguments()
          + " that are DDP-eligible. Write the others as opaque", null);
    }
  }

  private static RpcException notEncoded(RpcRequest<?> request, Throwable cause) {
    return cause instanceof RpcException known ? known : new RpcEncodingException(
        "The arguments of " + request.describe() + " cannot be sent: " + Causes.message(cause), cause);
  }

  private static boolean isCancelled(RpcRequest<?> request) {
    return request.options().cancellation().map(Cancellation::isCancelled).orElse(false);
  }

  // One attempt

  /**
   * Encodes a request and has it made, once.
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
      TracingPolicy policy, SocketAddress peer, Consumer<? super Attempt<T>> maker) {
    Context caller = CallerContext.orElse(fallback);
    VertxTracer<?, ?> tracer = Contexts.tracer(caller);
    if (tracer == null) {
      return make(request, caller, loop, request.options().metadata(), maker);
    }
    return traced(tracer, caller, policy, request, peer,
        metadata -> make(request, caller, loop, metadata, maker));
  }

  private static <T> Future<T> make(RpcRequest<T> request, Context caller, EventLoop loop, Metadata metadata,
      Consumer<? super Attempt<T>> maker) {
    Promise<T> promise = Contexts.promise(caller);
    if (isCancelled(request)) {
      promise.fail(CallOutcome.neverMade(request));
      return promise.future();
    }
    ClientCall<T> call;
    try {
      call = new ClientCall<>(request, caller, CurrentCall.find(), null);
    } catch (Throwable e) {
      promise.fail(notEncoded(request, e));
      return promise.future();
    }
    return call.attempt(promise, loop, metadata, maker);
  }

  private static <T> Future<T> traced(VertxTracer<?, ?> tracer, Context caller, TracingPolicy policy,
      RpcRequest<T> request, SocketAddress peer, Function<Metadata, Future<T>> made) {
    ClientSpan span = ClientSpan.begin(tracer, caller, policy, request, peer);
    Future<T> outcome = made.apply(span.metadata());
    outcome.onComplete(any -> span.end(outcome));
    return outcome;
  }

  private Future<T> attempt(Promise<T> promise, EventLoop loop, Metadata metadata,
      Consumer<? super Attempt<T>> maker) {
    Attempt<T> attempt;
    try {
      attempt = new Attempt<>(this, promise, loop, metadata);
      LentMemory.retain(request, arguments);
    } catch (Throwable e) {
      promise.fail(notEncoded(request, e));
      return promise.future();
    }
    add(attempt);
    try {
      maker.accept(attempt);
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it all that the call could have been made on.
      Future<T> closed = LoopCalls.closed();
      attempt.fail(closed.cause());
      return closed;
    }
    return promise.future();
  }

  // Several attempts

  /**
   * Encodes a request, on the caller's thread, and keeps what its caller has lent until {@link #end}.
   *
   * @param fallback gets the outcome if the caller has no context
   * @param options for the timeout, if the request leaves it open
   * @return what has to be {@linkplain #end ended}
   * @throws RpcException if it cannot be sent, or is cancelled already
   */
  public static <T> ClientCall<T> of(RpcRequest<T> request, Context fallback, RpcOptions<?> options) {
    if (isCancelled(request)) {
      throw CallOutcome.neverMade(request);
    }
    try {
      ClientCall<T> call = new ClientCall<>(request, CallerContext.orElse(fallback), CurrentCall.find(),
          request.options().timeout().orElse(options.getCallTimeout()));
      LentMemory.retain(request, call.arguments);
      return call;
    } catch (Throwable e) {
      throw notEncoded(request, e);
    }
  }

  /**
   * Makes it, by an attempt of its own; not while another one has no outcome.
   *
   * @param loop the event loop that the attempt is made on
   * @param policy whether it has a span, if there is a tracer
   * @param peer who is called, for the span
   * @param maker makes the attempt, or fails it
   * @return the outcome, on whatever thread it becomes known
   */
  public Future<T> attempt(EventLoop loop, TracingPolicy policy, SocketAddress peer,
      Consumer<? super Attempt<T>> maker) {
    VertxTracer<?, ?> tracer = Contexts.tracer(caller);
    if (tracer == null) {
      return attempt(Promise.promise(), loop, request.options().metadata(), maker);
    }
    return traced(tracer, caller, policy, request, peer,
        metadata -> attempt(Promise.promise(), loop, metadata, maker));
  }

  /** Gives back what the caller has lent; once, when there is an outcome. Bytes may be another call's by then. */
  public void end() {
    // If there is less than was lent, the attempt that found so has said it.
    LentMemory.release(request, arguments);
  }

  /** Where the outcome is heard. */
  public Context caller() {
    return caller;
  }

  /** Whether nobody reads the arguments when an attempt has its results: another one would. */
  boolean hasOneAttempt() {
    return timeout == null;
  }

  // What it is

  public RpcRequest<T> request() {
    return request;
  }

  PayloadStream arguments() {
    return arguments;
  }

  /**
   * Until when all attempts together may take: no longer than somebody waits for what the caller is doing. A call with
   * one attempt alone has the timeout of who makes it, too.
   *
   * @return {@link Long#MAX_VALUE} for no end
   */
  public long deadline() {
    return deadline;
  }

  /** How long all attempts together had when it was made. */
  public Duration timeout() {
    return timeout;
  }

  // Cancellation

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
    return cancellation != null && cancellation.isCancelled() || whole != null && whole.isCancelled();
  }
}
