// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.impl.call.Attempt;
import dev.rpcrdma.api.impl.call.CallMaker;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.loop.LoopDeadlines;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.session.ChannelMachine;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.session.Line;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The shell of a channel's machine: takes calls from any thread to its loop. All else happens on the loop. */
public final class CallChannel implements CallMaker {

  private final Context context;
  private final EventLoop loop;
  private final CallPolicy policy;
  private final ChannelMachine machine;
  private final WriteQueue queue;
  /** The one that is up; null if none is. */
  private RpcConnectionImpl connection;
  private Throwable lastFailure;

  /**
   * Creates one without a connection.
   *
   * @param policy how its calls are made
   * @param connect is run when a connection is wanted
   * @param elsewhere whether there are other peers that calls can go to
   */
  public CallChannel(Context context, CallPolicy policy, ChannelSettings settings, Runnable connect,
      BooleanSupplier elsewhere) {
    this.context = context;
    this.loop = Contexts.eventLoop(context);
    this.policy = policy;
    // Full before it refuses any: there may be calls that nobody has asked about.
    RpcOptions<?> options = policy.options();
    this.queue = new WriteQueue(context, options.getForwardCredits() + options.getMaxQueuedCalls() / 2);
    this.machine = new ChannelMachine(settings, connect, LoopDeadlines.of(loop), new Random(), elsewhere);
  }

  /** What the peer has shown of itself is to be told to this, before {@link #up}. */
  public ChannelMachine machine() {
    return machine;
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
  public Throwable connectFailure() {
    return lastFailure;
  }

  /** Makes a call; from any thread. */
  public void call(Attempt<?> call) {
    queue.added();
    LoopCalls.run(loop, CallChannel::callOnLoop, this, call);
  }

  @Override
  public void callEnded() {
    queue.ended();
  }

  public WriteQueue queue() {
    return queue;
  }

  private void callOnLoop(Attempt<?> call) {
    if (call.begin(this)) {
      call.carriedBy(machine.call(call, call.repetition(), now() + call.timeoutNanos()));
    }
  }

  /** That of the connection while one is up. */
  @Override
  public long now() {
    return connection == null ? System.nanoTime() : connection.now();
  }

  public void connect() {
    machine.connect();
  }

  public void keepConnected(boolean kept) {
    machine.keepConnected(kept);
  }

  /** A connection as the machine sees it. */
  private record ConnectionLine(RpcConnectionImpl connection) implements Line {

    @Override
    public void call(OutboundCall call, long deadline) {
      connection.call(call, deadline);
    }

    @Override
    public boolean takes(CallHead head) {
      return connection.takes(head);
    }
  }

  public void up(RpcConnectionImpl made) {
    connection = made;
    lastFailure = null;
    counting(() -> machine.up(new ConnectionLine(made), System.nanoTime()));
  }

  /** The peer takes more calls than before. */
  public void resume() {
    counting(machine::resume);
  }

  private void counting(Runnable resumption) {
    long before = machine.replays();
    resumption.run();
    if (policy.meter() != null) {
      policy.meter().replayed(machine.replays() - before);
    }
  }

  public void failed(Throwable cause) {
    lastFailure = cause;
    machine.failed(Causes.message(cause), System.nanoTime());
  }

  public void lost() {
    connection = null;
    machine.lost(System.nanoTime());
  }

  public void close() {
    machine.close();
  }

  public long replays() {
    return machine.replays();
  }

  public int waitingCalls() {
    return machine.waitingCalls();
  }

  public int pendingCalls() {
    return machine.pendingCalls();
  }

  public void onLoop(Runnable action) {
    LoopCalls.run(loop, action);
  }

  /** The answer to something that is asked on the loop, from any thread. */
  public <T> Future<T> ask(Future<T> answer, Runnable action) {
    return LoopCalls.ask(loop, answer, action);
  }

  /** As above, with another answer after the end of Vert.x. */
  public <T> Future<T> ask(Future<T> answer, Runnable action, Supplier<Future<T>> afterTheEnd) {
    return LoopCalls.ask(loop, answer, action, afterTheEnd);
  }
}
