package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.api.impl.trace.ServerSpan;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.AsyncResult;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a service sees of a call. */
final class ServedCall implements CallInService {

  private final RpcConnection connection;
  private final ProgramTable.Serve<BoundService.Served> serve;
  private final IncomingCall call;
  /** Null until somebody asks for it. */
  private Metadata metadata;
  /** Null if there is none. */
  private ServerSpan span;
  private volatile boolean answered;

  ServedCall(RpcConnection connection, ProgramTable.Serve<BoundService.Served> serve, IncomingCall call) {
    this.connection = connection;
    this.serve = serve;
    this.call = call;
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

  /** On the context that is about to serve it. */
  void beginSpan(TracingPolicy policy) {
    ContextInternal context = ContextInternal.current();
    VertxTracer<?, ?> tracer = context.tracer();
    if (tracer != null) {
      span = ServerSpan.begin(tracer, context, policy, service().binding(), call.header(), metadata());
    }
  }

  /** On the context that serves it. */
  void endSpan(AsyncResult<?> result) {
    if (span != null) {
      span.end(result.result(), result.cause());
    }
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
