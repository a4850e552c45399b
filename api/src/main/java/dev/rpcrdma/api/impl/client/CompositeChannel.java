// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.connection.BoundService;
import dev.rpcrdma.api.impl.connection.BoundServices;
import dev.rpcrdma.api.impl.connection.WriteQueue;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.loop.RpcTimes;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.net.Address;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A channel that consists of others, which come and go or stay. It chooses one of them for each call; what is set here
 * is set for all of them, those to come too. From any thread.
 */
abstract class CompositeChannel implements RpcChannel {

  private final Address address;
  private final Context context;
  private final EventLoop loop;
  private final RpcCaller calling;
  private final Promise<Void> closed;
  private final CompositeQueue queue;
  /** Changed while guarded by this. */
  private final BoundServices services;
  /** Guarded by this; 0 for what each part has by default. */
  private int mostCalls;
  /** Set while guarded by this, read anywhere. */
  private volatile boolean closing;
  private volatile Handler<RpcConnection> upHandler;
  private volatile Handler<RpcException> downHandler;

  CompositeChannel(RpcClientImpl client, Address address) {
    this.address = address;
    this.context = client.context();
    this.services = new BoundServices("The channel", context, () -> { });
    this.loop = Contexts.eventLoop(context);
    this.closed = Contexts.promise(context);
    this.queue = new CompositeQueue(context, this::isFull);
    this.calling = client.interceptors().around(new RpcCaller() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request) {
        return choose(request);
      }
    });
    closed.future().onComplete(done -> {
      services.close();
      client.forget(this);
    });
  }

  /** Makes a call that has gone through all interceptors. */
  abstract <T> Future<T> choose(RpcRequest<T> request);

  /** All parts, those that are closing too. */
  abstract List<ServerChannel> parts();

  /** Whether none of those that would be chosen has room. */
  abstract boolean isFull();

  /** It is being closed: whoever waits for something other than a part fails. */
  void stop() {}

  /** Why it has nothing to choose from; null if it has, or if that has not been tried. */
  String failure() {
    return null;
  }

  final Address address() {
    return address;
  }

  /** The address for messages: the application's own kind of address may fail to say what it is. */
  final String name() {
    return Causes.text(address);
  }

  @Override
  public final String toString() {
    return "RpcChannel[" + name() + "]";
  }

  final Context context() {
    return context;
  }

  final EventLoop loop() {
    return loop;
  }

  final boolean isClosing() {
    return closing;
  }

  /** Makes a part one of this channel's, guarded by this, before it is called. */
  final void adopt(ServerChannel part) {
    if (mostCalls > 0) {
      part.setWriteQueueMaxSize(mostCalls);
    }
    part.upHandler(made -> {
      tell(upHandler, made);
      // Calls go there from now on, and have room.
      queue.drained();
    });
    part.downHandler(why -> tell(downHandler, why));
    part.drainHandler(drained -> queue.drained());
    services.all().forEach(part::bind);
  }

  private static <T> void tell(Handler<T> handler, T event) {
    if (handler != null) {
      handler.handle(event);
    }
  }

  /** A part has got room, or something else has that calls wait for. */
  final void drained() {
    queue.drained();
  }

  @Override
  public final <T> Future<T> call(RpcRequest<T> request) {
    return calling.call(request);
  }

  // Services

  @Override
  public final RpcChannel bind(RpcService service) {
    bind(BoundService.shared(service, context));
    return this;
  }

  public final synchronized void bind(BoundService service) {
    services.add(service);
    parts().forEach(part -> part.bind(service));
  }

  @Override
  public final synchronized RpcChannel unbind(UpperLayerBinding binding) {
    if (services.remove(binding)) {
      parts().forEach(part -> part.unbind(binding));
    }
    return this;
  }

  // Handlers and back-pressure

  @Override
  public final RpcChannel upHandler(Handler<RpcConnection> handler) {
    upHandler = handler;
    return this;
  }

  @Override
  public final RpcChannel downHandler(Handler<RpcException> handler) {
    downHandler = handler;
    return this;
  }

  @Override
  public final boolean writeQueueFull() {
    return queue.isFull();
  }

  @Override
  public final synchronized RpcChannel setWriteQueueMaxSize(int calls) {
    WriteQueue.check(calls);
    mostCalls = calls;
    parts().forEach(part -> part.setWriteQueueMaxSize(calls));
    return this;
  }

  @Override
  public final RpcChannel drainHandler(Handler<Void> handler) {
    queue.drainHandler(handler);
    return this;
  }

  // Questions

  @Override
  public final Future<ChannelSnapshot> snapshot() {
    Promise<ChannelSnapshot> promise = CallerContext.promise(context);
    return LoopCalls.ask(loop, promise.future(), () -> {
      List<Future<ChannelSnapshot>> each = parts().stream().map(RpcChannel::snapshot).toList();
      Future.join(each).map(all -> Snapshots.sum(address, each.stream().map(Future::result).toList(), failure()))
          .onComplete(promise);
    });
  }

  // Closing

  @Override
  public final Future<Void> close() {
    return close(RpcChannel::close);
  }

  @Override
  public final Future<Void> shutdown(Duration timeout) {
    RpcTimes.shutdown(timeout);
    return close(part -> part.shutdown(timeout));
  }

  @Override
  public final Future<Void> closeFuture() {
    return closed.future();
  }

  private Future<Void> close(Function<RpcChannel, Future<Void>> way) {
    return LoopCalls.ask(loop, closed.future(), () -> {
      boolean first;
      List<ServerChannel> all;
      synchronized (this) {
        first = !closing;
        closing = true;
        all = parts();
      }
      if (first) {
        stop();
      }
      Future<?> ended = Future.join(all.stream().map(way).toList());
      if (first) {
        ended.onComplete(done -> closed.tryComplete());
      }
    }, Future::succeededFuture);
  }
}
