package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.channel.ChannelSettings;
import dev.rpcrdma.protocol.channel.ReplyCache;
import dev.rpcrdma.protocol.connection.XidSequence;
import dev.rpcrdma.protocol.wire.InstanceId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * A channel: one connection after the other, as its machine wants them. Fields are the loop's, unless
 * they say otherwise.
 */
final class RpcChannelImpl implements RpcChannel {

  private final RpcClientImpl client;
  private final ContextInternal context;
  private final SocketAddress address;
  private final CallChannel channel;
  private final Consumer<EncodedCall<?>> calls;
  private final PeerMemory memory;
  /** Guarded by this. */
  private final List<BoundService> services = new ArrayList<>();
  private final List<Promise<RpcConnection>> wanted = new ArrayList<>();
  /** The connection that calls go over, or that is being announced to. */
  private RpcConnectionImpl connection;
  private boolean up;
  private boolean connecting;
  private Optional<InstanceId> lastSession = Optional.empty();
  private long connections;
  private boolean closing;
  /** Guarded by this; null until close. */
  private Promise<Void> closed;

  RpcChannelImpl(RpcClientImpl client, ContextInternal context, ContextInternal loopContext,
      SocketAddress address) {
    this.client = client;
    this.context = context;
    this.address = address;
    RpcClientOptions options = client.options();
    XidSequence xids = new XidSequence(ThreadLocalRandom.current().nextInt());
    this.memory = new PeerMemory(Optional.of(InstanceId.random()), xids,
        new ReplyCache(2 * options.getReverseCredits(), options.getReplyCacheBytes()));
    this.channel = new CallChannel(loopContext, options, settings(options), xids, this::makeOne);
    this.calls = channel::call;
  }

  private static ChannelSettings settings(RpcClientOptions options) {
    long first = options.getReconnectDelay().toNanos();
    return new ChannelSettings(options.getReplay(), options.getMaxQueuedCalls(),
        options.getReconnectAttempts(), first,
        Math.max(first, options.getMaxReconnectDelay().toNanos()));
  }

  PeerMemory memory() {
    return memory;
  }

