// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.transport;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.impl.call.Attempt;
import dev.rpcrdma.api.impl.call.CallMaker;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.call.Interceptors;
import dev.rpcrdma.api.spi.CallTransport;
import dev.rpcrdma.api.spi.TransportCaller;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes calls from any thread to its loop, and has them carried from there. All else happens on the loop. */
public final class TransportCallerImpl implements TransportCaller, CallMaker {

  private final Context context;
  private final CallTransport transport;
  private final CallPolicy policy;
  private final RpcCaller caller;
  private final int maxCalls;
  /** Those that were made and have no outcome. */
  private final AtomicInteger calls = new AtomicInteger();
  /** Those of them that were given to the transport. */
  private final Set<TransportCall> carried = new LinkedHashSet<>();
  private final Promise<Void> drained = Promise.promise();
  private int nextXid = ThreadLocalRandom.current().nextInt();
  private volatile boolean closed;

  /** See {@link TransportCaller#create}. */
  public TransportCallerImpl(Vertx vertx, CallTransport transport, TransportOptions options) {
    // Of no verticle: with its end the event bus would forget who waits for replies.
    this.context = Contexts.newOn(vertx, Contexts.eventLoop(vertx.getOrCreateContext()));
    this.transport = transport;
    this.maxCalls = options.maxCalls();
    this.policy = CallPolicy.of(new RpcClientOptions().setCallTimeout(options.timeout())
        .setCredentials(options.credentials()).setTracingPolicy(options.tracing()));
    this.caller = policy.caller(context, () -> null, this::made);
  }

  @Override
  public RpcCaller behind(List<CallInterceptor> interceptors) {
    return new Interceptors(interceptors, List.of()).around(this);
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return caller.call(request);
  }

  private void made(Attempt<?> call) {
    if (calls.incrementAndGet() > maxCalls) {
      calls.decrementAndGet();
      call.fail(new RpcResourceException(call.request().describe() + ": " + maxCalls
          + " calls have no outcome, and maxCalls allows no more", null));
      return;
    }
    try {
      Contexts.emit(context, call, this::begin);
    } catch (RejectedExecutionException e) {
      calls.decrementAndGet();
      throw e;
    }
  }

  private static RpcClosedException closedFailure(Attempt<?> call, boolean sent) {
    return new RpcClosedException(call.request().describe() + ": What carries the call is closed", sent);
  }

  private void begin(Attempt<?> call) {
    if (!call.begin(this)) {
      return;
    }
    if (closed) {
      call.fail(closedFailure(call, false));
      return;
    }
    TransportCall given = new TransportCall(this, call, nextXid++);
    call.carriedBy(given);
    carried.add(given);
    given.begin();
    try {
      transport.carry(given);
    } catch (Throwable e) {
      given.failed(new RpcTransportException(call.request().describe() + " cannot be carried: " + Causes.text(e),
          given.sent()));
    }
  }

  /** A call has its outcome, which nobody has heard yet; on the loop. */
  void ended(TransportCall call) {
    carried.remove(call);
    if (closed && carried.isEmpty()) {
      drained.tryComplete();
    }
  }

  void tellGivenUp(TransportCall call) {
    transport.givenUp(call);
  }

  @Override
  public Future<Void> close(Duration drain) {
    closed = true;
    try {
      Contexts.emit(context, null, closing -> {
        if (carried.isEmpty()) {
          drained.tryComplete();
        } else {
          Contexts.setTimer(context, Math.max(1, drain.toMillis()), late -> List.copyOf(carried)
              .forEach(call -> call.close(closedFailure(call.attempt(), call.sent()))));
        }
      });
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it all that has called.
      drained.tryComplete();
    }
    return drained.future();
  }

  @Override
  public int calls() {
    return calls.get();
  }

  @Override
  public void callEnded() {
    calls.decrementAndGet();
  }

  @Override
  public CallPolicy policy() {
    return policy;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public Throwable connectFailure() {
    return null;
  }
}
