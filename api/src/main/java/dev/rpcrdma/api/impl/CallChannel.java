package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.session.ChannelMachine;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.session.Line;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.OptionalInt;
import java.util.Random;

/** The shell of a channel's machine: takes calls from any thread to its loop. All else happens on the loop. */
final class CallChannel implements CallMaker {

  private final ContextInternal context;
  private final EventLoop loop;
  private final RpcOptions<?> options;
  private final ChannelMachine machine;
  /** The one that is up; null if none is. */
  private RpcConnectionImpl connection;
  private Throwable lastFailure;

  CallChannel(ContextInternal context, RpcOptions<?> options, ChannelSettings settings,
      Runnable connect) {
    this.context = context;
    this.loop = context.nettyEventLoop();
    this.options = options;
    this.machine = new ChannelMachine(settings, connect, LoopDeadlines.of(loop), new Random());
  }

  /** What the peer has shown of itself is to be told to this, before {@link #up}. */
  ChannelMachine machine() {
    return machine;
  }

  @Override
  public RpcOptions<?> options() {
    return options;
  }

  @Override
  public ContextInternal context() {
    return context;
  }

  @Override
  public Throwable connectFailure() {
    return lastFailure;
  }

  /** Makes a call; from any thread. */
  void call(EncodedCall<?> call) {
    LoopCalls.run(loop, CallChannel::callOnLoop, this, call);
  }

  private void callOnLoop(EncodedCall<?> call) {
    if (call.begin(this)) {
      call.made(machine.call(call, call, call.readOnly(), now() + call.timeoutNanos()));
      }
  }

  /** That of the connection while one is up. */
  private long now() {
    return connection == null ? System.nanoTime() : connection.now();
  }

  @Override
  public void cancel(CallHandle handle) {
    if (connection == null) {
      handle.cancel(System.nanoTime());
    } else {
      // The call is on it, if it is on any.
      connection.cancel(handle);
    }
  }

  void connect() {
    machine.connect();
  }

  void keepConnected() {
    machine.keepConnected();
  }

  /** A connection as the machine sees it. */
  private record ConnectionLine(RpcConnectionImpl connection) implements Line {

    @Override
    public CallHandle call(Call call, CallListener listener, OptionalInt xid, boolean again,
        long deadline) {
      return connection.call(call, listener, xid, again, deadline);
    }

    @Override
    public boolean takes(Call call) {
      return connection.takes(call);
    }
  }

  void up(RpcConnectionImpl made) {
    connection = made;
    machine.up(new ConnectionLine(made), System.nanoTime());
  }

  /** The peer takes more calls than before. */
  void resume() {
    machine.resume();
  }

  void failed(Throwable cause) {
    lastFailure = cause;
    machine.failed(String.valueOf(cause.getMessage()), System.nanoTime());
  }

  void lost() {
    connection = null;
    machine.lost(System.nanoTime());
  }

  void close() {
    machine.close();
  }

  long replays() {
    return machine.replays();
  }

  int pendingCalls() {
    return machine.pendingCalls();
  }

  void onLoop(Runnable action) {
    LoopCalls.run(loop, action);
  }

  /** The answer to something that is asked on the loop, from any thread. */
  <T> Future<T> ask(Future<T> answer, Runnable action) {
    return LoopCalls.ask(loop, answer, action);
  }
}
