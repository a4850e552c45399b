// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.impl.call.CallBeingServed;
import dev.rpcrdma.api.impl.call.Executions;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.api.impl.metrics.ServiceObservation;
import dev.rpcrdma.api.impl.replies.ReplyEstimate;
import dev.rpcrdma.api.impl.replies.ReplyRoom;
import dev.rpcrdma.api.impl.security.Users;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.responder.CallerWatch;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Context;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * A call that a connection has brought. Run when nobody waits for it any more, on the connection's loop; encodes its
 * results there.
 */
final class ServedCall extends CallBeingServed implements CallerWatch, XdrEncoder {

  private final RpcConnection connection;
  private final ProgramTable.Serve<BoundService.Served> serve;
  private final IncomingCall call;
  /** Counts those that are being executed, this one too. */
  private final AtomicInteger serving;
  private final ReplyRoom room;
  private final ReplyRoom.Line line;
  /** Null if its reply is short whatever it is. */
  private final ReplyEstimate estimate;
  /** Null if its reply is expected to be short. */
  private final ReplyRoom.Share share;
  private final Executions.Execution execution;
  /** What is to be counted; null before the service has answered. */
  private XdrEncoder results;
  /** Null until somebody asks for it. */
  private Metadata metadata;
  /** Null if nobody watches. */
  private ServiceObservation observation;
  /** Time in nanoseconds at which the call was handed over to another thread. */
  private long handedOver;
  /** Number of calls that waited for the service then; -1 if this thread executes the call. */
  private int ahead = -1;

  ServedCall(RpcConnection connection, ProgramTable.Serve<BoundService.Served> serve, IncomingCall call,
      Context context, AtomicInteger serving, ReplyRoom room, ReplyRoom.Line line, ReplyEstimate estimate,
      ReplyRoom.Share share, Executions.Execution execution) {
    super(serve.service().service(), context);
    this.connection = connection;
    this.serve = serve;
    this.call = call;
    this.serving = serving;
    this.room = room;
    this.line = line;
    this.estimate = estimate;
    this.share = share;
    this.execution = execution;
    if (share != null) {
      call.whenReleased(share);
    }
  }

  /** On the connection's loop. */
  void observe(CallMeter meter, long now, LongSupplier time) {
    observation = meter.serve(service().binding(), serve.procedure(), call.arrived(), now, time);
  }

  /** Called before the call is handed over to another thread. */
  void handOver(long now) {
    handedOver = now;
    ahead = serve.service().backlog().add(now);
  }

  /** Called when the service begins to execute the call. */
  void begin() {
    if (ahead >= 0) {
      serve.service().backlog().begin(ahead, handedOver, System.nanoTime());
    }
  }

  /** Drops a call that could not be handed over. */
  void notBegun() {
    if (ahead >= 0) {
      serve.service().backlog().remove();
    }
    neverServe();
  }

  /** Returns the program for messages. */
  String describeService() {
    return service().binding().describe();
  }

  /** Nobody waits any more. */
  @Override
  public void gone() {
    if (abandon()) {
      execution.leave(System.nanoTime());
    }
  }

  /** Called when the connection is lost. The execution counts as abandoned, since the caller may never reconnect. */
  @Override
  public void lost() {
    execution.leave(System.nanoTime());
  }

  @Override
  protected void executed() {
    execution.end();
  }

  @Override
  protected void ended(boolean success) {
    serving.decrementAndGet();
    if (observation != null) {
      observation.end(success);
    }
  }

  @Override
  protected void reply(XdrEncoder made) {
    if (estimate == null) {
      call.reply(made);
    } else {
      results = made;
      call.reply(this);
    }
  }

  /** Encodes what the service has answered to a call whose replies may be long, and counts it. */
  @Override
  public void encode(XdrWriter writer) {
    results.encode(writer);
    int taken = (int) Math.min(writer.memory(), Integer.MAX_VALUE);
    estimate.made(taken);
    if (share != null) {
      share.made(taken);
    } else if (taken >= ReplyEstimate.LEAST) {
      call.whenReleased(room.take(line, taken));
    }
  }

  @Override
  protected void fail(AcceptStatus status) {
    call.fail(status);
  }

  @Override
  protected void refuse(AuthStatus status) {
    call.reject(new ReplyHeader.AuthError(xid(), status));
  }

  /** Nothing is remembered of it: who comes again with it, if anybody does, is the first. */
  @Override
  protected void drop() {
    call.reject(new ReplyHeader.Accepted(xid(), AcceptStatus.SYSTEM_ERR));
  }

  @Override
  protected CallHeader header() {
    return call.header();
  }

  @Override
  protected Metadata metadata() {
    if (metadata == null) {
      metadata = call.metadata().length == 0 ? Metadata.NONE : Metadata.decode(call.metadata());
    }
    return metadata;
  }

  @Override
  protected SocketAddress origin() {
    return connection.remoteAddress();
  }

  @Override
  protected String caller() {
    return String.valueOf(connection.remoteAddress());
  }

  @Override
  protected long waitedFor() {
    return call.deadline();
  }

  @Override
  public RpcConnection connection() {
    return connection;
  }

  @Override
  public Optional<RpcUser> user() {
    return Users.of(call.security(), call.header().credential(), connection.peerCertificates());
  }

  @Override
  public XdrReader arguments() {
    return call.arguments();
  }
}
