// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.transport;

import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.impl.call.CurrentCall;
import dev.rpcrdma.api.impl.call.Executions;
import dev.rpcrdma.api.impl.call.Interceptors;
import dev.rpcrdma.api.spi.IncomingCall;
import dev.rpcrdma.api.spi.ServiceHost;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.tracing.TracingPolicy;
import java.util.ArrayList;
import java.util.List;

/** Judges calls on its loop, and has them served on duplicates of the context of the services. */
public final class ServiceHostImpl implements ServiceHost {

  private static final Runnable NOTHING = () -> { };

  private final Context context;
  private final Context loop;
  private final TransportOptions options;
  private final ProgramTable<RpcService> programs = new ProgramTable<>();
  private final Executions.Part executions;
  private final List<Promise<Void>> waiting = new ArrayList<>();
  /** Changed on the loop, read anywhere. */
  private volatile int calls;

  /** See {@link ServiceHost#create}. */
  public ServiceHostImpl(Vertx vertx, List<RpcService> services, List<ServiceInterceptor> interceptors,
      TransportOptions options) {
    this.context = Contexts.unwrap(vertx.getOrCreateContext());
    CurrentCall.check(context);
    this.loop = Contexts.newOn(vertx, Contexts.eventLoop(context));
    this.options = options;
    this.executions = new Executions(options.maxCalls(), options.timeout().toNanos()).part(options.maxCalls());
    Interceptors guards = new Interceptors(List.of(), interceptors);
    services.forEach(service -> programs.add(service.binding(), guards.around(service)));
  }

  @Override
  public Context context() {
    return loop;
  }

  @Override
  public Runnable serve(IncomingCall call) {
    ProgramTable.Verdict<RpcService> verdict = programs.judge(call.header());
    if (verdict instanceof ProgramTable.Refuse<RpcService> refuse) {
      call.reject(refuse.answer());
      return NOTHING;
    }
    if (call.nanosLeft() <= 0) {
      // Nobody waits for it any more.
      call.reject(new ReplyHeader.Accepted(call.header().xid(), AcceptStatus.SYSTEM_ERR));
      return NOTHING;
    }
    long now = System.nanoTime();
    Executions.Execution execution = executions.begin(now);
    if (execution == null) {
      call.tooMany(options.maxCalls());
      return NOTHING;
    }
    changeCalls(1);
    RpcService service = ((ProgramTable.Serve<RpcService>) verdict).service();
    long nanos = Math.min(options.timeout().toNanos(), call.nanosLeft());
    HostedCall hosted = new HostedCall(this, service, call, Contexts.duplicate(context), execution, now + nanos);
    hosted.begin();
    return hosted::giveUp;
  }

  /** On the loop, which alone changes it. */
  private void changeCalls(int by) {
    calls = calls + by;
  }

  /** A call has been answered; on the loop. */
  void ended() {
    changeCalls(-1);
    if (calls == 0) {
      List.copyOf(waiting).forEach(Promise::complete);
      waiting.clear();
    }
  }

  TracingPolicy tracingPolicy() {
    return options.tracing();
  }

  @Override
  public int calls() {
    return calls;
  }

  @Override
  public Future<Void> idle() {
    Promise<Void> promise = Contexts.promise(loop);
    Contexts.emit(loop, null, asked -> {
      if (calls == 0) {
        promise.complete();
      } else {
        waiting.add(promise);
      }
    });
    return promise.future();
  }
}
