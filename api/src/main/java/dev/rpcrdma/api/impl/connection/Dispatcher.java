// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.impl.call.Backlog;
import dev.rpcrdma.api.impl.call.CurrentCall;
import dev.rpcrdma.api.impl.call.Executions;
import dev.rpcrdma.api.impl.call.SaidOnce;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.api.impl.replies.ReplyEstimate;
import dev.rpcrdma.api.impl.replies.ReplyRoom;
import dev.rpcrdma.protocol.binding.ProgramNames;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.responder.ConnectionListener;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Takes the peer's calls to services. Judging is done on the connection's loop; a service runs on a duplicate
 * of its own context, so that locals never leak between calls, and its results go to the call.
 */
final class Dispatcher implements ConnectionListener {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  /** Procedures whose replies could not be sent. */
  private static final SaidOnce NOT_SENT = new SaidOnce();
  /** Programs whose calls were rejected for a bound. */
  private static final SaidOnce REFUSED = new SaidOnce();
  /** Programs of services whose threads are closed. */
  private static final SaidOnce NO_THREADS = new SaidOnce();
  /** Procedures whose arguments could not be taken. */
  private static final SaidOnce NOT_TAKEN = new SaidOnce();
  /** Procedures that have taken too long. */
  private static final SaidOnce TOO_SLOW = new SaidOnce();

  private final RpcConnectionImpl connection;
  private final ServedPrograms programs;
  private final AccessAuthenticator authenticator;
  private final LongSupplier time;
  /** Calls that are being executed. */
  private final AtomicInteger serving = new AtomicInteger();
  /** For replies that may be long. */
  private final ReplyRoom room;
  private final ReplyRoom.Line line = new ReplyRoom.Line();
  private final Executions.Part executions;
  private final Executions.Part verdicts;
  private final EventLoop loop;
  private final Handler<ServedCall> handle = this::handle;

  /**
   * Creates a dispatcher.
   *
   * @param loop event loop of the connection
   * @param credits credits granted to the peer
   */
  Dispatcher(RpcConnectionImpl connection, EventLoop loop, ServedPrograms programs,
      AccessAuthenticator authenticator, ReplyRoom room, int credits) {
    this.room = room;
    this.executions = connection.policy().executions().part(credits);
    this.verdicts = connection.policy().verdicts().part(credits);
    this.loop = loop;
    this.authenticator = authenticator;
    this.connection = connection;
    this.time = connection::now;
    this.programs = programs;
  }

  /** How many calls are being executed; from any thread. */
  int serving() {
    return serving.get();
  }

  @Override
  public Authenticator authenticator() {
    return authenticator;
  }

  @Override
  public void incoming(IncomingCall call, long now) {
    ProgramTable.Verdict<BoundService.Served> verdict = programs.judge(call.header());
    if (programs.foundSince(call.arrived())
        && authenticator.judgeAgain(call.header(), call.security()) instanceof Verdict.Refused refused) {
      call.reject(new ReplyHeader.AuthError(call.xid(), refused.status()));
    } else if (call.reducedArguments() > eligibleArguments(verdict)) {
      call.reject(garbage(call));
    } else if (verdict instanceof ProgramTable.Serve<BoundService.Served> serve) {
      call.eligibleResults(serve.procedure().eligibleResults());
      // What has been executed is answered by the duplicate request cache.
      if (call.admit(serve.procedure().idempotent(), now)) {
        admit(call, serve, now);
      }
    } else if (verdict instanceof ProgramTable.Refuse<BoundService.Served> refuse) {
      call.reject(refuse.answer());
    }
  }

  @Override
  public Optional<ReplyHeader> refusal(IncomingCall call) {
    ProgramTable.Verdict<BoundService.Served> verdict = programs.judge(call.header());
    if (call.reducedArguments() > eligibleArguments(verdict)) {
      return Optional.of(garbage(call));
    }
    return verdict instanceof ProgramTable.Refuse<BoundService.Served> refuse ? Optional.of(refuse.answer())
        : Optional.empty();
  }

  /** what the binding does not let travel by chunks is not executed, nor is NULL with a chunk (bis §8.1.1). */
  private static int eligibleArguments(ProgramTable.Verdict<BoundService.Served> verdict) {
    if (verdict instanceof ProgramTable.Serve<BoundService.Served> serve) {
      return serve.procedure().eligibleArguments();
    }
    boolean nullProcedure = verdict instanceof ProgramTable.Refuse<BoundService.Served> refuse
        && refuse.answer() instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.SUCCESS;
    return nullProcedure ? 0 : Integer.MAX_VALUE;
  }

  private static ReplyHeader garbage(IncomingCall call) {
    return new ReplyHeader.Accepted(call.xid(), AcceptStatus.GARBAGE_ARGS);
  }

  /** Lets a service have a call as soon as there is room for its reply. */
  private void admit(IncomingCall call, ProgramTable.Serve<BoundService.Served> serve, long now) {
    ReplyEstimate estimate = serve.service().reply(call.header().procedure());
    int expected = estimate == null ? 0 : estimate.expected();
    ReplyRoom.Share share = expected == 0 ? null : room.enter(line, expected, call.deadline());
    if (expected == 0 || share != null) {
      dispatch(call, serve, estimate, share, now);
      return;
    }
    WaitingCall waiting = new WaitingCall(connection, room, line, call, expected,
        later -> dispatchIfServed(call, serve, estimate, later));
    call.watchCaller(waiting);
    room.await(line, waiting);
  }