  // Calls

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return EncodedCall.make(request, context, calls);
  }

  @Override
  public Future<RpcConnection> connect() {
    Promise<RpcConnection> promise = CallerContext.promise(context);
    return channel.ask(promise.future(), () -> {
      if (closing) {
        promise.fail(new RpcClosedException("The channel is closed"));
      } else if (up && !connection.ended()) {
        promise.complete(connection);
      } else {
        wanted.add(promise);
        channel.connect();
      }
    });
  }

  @Override
  public Future<ChannelSnapshot> snapshot() {
    Promise<ChannelSnapshot> promise = CallerContext.promise(context);
    return channel.ask(promise.future(), () -> promise.complete(new ChannelSnapshot(up, connections,
        channel.pendingCalls(), channel.replays())));
  }

  // Connections

  /** The machine wants one. */
  private void makeOne() {
    connecting = true;
    client.connect(this, address).compose(this::announce).onComplete(made -> channel.onLoop(() -> {
      connecting = false;
      if (made.failed()) {
        failed(made.cause());
      } else if (closing) {
        made.result().close();
      } else {
        connected(made.result());
      }
      closeIfDone();
    }));
  }

  /** Gives a connection, before it is made, what the channel serves. */
  void prepare(RpcConnectionImpl made) {
    client.headerTypes().serveOn(made);
    for (BoundService service : services()) {
      made.serve(service);
    }
    made.whenEstablished(() -> {
      connection = made;
      made.peer(this, () -> { });
      // Those that were bound while it was made.
      services().forEach(made::serveMissing);
      if (lastSession.isPresent() && !lastSession.equals(made.session())) {
        // Another server, or one that has forgotten us: its XIDs have nothing to do with those before.
        memory.calls().clear();
      }
      lastSession = made.session();
      made.closeFuture().onComplete(ended -> ended(made));
    });
  }

  private synchronized List<BoundService> services() {
    return List.copyOf(services);
  }

  /**
   * Tells the server what it may call back (R-223, R-225: everything is ready by now). The answer also
   * brings the grant: until it is here there is one credit, and a call that takes long would
   * keep all others waiting. So our servers are called even if there is nothing to tell.
   */
  private Future<RpcConnectionImpl> announce(RpcConnectionImpl made) {
    List<Announcements.Announced> all = toAnnounce(made);
    if (all.isEmpty() && made.session().isEmpty()) {
      return Future.succeededFuture(made);
    }
    // Composed, since a call cannot be made of what is too much to announce: that ends the connection, too.
    return Future.succeededFuture(all)
        .compose(told -> made.call(
            ControlProgram.announce(told, client.options().getConnectTimeout())))
        .transform(result -> {
          // A server without our control program never calls back by it; everything else works.
          if (result.succeeded() || result.cause() instanceof RpcRejectedException) {
            return Future.succeededFuture(made);
          }
          return made.close().transform(done -> Future.failedFuture(result.cause()));
        });
  }

  /** All that the server may ask for over a connection. */
  private List<Announcements.Announced> toAnnounce(RpcConnectionImpl made) {
    List<Announcements.Announced> all = new ArrayList<>();
    services().forEach(service -> all.add(Announcements.Announced.program(service.binding())));
    made.headerTypes().forEach(type -> all.add(Announcements.Announced.headerType(type)));
    return all;
  }

  private void connected(RpcConnectionImpl made) {
    if (made.ended()) {
      failed(new RpcClosedException("The connection has ended while it was set up"));
      return;
    }
    connections++;
    up = true;
    if (!services().isEmpty()) {
      // without a connection the server has no way to call.
      channel.keepConnected();
    }
    channel.up(made);
    settleWanted(Future.succeededFuture(made));
  }

  private void failed(Throwable cause) {
    settleWanted(Future.failedFuture(cause));
    channel.failed(cause);
  }

  private void settleWanted(Future<RpcConnection> outcome) {
    List<Promise<RpcConnection>> all = List.copyOf(wanted);
    wanted.clear();
    all.forEach(outcome::onComplete);
  }

  private void ended(RpcConnectionImpl lost) {
    if (connection == lost) {
      connection = null;
      if (up) {
        up = false;
        channel.lost();
      }
      if (!wanted.isEmpty()) {
        channel.connect();
      }
    }
    closeIfDone();
  }

  // Services

  @Override
  public RpcChannel bind(RpcService service) {
    UpperLayerBinding binding = service.binding();
    BoundService bound = BoundService.shared(service, context);
    synchronized (this) {
      for (BoundService other : services) {
        if (other.binding().program() == binding.program()
            && other.binding().version() == binding.version()) {
          throw new IllegalArgumentException("Program 0x"
              + Integer.toHexString(binding.program()) + " is bound already");
        }
      }
      services.add(bound);
    }
    channel.onLoop(() -> {
      if (connection != null && connection.serveMissing(bound)) {
        channel.keepConnected();
        connection.call(ControlProgram.announce(toAnnounce(connection),
            client.options().getConnectTimeout()));
      }
    });
    return this;
  }

  // Closing

  @Override
  public Future<Void> close() {
    Promise<Void> promise;
    synchronized (this) {
      if (closed != null) {
        return closed.future();
      }
      closed = context.promise();
      promise = closed;
    }
    promise.future().onComplete(done -> client.forget(this));
    channel.onLoop(() -> {
      closing = true;
      settleWanted(Future.failedFuture(new RpcClosedException("The channel is closed")));
      channel.close();
      if (connection != null) {
        connection.close();
      }
      closeIfDone();
    });
    return promise.future();
  }

  private void closeIfDone() {
    if (closing && !connecting && connection == null) {
      closed.tryComplete();
    }
  }
}
