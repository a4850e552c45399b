// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.spi.ServiceHost;
import dev.rpcrdma.api.spi.TransportCaller;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.service.eventbus.EventBusChannelOptions;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/**
 * Services at an address of the event bus. Messages are taken on an event loop even if the services are a worker's, so
 * that deadlines and calls that are given up are heard of while a worker is busy.
 */
public final class BusEndpoint implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(BusEndpoint.class);

  /** What is no call is answered with this. */
  private static final int NO_CALL = 400;

  private final Vertx vertx;
  private final EndpointSettings settings;
  private final Context context;
  private final ServiceHost host;
  /** Whom all calls come from; null if each says so. */
  private final RpcCaller peer;
  /** Names it to those that it calls back. */
  private final String id = UUID.randomUUID().toString();
  /** What gives up each call that has not been answered, by who calls and number, or by itself. */
  private final Map<Object, GivingUp> givingUp = new ConcurrentHashMap<>();
  private MessageConsumer<Object> calls;
  private MessageConsumer<Object> cancels;
  /** Guarded by this; null until close. */
  private Future<Void> closed;

  /**
   * Services that serve nobody yet. Belongs to the current context, with whose end it is closed.
   *
   * @param vertx the instance it lives in
   * @param services each of a program, or version, of its own
   * @param settings how they are served
   * @param peer whom all calls come from; null if each says so
   */
  public BusEndpoint(Vertx vertx, List<RpcService> services, EndpointSettings settings, RpcCaller peer) {
    this.peer = peer;
    this.vertx = vertx;
    this.settings = settings;
    this.context = Contexts.unwrap(vertx.getOrCreateContext());
    this.host = ServiceHost.create(vertx, services, settings.services(), settings.options());
  }

  /**
   * Begins to serve. May be called again after a failure.
   *
   * @return completes when all nodes know; if they cannot be told, fails when nothing is served. Fails with an {@link
   *     RpcClosedException} if Vert.x is closed
   */
  public Future<Void> open() {
    Contexts.addCloseHook(context, this);
    Promise<Void> opened = Contexts.promise(context);
    try {
      // Consumers belong to the context they are made on.
      host.context().runOnContext(loop -> register().recover(this::withdraw).onComplete(opened));
    } catch (RejectedExecutionException e) {
      Contexts.removeCloseHook(context, this);
      return Future.failedFuture(new RpcClosedException("Vert.x is closed"));
    }
    return opened.future();
  }

  private Future<Void> register() {
    try {
      calls = consumer(settings.address(), this::called);
      cancels = consumer(Names.cancelAddress(settings.address()), this::cancelled);
    } catch (IllegalStateException e) {
      // The event bus ends before its event loops.
      return Future.failedFuture(e);
    }
    return Future.join(calls.completion(), cancels.completion()).mapEmpty();
  }

  private Future<Void> withdraw(Throwable cause) {
    Contexts.removeCloseHook(context, this);
    return Future.join(unregister(calls), unregister(cancels)).transform(done -> Future.failedFuture(cause));
  }

  private MessageConsumer<Object> consumer(String address, Handler<Message<Object>> handler) {
    return settings.localOnly() ? vertx.eventBus().localConsumer(address, handler)
        : vertx.eventBus().consumer(address, handler);
  }

  Vertx vertx() {
    return vertx;
  }

  EndpointSettings settings() {
    return settings;
  }

  /**
   * How many calls are being executed.
   *
   * @return as of now
   */
  public int calls() {
    return host.calls();
  }

  private void called(Message<Object> message) {
    if (message.replyAddress() == null) {
      LOG.warn("A message at " + settings.address() + " asks for no reply, and is not executed");
      return;
    }
    CallHeaders headers;
    try {
      headers = CallHeaders.of(message.headers());
    } catch (IllegalArgumentException e) {
      LOG.warn("A message at " + settings.address() + " is no call: " + Causes.message(e));
      message.fail(NO_CALL, "Not a call of vertx-rpcrdma: " + Causes.message(e));
      return;
    }
    // In the table before it can be answered, and so taken out.
    GivingUp giveUp = new GivingUp();
    Object name = add(message.headers(), giveUp);
    giveUp.hosted = host.serve(new IncomingMessage(this, message, name, headers, host.context()));
  }

  /** Adds a call by who calls and number; by itself if it does not say both, or another call says the same. */
  private Object add(MultiMap headers, GivingUp giveUp) {
    String name = CallHeaders.id(headers);
    boolean named = headers.contains(Names.CHANNEL) && headers.contains(Names.XID);
    if (named && givingUp.putIfAbsent(name, giveUp) == null) {
      return name;
    }
    givingUp.put(giveUp, giveUp);
    return giveUp;
  }

  /** Gives up a call that may have its answer before it is known how. */
  private static final class GivingUp implements Runnable {

    private Runnable hosted = () -> { };

    @Override
    public void run() {
      hosted.run();
    }
  }

  private void cancelled(Message<Object> message) {
    Runnable giveUp = givingUp.get(CallHeaders.id(message.headers()));
    if (giveUp != null) {
      giveUp.run();
    }
  }

  /** A call is being answered; from any thread. */
  void answered(Object name) {
    givingUp.remove(name);
  }

  /** Returns the number of calls that can be given up. */
  int unanswered() {
    return givingUp.size();
  }

  /** Who calls, to be called back. */
  RpcCaller peer(Optional<String> callbacks) {
    if (peer != null) {
      return peer;
    }
    if (callbacks.isEmpty()) {
      return new ServesNothing();
    }
    TransportOptions options = settings.options();
    BusTransport transport = new BusTransport(vertx, callbacks.get(), id, settings.localOnly());
    TransportCaller caller = TransportCaller.create(vertx, transport, new TransportOptions(
        EventBusChannelOptions.DEFAULT_CALL_TIMEOUT, options.credentials(), options.tracing(), options.maxCalls()));
    transport.on(caller);
    return caller.behind(settings.calls());
  }

  /** Calls to who has said that it serves nothing are not sent. */
  private static final class ServesNothing implements RpcCaller {

    @Override
    public <T> Future<T> call(RpcRequest<T> request) {
      return Future.failedFuture(new RpcRejectedException(AcceptStatus.PROG_UNAVAIL, "The caller serves nothing, so "
          + request.describe() + " is not called; bind its program to the caller's channel", false));
    }
  }

  /**
   * Serves no more calls, and lets those finish that have begun; they take no longer than services may.
   *
   * @return completes when all are answered
   */
  public synchronized Future<Void> close() {
    if (Contexts.hasEnded(context)) {
      return Future.succeededFuture();
    }
    if (closed == null) {
      Promise<Void> ended = Contexts.promise(context);
      host.context().runOnContext(loop -> unregister(calls).eventually(host::idle).eventually(() -> unregister(cancels))
          .onComplete(ended).onComplete(any -> Contexts.removeCloseHook(context, this)));
      closed = ended.future();
    }
    return closed;
  }

  /**
   * Closes as {@link #close()} does, and gives calls up that have not ended in time.
   *
   * @param drain how long they may take
   * @return completes when all are answered
   */
  public Future<Void> shutdown(Duration drain) {
    if (drain.isNegative()) {
      throw new IllegalArgumentException("A shutdown takes no negative time: " + drain);
    }
    Future<Void> ended = close();
    if (Contexts.hasEnded(context)) {
      return ended;
    }
    host.context().runOnContext(loop -> {
      long timer = vertx.setTimer(Math.max(1, drain.toMillis()),
          late -> List.copyOf(givingUp.values()).forEach(Runnable::run));
      ended.onComplete(done -> vertx.cancelTimer(timer));
    });
    return ended;
  }

  private static Future<Void> unregister(MessageConsumer<?> consumer) {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  @Override
  public void close(Completable<Void> completion) {
    shutdown(RpcOptions.DEFAULT_DRAIN_TIMEOUT).onComplete(completion);
  }
}
