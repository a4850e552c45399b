// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.LogRateLimit;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A listening TCP socket. Startup of its connections runs on the event loop of the listening
 * context; how many may be unfinished is bounded, so that a hostile peer cannot fill the memory
 * (RFC 5042 §6.4).
 */
final class SiwListener implements VerbsListener {

  private static final System.Logger LOGGER = System.getLogger(SiwListener.class.getName());

  private final SiwDevice device;
  private final Context context;
  private final ListenOptions options;
  private final Handler<ConnectionRequest> handler;
  private final Set<PassiveSide> pending = ConcurrentHashMap.newKeySet();
  /** The system has given the address up. */
  private final Promise<Void> released = Promise.promise();
  private final Promise<Void> closed = Promise.promise();
  private volatile Channel channel;
  private volatile boolean closing;
  private volatile SocketAddress localAddress;
  /** Of the event loop. */
  private final LogRateLimit refusals = new LogRateLimit(System.nanoTime());

  SiwListener(SiwDevice device, Context context, ListenOptions options,
      Handler<ConnectionRequest> handler) {
    this.device = device;
    this.context = context;
    this.options = options;
    this.handler = handler;
  }

  Future<VerbsListener> bind(SocketAddress address) {
    Promise<VerbsListener> promise = Contexts.promise(context);
    if (device.isClosing()) {
      abandon(promise, SiwDevice.closedException());
      return promise.future();
    }
    VertxParts.resolve(device.vertx(), address).onComplete(resolved -> {
      if (resolved.succeeded()) {
        bind(address, resolved.result(), promise);
      } else {
        abandon(promise, unavailable(address, "unknown host", resolved.cause()));
      }
    });
    return promise.future();
  }

  private void bind(SocketAddress address, java.net.SocketAddress resolved, Promise<VerbsListener> promise) {
    VertxParts.listening(device.vertx(), Contexts.eventLoop(context))
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childHandler(new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel accepted) {
            accept(accepted);
          }
        })
        .bind(resolved)
        .addListener((io.netty.channel.ChannelFuture done) -> {
          if (done.isSuccess()) {
            bound(done.channel(), promise);
          } else {
            abandon(promise, unavailable(address, Causes.message(done.cause()), done.cause()));
          }
        });
  }

  private void bound(Channel listening, Promise<VerbsListener> promise) {
    // Behind Netty's own handler, which stops accepting for a second and passes the failure on.
    listening.pipeline().addLast(new AcceptFailures());
    localAddress = SocketAddress.inetSocketAddress((InetSocketAddress) listening.localAddress());
    channel = listening;
    if (closing) {
      closeChannel();
      promise.fail(SiwDevice.closedException());
    } else {
      promise.complete(this);
    }
  }

  private void abandon(Promise<VerbsListener> promise, VerbsException failure) {
    device.gone(this);
    closed.tryComplete();
    promise.fail(failure);
  }

  private static VerbsException unavailable(SocketAddress address, String why, Throwable cause) {
    return new VerbsException(VerbsException.Kind.ADDRESS_UNAVAILABLE, "Cannot listen on " + address + ": "
        + why + ". Choose another port, or port 0 for a free one, or an address of this machine", cause);
  }

  /** What the next connection is secured by. */
  Optional<ServerTls> tls() {
    return options.tls().map(Supplier::get);
  }

  private void accept(Channel accepted) {
    InetSocketAddress remote = (InetSocketAddress) accepted.remoteAddress();
    if (remote == null) {
      accepted.close();
      return;
    }
    if (pending.size() >= device.settings().maxPendingConnections()) {
      refuse(accepted, "maxPendingConnections");
      return;
    }
    if (!device.accepted().enter(remote.getAddress())) {
      refuse(accepted, "maxConnectionsPerAddress");
      return;
    }
    accepted.closeFuture().addListener(gone -> device.accepted().leave(remote.getAddress()));
    if (!device.pending().enter(remote.getAddress())) {
      refuse(accepted, "maxPendingPerAddress");
      return;
    }
    PassiveSide responder;
    try {
      responder = new PassiveSide(device, this, accepted);
    } catch (Throwable e) {
      // Its TLS cannot be had; Netty closes the channel, and logs why.
      device.pending().leave(remote.getAddress());
      throw e;
    }
    pending.add(responder);
    try {
      responder.start();
    } catch (Throwable e) {
      finished(responder);
      throw e;
    }
  }

  /** Closes a connection beyond a limit, and says so: loudly, but not as often as somebody likes to connect. */
  private void refuse(Channel accepted, String limit) {
    Level level = refusals.due(System.nanoTime()) ? Level.WARNING : Level.DEBUG;
    LOGGER.log(level, () -> "A connection from " + accepted.remoteAddress() + " to " + accepted.localAddress()
        + " is closed at once, for there are as many as " + limit + " allows; of others within "
        + LogRateLimit.BETWEEN.toSeconds() + " seconds only the debug log tells");
    accepted.close();
  }

  void requested(PassiveSide responder) {
    Contexts.dispatch(context, responder, request -> {
      if (closing) {
        responder.listenerCloses();
      } else {
        handler.handle(request);
      }
    });
  }

  void finished(PassiveSide responder) {
    if (pending.remove(responder)) {
      device.pending().leave(responder.address());
    }
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public Future<Void> close() {
    // Only the first one acts: later ones may come when the event loop has gone.
    if (!closing) {
      closing = true;
      if (channel != null) {
        closeChannel();
      }
    }
    return closed.future();
  }

  private void closeChannel() {
    // A loop that ends closes its channels itself, and tells of nothing any more.
    Loops.close(channel.eventLoop(), this::closeOnLoop, released.future()).onComplete(done -> over());
  }

  private void closeOnLoop() {
    pending.forEach(PassiveSide::listenerCloses);
    // The system gives the address up when the selector has next looked at its closed channels,
    // which is after the close and before any task of a later turn.
    channel.close().addListener(done -> channel.eventLoop().schedule(() -> released.complete(), 1,
        TimeUnit.MILLISECONDS));
  }

  private void over() {
    device.gone(this);
    closed.tryComplete();
  }
}
