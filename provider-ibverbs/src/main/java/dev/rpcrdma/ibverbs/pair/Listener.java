// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.connect.CmEvent;
import dev.rpcrdma.ibverbs.connect.CmId;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.support.LogRateLimit;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Listens; how many requests may wait for an answer is bounded, so that a hostile peer cannot fill the memory. */
public final class Listener implements VerbsListener, PairDevice.Closing {

  private static final System.Logger LOGGER = System.getLogger(Listener.class.getName());
  private static final int BACKLOG = 1024;

  private final PairDevice device;
  private final Context context;
  private final Handler<ConnectionRequest> handler;
  private final Set<Request> pending = ConcurrentHashMap.newKeySet();
  private final Promise<Void> gone = Promise.promise();
  private final AtomicBoolean closing = new AtomicBoolean();
  /** Of the thread of the device's events. */
  private final LogRateLimit refusals = new LogRateLimit(System.nanoTime());
  private volatile CmId id;
  private volatile SocketAddress localAddress;

  /**
   * Creates what {@link #listen} begins.
   *
   * @param device of this side
   * @param context whose loop the handler is called on
   * @param handler of requests
   */
  public Listener(PairDevice device, Context context, Handler<ConnectionRequest> handler) {
    this.device = device;
    this.context = context;
    this.handler = handler;
  }

  /**
   * Listens.
   *
   * @param address where
   * @return as of the SPI
   */
  public Future<VerbsListener> listen(SocketAddress address) {
    Promise<VerbsListener> promise = Contexts.promise(context);
    VertxParts.resolve(device.vertx(), address).onComplete(resolved -> {
      if (resolved.failed()) {
        gone.complete();
        promise.fail(unavailable(address, "unknown host", resolved.cause()));
        return;
      }
      device.workers().run(Contexts.eventLoop(context), () -> {
        begin(address, (InetSocketAddress) resolved.result());
        return this;
      }, done -> {
        if (done.succeeded() && closing.get()) {
          promise.fail(PairDevice.closedException());
        } else if (done.succeeded()) {
          promise.complete(this);
        } else {
          promise.fail(done.cause());
        }
      });
    });
    return promise.future();
  }

  /** On a worker. */
  private synchronized void begin(SocketAddress address, InetSocketAddress resolved) {
    if (closing.get()) {
      gone.tryComplete();
      throw PairDevice.closedException();
    }
    CmId made = null;
    try {
      made = CmId.create(device.core(), device.events(), this::event);
      made.bind(resolved);
      checkDevice(made, address);
      made.listen(BACKLOG);
      localAddress = SocketAddress.inetSocketAddress(made.localAddress());
      id = made;
    } catch (NativeException e) {
      throw unavailable(address, e.getMessage(), e);
    } finally {
      if (id == null) {
        if (made != null) {
          made.destroy();
        }
        gone.tryComplete();
      }
    }
  }

  /** An address of no device in particular is of all. */
  private void checkDevice(CmId made, SocketAddress address) {
    if (made.device() != 0 && made.device() != device.device().context()) {
      throw unavailable(address, "it is of another RDMA device than " + device.device().name()
          + " (ibverbs setting 'device')", null);
    }
  }

  private static VerbsException unavailable(SocketAddress address, String why, Throwable cause) {
    return new VerbsException(Kind.ADDRESS_UNAVAILABLE, "Cannot listen on " + address + ": " + why
        + ". Choose another port, or port 0 for a free one, or an address of an RDMA device of this machine", cause);
  }

  private void event(CmEvent event) {
    switch (event.type()) {
      case Numbers.CONNECT_REQUEST -> requested(event);
      case Numbers.DEVICE_REMOVAL -> removed();
      default -> { }
    }
  }

  /** The kernel does not let a device go while somebody listens on it. */
  private void removed() {
    LOGGER.log(Level.WARNING, () -> "The RDMA device " + device.device().name() + " was removed: nobody can connect to "
        + localAddress + " any more");
    close();
  }

  private void requested(CmEvent event) {
    Request request = new Request(device, event);
    pending.add(request);
    request.whenSettled().onComplete(settled -> pending.remove(request));
    if (closing.get()) {
      request.expire();
    } else if (request.id().device() != device.device().context()) {
      refuse(request, "it came by another RDMA device than " + device.device().name() + ", which is this server's");
    } else if (pending.size() > device.options().maxPendingConnections()) {
      refuse(request, "there are as many as maxPendingConnections allows");
    } else {
      requested(request);
    }
  }

  /** Says so loudly, but not as often as somebody likes to connect. */
  private void refuse(Request request, String why) {
    Level level = refusals.due(System.nanoTime()) ? Level.WARNING : Level.DEBUG;
    LOGGER.log(level, () -> "A connection from " + request.remoteAddress() + " to " + request.localAddress()
        + " is rejected at once, for " + why + "; of others within " + LogRateLimit.BETWEEN.toSeconds()
        + " seconds only the debug log tells");
    request.expire();
  }

  private void requested(Request request) {
    try {
      Contexts.eventLoop(context).schedule(request::expire, device.options().startupTimeoutMillis(),
          TimeUnit.MILLISECONDS);
      context.runOnContext(running -> {
        if (closing.get()) {
          request.expire();
        } else {
          handler.handle(request);
        }
      });
    } catch (RejectedExecutionException e) {
      request.expire();
    }
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      device.workers().run(this::end);
    }
    return gone.future();
  }

  /** On a worker. */
  private synchronized void end() {
    if (id != null) {
      id.destroy();
      Future.join(pending.stream().map(Request::expire).toList()).onComplete(done -> gone.tryComplete());
    }
  }

  @Override
  public Future<Void> whenGone() {
    return gone.future();
  }
}
