// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.impl.trace.ServerSpan;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A call from when its service gets it until it is answered, or nobody waits for it any more, whatever has brought it.
 * What has brought it is told of the service's outcome, whether or not somebody still waits.
 */
public abstract class CallBeingServed implements CallInService {

  private static final Logger LOG = LoggerFactory.getLogger(CallBeingServed.class);
  /** Procedures whose arguments could not be decoded. */
  private static final SaidOnce NOT_DECODED = new SaidOnce();

  private static final Future<Object> ABANDONED =
      Future.failedFuture(new RpcCancelledException("Nobody waits for the call any more", true));

  private final RpcService service;
  private final Context context;
  /** Null until somebody asks for them. */
  private Map<String, Object> attributes;
  /** Null if there is none. */
  private ServerSpan span;
  /** Guarded by this: null until somebody wants to hear. */
  private Handler<Void> abandonHandler;
  /** Context of the handler. Guarded by this. */
  private Context abandonContext;
  /** Guarded by this: null until there is one. */
  private CancellationImpl parts;
  /** Guarded by this: answered, or abandoned. */
  private boolean over;
  /** Guarded by this. */
  private boolean abandoned;
  private volatile boolean answered;

  /**
   * A call that is about to be served.
   *
   * @param service with what stands around it
   * @param context of which nobody else has a part
   */
  protected CallBeingServed(RpcService service, Context context) {
    this.service = service;
    this.context = context;
  }

  // What has brought it says

  /** Its head. */
  protected abstract CallHeader header();

  /** What came beside its arguments. */
  protected abstract Metadata metadata();

  /** Where it came from, for spans; null if nobody can say. */
  protected abstract SocketAddress origin();

  /** Who calls, for messages. */
  protected abstract String caller();

  /** Until when somebody waits for it, as a time of {@link System#nanoTime}. */
  protected abstract long waitedFor();

  // What has brought it hears

  /** It has come to its end, which is told of once: by its service, or since nobody waits any more. */
  protected void ended(boolean success) {}

  /** Called when the service has answered, also to an abandoned call, or will never execute the call. */
  protected void executed() {}

  /** The service has succeeded; on its context. */
  protected abstract void reply(XdrEncoder results);

  /** The service has failed; on its context. */
  protected abstract void fail(AcceptStatus status);

  /** The call is refused for who makes it; on the service's context. */
  protected abstract void refuse(AuthStatus status);

  /** Nobody waits for the call, and its service never gets it; on the service's context. */
  protected abstract void drop();

  // Serving

  /** What is called, for messages. */
  protected final String describe() {
    return service.binding().describe(procedure());
  }

  protected final RpcService service() {
    return service;
  }

  protected final Context context() {
    return context;
  }

  /**
   * Lets the service execute the call, on the call's context. The context may have been busy for long: a call whose
   * caller has gone meanwhile is dropped. {@link CallInService#begin} asks again behind each further queue.
   * The clock is read for each call: another service of the same batch may have kept the loop busy.
   */
  public final void serve(TracingPolicy policy) {
    if (callerGone()) {
      neverServe();
      return;
    }
    VertxTracer<?, ?> tracer = Contexts.tracer(context);
    if (tracer != null) {
      span = ServerSpan.begin(tracer, context, policy, service.binding(), header(), metadata(), origin());
    }
    Future<XdrEncoder> results;
    try {
      results = service.handle(this);
      if (results == null) {
        results = Future.failedFuture(new NullPointerException("The service returned no Future"));
      }
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: its caller need not wait for the service's time.
      results = Future.failedFuture(e);
    }
    if (results.isComplete()) {
      handled(results);
    } else {
      results.onComplete(this::handled);
    }
  }

  /** Drops a call that the service will never execute. */
  protected final void neverServe() {
    abandon();
    executed();
    drop();
  }

  private void handled(AsyncResult<XdrEncoder> result) {
    if (result.cause() == NEVER_BEGUN) {
      neverServe();
      return;
    }
    executed();
    if (end(false)) {
      endSpan(result);
      ended(result.succeeded());
    }
    // What its service calls from now on is no part of it.
    answered = true;
    if (result.succeeded()) {
      reply(result.result());
    } else {
      failed(result.cause());
    }
  }