  /** Hands a call over that has waited for room, unless its service has been unbound meanwhile. */
  private void dispatchIfServed(IncomingCall call, ProgramTable.Serve<BoundService.Served> serve,
      ReplyEstimate estimate, ReplyRoom.Share share) {
    if (programs.judge(call.header()) instanceof ProgramTable.Serve<BoundService.Served> now
        && now.service() == serve.service()) {
      dispatch(call, serve, estimate, share, connection.now());
    } else {
      share.run();
      call.reject(new ReplyHeader.Accepted(call.xid(), AcceptStatus.PROG_UNAVAIL));
    }
  }

  /**
   * Hands a call over to its service, or rejects it if a bound is reached.
   *
   * @param estimate how long the replies of its procedure are; null if they are always short
   * @param share room for its reply; null if that is expected to be short
   */
  private void dispatch(IncomingCall incoming, ProgramTable.Serve<BoundService.Served> serve,
      ReplyEstimate estimate, ReplyRoom.Share share, long now) {
    BoundService.Served service = serve.service();
    Executions.Execution execution = begin(incoming, service, now);
    if (execution == null) {
      if (share != null) {
        share.run();
      }
      incoming.overloaded();
      return;
    }
    Context context = service.contextOfCall(connection.policy().options().isParallelServices());
    ServedCall call = new ServedCall(connection, serve, incoming, context, serving, room, line, estimate, share,
        execution);
    serving.incrementAndGet();
    incoming.watchCaller(call);
    CallMeter meter = connection.policy().meter();
    if (meter != null) {
      call.observe(meter, now, time);
    }
    CurrentCall.set(context, call);
    if (!service.isOn(loop)) {
      call.handOver(now);
    }
    if (!Contexts.tell(context, call, handle)) {
      // The verticle that has bound the service is undeployed, and its worker pool is closed.
      if (NO_THREADS.first(call.describeService())) {
        LOG.warn("Calls of " + call.describeService() + " are not executed: the threads of its service are closed. Said"
            + " once for each program");
      }
      call.notBegun();
    }
  }

  /** Begins the execution of a call; returns null if a bound is reached. */
  private Executions.Execution begin(IncomingCall call, BoundService.Served service, long now) {
    if (service.isControl()) {
      // Announcements are answered at once, and a client connects with one.
      return call.header().procedure() == ControlProcedures.EXCHANGE ? begin(verdicts, service, now)
          : Executions.UNBOUNDED;
    }
    Backlog backlog = service.backlog();
    if (!backlog.takes(connection.policy().options().getMaxCallsPerService(), call.deadline() - now)) {
      refused(service, "Its service has not begun with " + backlog.waiting()
          + " others, which are more than maxCallsPerService or more than it can do in time");
      return null;
    }
    return begin(executions, service, now);
  }

  private Executions.Execution begin(Executions.Part part, BoundService.Served service, long now) {
    Executions.Execution execution = part.begin(now);
    if (execution == null) {
      refused(service, "Services have " + part.here() + " calls of " + connection.remoteAddress() + ", and "
          + part.inAll() + " in all, that they have not answered (maxExecutions)");
    }
    return execution;
  }

  private static void refused(BoundService.Served service, String why) {
    String program = service.service().binding().describe();
    if (REFUSED.first(program)) {
      LOG.warn("Calls of " + program + " are not executed, and their callers hear it: " + why
          + ". Said once for each program");
    }
  }

  private void handle(ServedCall call) {
    call.begin();
    call.serve(connection.tracingPolicy());
  }

  @Override
  public void encodingFailed(IncomingCall call, Throwable cause) {
    LOG.warn("The results of " + describe(call) + " cannot be encoded; its caller, "
        + connection.remoteAddress() + ", gets SYSTEM_ERR", cause);
  }

  @Override
  public void replyRefused(IncomingCall call, String reason) {
    String procedure = describe(call);
    if (NOT_SENT.first(procedure)) {
      LOG.warn(procedure + " was executed for " + connection.remoteAddress() + ", and its reply cannot be sent: "
          + reason + ". Said once for each procedure");
    }
  }

  @Override
  public void argumentsRefused(IncomingCall call, String reason) {
    String procedure = describe(call);
    if (NOT_TAKEN.first(procedure)) {
      LOG.warn(procedure + " of " + connection.remoteAddress() + " was not executed: " + reason
          + ". Said once for each procedure");
    }
  }

  @Override
  public void serviceTimedOut(IncomingCall call) {
    String procedure = describe(call);
    if (TOO_SLOW.first(procedure)) {
      LOG.warn(procedure + " has not answered " + connection.remoteAddress() + " within serviceTimeout, and its caller"
          + " gets SYSTEM_ERR; the service goes on. Said once for each procedure");
    }
  }

  @Override
  public void peerLeaves() {
    connection.peerLeaves();
  }

  private String describe(IncomingCall call) {
    if (call.header() == null) {
      return "A call";
    }
    return programs.judge(call.header()) instanceof ProgramTable.Serve<BoundService.Served> serve
        ? serve.service().service().binding().describe(call.header().procedure())
        : ProgramNames.procedure(ProgramNames.number(call.header().program()), call.header().program(),
            call.header().version(), Integer.toUnsignedString(call.header().procedure()), call.header().procedure());
  }
}
