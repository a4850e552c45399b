package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.api.impl.call.CancellationImpl;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.api.impl.metrics.ServiceObservation;
import dev.rpcrdma.api.impl.security.Users;
import dev.rpcrdma.api.impl.trace.ServerSpan;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What a service sees of a call. Run when nobody waits for it any more, on the connection's loop. */
final class ServedCall implements CallInService, Runnable {

  private static final Future<Object> ABANDONED =
      Future.failedFuture(new RpcCancelledException("Nobody waits for the call any more", true));

  private final RpcConnection connection;
  private final ProgramTable.Serve<BoundService.Served> serve;
  private final IncomingCall call;
  private final ContextInternal context;
  /** Null until somebody asks for it. */
  private Metadata metadata;
  /** Null until somebody asks for them. */
  private Map<String, Object> attributes;
  /** Null if there is none. */
  private ServerSpan span;
  /** Null if nobody watches. */
  private ServiceObservation observation;
  /** Guarded by this: null until somebody wants to hear. */
  private Handler<Void> abandonHandler;
  /** Guarded by this: null until there is one. */
  private CancellationImpl parts;
  /** Guarded by this: answered, or abandoned. */
  private boolean over;
  /** Guarded by this. */
  private boolean abandoned;
  private volatile boolean answered;

  ServedCall(RpcConnection connection, ProgramTable.Serve<BoundService.Served> serve, IncomingCall call,
      ContextInternal context) {
    this.connection = connection;
    this.serve = serve;
    this.call = call;
    this.context = context;
  }

  RpcService service() {
    return serve.service().service();
  }

  /** What is called, for messages. */
  String describe() {
    return service().binding().describe(procedure());
  }

  /** Who calls, for messages. */
  String caller() {
    return String.valueOf(connection.remoteAddress());
  }

  /** On the connection's loop. */
  void observe(CallMeter meter, long now, LongSupplier time) {
    observation = meter.serve(service().binding(), serve.procedure(), call.arrived(), now, time);
  }

  /** On the context that is about to serve it. */
  void beginSpan(TracingPolicy policy) {
    VertxTracer<?, ?> tracer = context.tracer();
    if (tracer != null) {
      span = ServerSpan.begin(tracer, context, policy, service().binding(), call.header(), metadata(),
          connection.remoteAddress());
    }
  }

  /** The service has answered; on the context that serves it. */
  void served(AsyncResult<?> result) {
    if (end(false)) {
      endSpan(result);
      observed(result.succeeded());
    }
  }

  private void endSpan(AsyncResult<?> result) {
    if (span != null) {
      span.end(result.result(), result.cause());
    }
  }

  private void observed(boolean success) {
    if (observation != null) {
      observation.end(success);
    }
  }

  /** Of the service's answer and the end of all waiting, whichever comes first. */
  private synchronized boolean end(boolean unanswered) {
    boolean first = !over;
    over = true;
    abandoned |= first && unanswered;
    return first;
  }

  /** Nobody waits any more. */
  @Override
  public void run() {
    if (!end(true)) {
      return;
    }
    observed(false);
    if (span != null) {
      context.execute(ABANDONED, this::endSpan);
    }
    Handler<Void> handler;
    CancellationImpl inVain;
    synchronized (this) {
      handler = abandonHandler;
      inVain = parts;
    }
    if (inVain != null) {
      inVain.cancel();
    }
    if (handler != null) {
      context.emit(null, handler);
    }
  }

  @Override
  public RpcCall abandonHandler(Handler<Void> handler) {
    boolean late;
    synchronized (this) {
      abandonHandler = handler;
      late = abandoned;
    }
    if (late && handler != null) {
      context.emit(null, handler);
    }
    return this;
  }

  @Override
  public synchronized CancellationImpl parts() {
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

  private Metadata metadata() {
    if (metadata == null) {
      metadata = call.metadata().length == 0 ? Metadata.NONE : Metadata.decode(call.metadata());
    }
    return metadata;
  }

  /** The call, which is about to be answered: what its service calls from now on is no part of it. */
  IncomingCall answering() {
    answered = true;
    return call;
  }

  @Override
  public long deadline() {
    return answered ? Long.MAX_VALUE : call.deadline();
  }

  @Override
  public RpcConnection connection() {
    return connection;
  }

  @Override
  public OpaqueAuth credentials() {
    return call.header().credential();
  }

  @Override
  public Optional<RpcUser> user() {
    return Users.of(call.security(), call.header().credential(), connection.peerCertificates());
  }

  @Override
  public Map<String, Object> attributes() {
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    return attributes;
  }

  @Override
  public int xid() {
    return call.xid();
  }

  @Override
  public int program() {
    return call.header().program();
  }

  @Override
  public int version() {
    return call.header().version();
  }

  @Override
  public int procedure() {
    return call.header().procedure();
  }

  @Override
  public XdrReader arguments() {
    return call.arguments();
  }

  @Override
  public Map<String, String> headers() {
    return metadata().headers();
  }

  @Override
  public long millisLeft() {
    return TimeUnit.NANOSECONDS.toMillis(call.deadline() - System.nanoTime());
  }
}