  /** It comes to no results, for that reason. */
  protected final void failed(Throwable cause) {
    if (cause instanceof RpcStatusException) {
      // Its text does not cross.
      LOG.info(describe() + " is refused to " + caller() + ": " + Causes.message(cause));
    }
    if (cause instanceof RpcStatusException refusal && refusal.authStatus().isPresent()) {
      refuse(refusal.authStatus().get());
    } else {
      fail(status(cause));
    }
  }

  private AcceptStatus status(Throwable cause) {
    if (cause instanceof XdrException) {
      String procedure = describe();
      if (NOT_DECODED.first(procedure)) {
        LOG.warn("The arguments of " + procedure + " cannot be decoded: " + Causes.message(cause) + ". Its caller, "
            + caller() + ", gets GARBAGE_ARGS; do both ends have the same version of the interface? Said once for"
            + " each procedure");
      }
      return AcceptStatus.GARBAGE_ARGS;
    }
    if (cause instanceof RpcStatusException status && status.status().isPresent()) {
      return status.status().get();
    }
    // The cause does not cross, so this is the only place where it can be seen.
    LOG.warn(describe() + " has failed, called by " + caller() + ", which gets SYSTEM_ERR", cause);
    return AcceptStatus.SYSTEM_ERR;
  }

  private void endSpan(AsyncResult<?> result) {
    if (span != null) {
      span.end(result.result(), result.cause());
    }
  }

  /** Of the service's answer and the end of all waiting, whichever comes first. */
  private synchronized boolean end(boolean unanswered) {
    boolean first = !over;
    over = true;
    abandoned |= first && unanswered;
    return first;
  }

  /**
   * Nobody waits any more; from any thread.
   *
   * @return false if it had come to its end before
   */
  protected final boolean abandon() {
    if (!end(true)) {
      return false;
    }
    ended(false);
    if (span != null && !Contexts.tell(context, ABANDONED, this::endSpan)) {
      endSpan(ABANDONED);
    }
    Handler<Void> handler;
    Context own;
    CancellationImpl inVain;
    synchronized (this) {
      handler = abandonHandler;
      own = abandonContext;
      inVain = parts;
    }
    if (inVain != null) {
      inVain.cancel();
    }
    if (handler != null) {
      Contexts.tell(own, null, handler);
    }
    return true;
  }

  @Override
  public final synchronized boolean abandoned() {
    return abandoned;
  }

  @Override
  public final boolean callerGone() {
    return abandoned() || waitedFor() - System.nanoTime() <= 0;
  }

  // What the service sees

  @Override
  public final RpcCall abandonHandler(Handler<Void> handler) {
    // The methods of an object run on the context that made the object.
    Context own = CurrentCall.find() == this ? Vertx.currentContext() : context;
    boolean late;
    synchronized (this) {
      abandonHandler = handler;
      abandonContext = own;
      late = abandoned;
    }
    if (late && handler != null) {
      Contexts.tell(own, null, handler);
    }
    return this;
  }

  @Override
  public final synchronized CancellationImpl parts() {
    if (answered) {
      return null;
    }
    if (parts == null) {
      parts = new CancellationImpl();
      if (abandoned) {
        parts.cancel();
      }
    }
    return parts;
  }

  @Override
  public final long deadline() {
    return answered ? Long.MAX_VALUE : waitedFor();
  }

  @Override
  public final long millisLeft() {
    return TimeUnit.NANOSECONDS.toMillis(waitedFor() - System.nanoTime());
  }

  @Override
  public final Map<String, Object> attributes() {
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    return attributes;
  }

  @Override
  public Map<String, String> headers() {
    return metadata().headers();
  }

  @Override
  public final OpaqueAuth credentials() {
    return header().credential();
  }

  @Override
  public final int xid() {
    return header().xid();
  }

  @Override
  public final int program() {
    return header().program();
  }

  @Override
  public final int version() {
    return header().version();
  }

  @Override
  public final int procedure() {
    return header().procedure();
  }
}
