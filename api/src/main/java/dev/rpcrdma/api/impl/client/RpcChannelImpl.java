// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.call.CallProtectors;
import dev.rpcrdma.api.impl.call.ClientCall;
import dev.rpcrdma.api.impl.connection.Announcements;
import dev.rpcrdma.api.impl.connection.BoundService;
import dev.rpcrdma.api.impl.connection.BoundServices;
import dev.rpcrdma.api.impl.connection.CallChannel;
import dev.rpcrdma.api.impl.connection.ControlProgram;
import dev.rpcrdma.api.impl.connection.PeerMemory;
import dev.rpcrdma.api.impl.connection.RpcConnectionImpl;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopDeadlines;
import dev.rpcrdma.api.impl.loop.RpcTimes;
import dev.rpcrdma.api.impl.mechanism.PeerContexts;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.session.ClientSession;
import dev.rpcrdma.protocol.session.SessionSettings;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A channel: one connection after the other, as its machine wants them. Fields are the loop's, unless
 * they say otherwise; that is the client's own loop, or another one for one of several connections.
 */
final class RpcChannelImpl implements ServerChannel {

  private static final Logger LOG = LoggerFactory.getLogger(RpcChannelImpl.class);
  /** How long the calls of a server that shows no session are remembered. */
  private static final long FOREIGN_CALLS_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final RpcClientImpl client;
  private final Context context;
  private final Context loopContext;
  private final SocketAddress address;
  private final CallChannel channel;
  private final CallPolicy policy;
  private final RpcCaller direct;
  private final RpcCaller calling;
  private final Revival revival;
  private final ClientSession session;
  /** Null if nothing protects calls. */
  private final PeerContexts contexts;
  /** What the server has given for the client's token. */
  private final TokenHandle token;
  /** Guarded by this. */
  private final BoundServices services;
  private final List<Promise<RpcConnection>> wanted = new ArrayList<>();
  /** The connection that calls go over, or that is being announced to. */
  private RpcConnectionImpl connection;
  private boolean up;
  private boolean connecting;
  private volatile boolean tried;
  private long connections;
  private long fallbacks;
  private boolean closing;
  private final Promise<Void> closed;
  /** When it came up, or went down; when it was made before that. */
  private long since = System.nanoTime();
  /** Why it is down; null before the first attempt has failed. */
  private RpcException lastFailure;
  private volatile Handler<RpcConnection> upHandler;
  private volatile Handler<RpcException> downHandler;

  @Override
  public String toString() {
    return "RpcChannel[" + address + "]";
  }

  /**
   * Creates one without a connection.
   *
   * @param loopContext whose event loop its connections are on
   * @param elsewhere whether its calls have other servers to go to now
   */
  RpcChannelImpl(RpcClientImpl client, Context loopContext, SocketAddress address, BooleanSupplier elsewhere) {
    this.client = client;
    this.context = client.context();
    this.services = new BoundServices("The channel", context, this::toldAgain);
    this.loopContext = loopContext;
    this.address = address;
    this.closed = Contexts.promise(context);
    closed.future().onComplete(done -> client.forget(this));
    RpcClientOptions options = client.options();
    this.session = new ClientSession(remembered(options), XidSlots.bitsFor(options.getForwardCredits()),
        LoopDeadlines.of(Contexts.eventLoop(loopContext)), new SecureRandom());
    this.contexts = client.contexts() == null ? null : client.contexts().acquire(address);
    this.token = new TokenHandle(client.token(), options, address, loopContext, this::onLoop);
    CallProtectors protectors = contexts != null ? contexts : token.isWanted() ? token : null;
    this.policy = new CallPolicy(options,
        new CallPolicy.Security(this::credentials, protectors, client.authenticator()), client.interceptors(),
        client.meters() == null ? null
        : client.meters().calls(Contexts.eventLoop(loopContext), address, options.getForwardCredits()));
    this.channel = new CallChannel(loopContext, policy, settings(options), this::makeOne, elsewhere);
    this.direct = policy.caller(context, Contexts.eventLoop(loopContext), () -> address, channel::call);
    this.calling = policy.interceptors().around(direct);
    this.revival = new Revival(options);
  }

  /** What is remembered of the server's calls; it cannot be away and come back, since it does not connect. */
  private static SessionSettings remembered(RpcClientOptions options) {
    int calls = 2 * options.getReverseCredits();
    return new SessionSettings(XidSlots.bitsFor(options.getReverseCredits()),
        options.getReplyCacheBytes(), options.getLargeReplyCacheBytes(), calls, FOREIGN_CALLS_NANOS, 0, 0);
  }

  private static ChannelSettings settings(RpcClientOptions options) {
    long first = options.getReconnectDelay().toNanos();
    return new ChannelSettings(options.getReplay(), options.getMaxQueuedCalls(),
        options.getReconnectAttempts(), first,
        Math.max(first, options.getMaxReconnectDelay().toNanos()),
        options.getReconnectTimeout().isZero() ? Long.MAX_VALUE : options.getReconnectTimeout().toNanos());
  }

  /** What the next connection begins with; on the loop. */
  PeerMemory begin() {
    return new PeerMemory(Optional.of(session.hello()), session.xids(), session, policy);
  }

  // Calls

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return calling.call(request);
  }

  /** Makes calls that have gone through all interceptors. */
  RpcCaller direct() {
    return direct;
  }

  @Override
  public <T> Future<T> make(ClientCall<T> call) {
    return call.attempt(Contexts.eventLoop(loopContext), policy.options().getTracingPolicy(), address, channel::call);
  }

  @Override
  public int pending() {
    return channel.queue().pending();
  }

  /** Whose event loop its connections are on. */
  Context loopContext() {
    return loopContext;
  }

  private OpaqueAuth credentials() {
    OpaqueAuth handle = token.credential();
    return handle == null ? client.options().getCredentials() : handle;
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
    return channel.ask(promise.future(), () -> promise.complete(new ChannelSnapshot(address,
        up ? Optional.of(connection.provider()) : Optional.empty(), up,
        Duration.ofNanos(System.nanoTime() - since), Optional.ofNullable(lastFailure).map(Throwable::getMessage),
        connections, channel.pendingCalls(), channel.waitingCalls(), channel.replays(), fallbacks, List.of())));
  }

  // Connections

  /** An attempt goes on with the next provider. */
  void fellBack() {
    fallbacks++;
  }

  /** The machine wants one. */
  private void makeOne() {
    connecting = true;
    tried = true;
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
    made.serveAll(services);
    made.whenMet(shown -> session.met(shown, channel.machine()));
    made.whenPeerLeaves(() -> leaves(made));
    made.whenEstablished(() -> {
      connection = made;
      made.peer(this, () -> { });
      if (contexts != null) {
        contexts.up(made);
      }
      made.closeFuture().onComplete(ended -> ended(made));
    });
  }

  /**
   * Tells the server what it may call back (R-223, R-225: everything is ready by now). The answer also
   * brings the grant: until it is here there is one credit, and a call that takes long would
   * keep all others waiting. So our servers are called even if there is nothing to tell.
   */
  private Future<RpcConnectionImpl> announce(RpcConnectionImpl made) {
    if (toAnnounce(made).isEmpty() && made.shownByPeer().isEmpty() && !token.isWanted()) {
      return Future.succeededFuture(made);
    }
    return tell(made).compose(told -> token.get(made)).map(made)
        .recover(e -> made.close().transform(done -> Future.failedFuture(e)));
  }

  /** Announces all that is served over a connection. */
  private Future<Void> tell(RpcConnectionImpl made) {
    // Composed, since a call cannot be made of what is too much to announce.
    return Future.succeededFuture(toAnnounce(made))
        .compose(all -> made.make(
            ControlProgram.announce(all, client.options().getConnectTimeout())))
        // A server without our control program never calls back by it; everything else works.
        .recover(e -> e instanceof RpcRejectedException ? Future.succeededFuture()
            : Future.failedFuture(e));
  }

  /** All that the server may ask for over a connection, and whether replies can be pulled. */
  private List<Announcements.Announced> toAnnounce(RpcConnectionImpl made) {
    List<Announcements.Announced> all = new ArrayList<>();
    services.all().forEach(service -> all.add(Announcements.Announced.program(service.binding())));
    made.headerTypes().forEach(type -> all.add(Announcements.Announced.headerType(type)));
    if (made.cannotPull()) {
      all.add(Announcements.Announced.noReads());
    }
    return all;
  }

  private void connected(RpcConnectionImpl made) {
    if (made.ended()) {
      failed(new RpcClosedException("The connection has ended while it was set up"));
      return;
    }
    connections++;
    up = true;
    revival.up();
    since = System.nanoTime();
    emit(upHandler, made);
    keepConnectedToServe();
    channel.up(made);
    settleWanted(Future.succeededFuture(made));
  }

  private void failed(Throwable cause) {
    lastFailure = cause instanceof RpcException known ? known : new RpcConnectException(Causes.message(cause), cause);
    revival.failed(System.nanoTime());
    settleWanted(Future.failedFuture(cause));
    channel.failed(cause);
  }

  /** The server goes in good order: what was sent is answered, and no more is sent. */
  private void leaves(RpcConnectionImpl from) {
    if (up && connection == from) {
      revival.lost(System.nanoTime());
      channel.machine().leaves();
    }
  }

  private void settleWanted(Future<RpcConnection> outcome) {
    List<Promise<RpcConnection>> all = List.copyOf(wanted);
    wanted.clear();
    all.forEach(outcome::onComplete);
  }

  private void ended(RpcConnectionImpl lost) {
    if (contexts != null) {
      contexts.down(lost);
    }
    token.lost(lost);
    if (connection == lost) {
      connection = null;
      if (up) {
        up = false;
        since = System.nanoTime();
        lastFailure = lost.whyEnded();
        revival.lost(since);
        channel.lost();
        emit(downHandler, lastFailure);
      }
      if (!wanted.isEmpty()) {
        channel.connect();
      }
    }
    closeIfDone();
  }

  /** On the channel's context; on its loop that is now, ahead of the calls that wait. */
  private <T> void emit(Handler<T> handler, T event) {
    if (handler != null) {
      Contexts.tell(context, event, handler);
    }
  }

  @Override
  public RpcChannel upHandler(Handler<RpcConnection> handler) {
    upHandler = handler;
    return this;
  }

  @Override
  public RpcChannel downHandler(Handler<RpcException> handler) {
    downHandler = handler;
    return this;
  }

  @Override
  public boolean isDown() {
    return revival.isDown();
  }

  /** Whether calls go over a connection at once. */
  boolean isUp() {
    return revival.isUp();
  }

  /** Whether its connection could not be made, the last time that was tried. */
  boolean hasFailed() {
    return revival.hasFailed();
  }

  /** Connects for calls to come, unless that was tried before. */
  void warmUp() {
    if (!tried) {
      tried = true;
      try {
        channel.onLoop(channel::connect);
      } catch (RejectedExecutionException e) {
        // Vert.x is closed, and whoever calls hears so.
      }
    }
  }

  @Override
  public void revive() {
    if (revival.isDue(System.nanoTime())) {
      try {
        channel.onLoop(this::reviveOnLoop);
      } catch (RejectedExecutionException e) {
        // Vert.x is closed, and whoever calls hears so.
      }
    }
  }

  private void reviveOnLoop() {
    // Where calls wait, or programs are served, it comes back by itself, and counts its attempts.
    boolean wanted = channel.waitingCalls() > 0 || connections > 0 && !services.all().isEmpty();
    if (revival.isDue(System.nanoTime()) && !wanted && !connecting && !closing && connection == null) {
      channel.connect();
    }
  }

  // Back-pressure

  @Override
  public boolean writeQueueFull() {
    return channel.queue().isFull();
  }

  @Override
  public RpcChannel setWriteQueueMaxSize(int calls) {
    channel.queue().most(calls);
    return this;
  }

  @Override
  public RpcChannel drainHandler(Handler<Void> handler) {
    // The queue is the loop's, which of a client in a worker is another context.
    channel.queue().drainHandler(handler == null ? null : drained -> emit(handler, drained));
    return this;
  }

  // Services

  @Override
  public RpcChannel bind(RpcService service) {
    bind(BoundService.shared(service, context));
    return this;
  }

  @Override
  public void bind(BoundService service) {
    services.add(service);
    toldAgain();
  }

  @Override
  public RpcChannel unbind(UpperLayerBinding binding) {
    if (services.remove(binding)) {
      toldAgain();
    }
    return this;
  }

  private void onLoop(Runnable task) {
    channel.onLoop(task);
  }

  private void toldAgain() {
    channel.onLoop(this::tellAgain);
  }

  /** without a connection the server has no way to call. The first one is the application's to ask for. */
  private void keepConnectedToServe() {
    if (connections > 0 && !closing) {
      channel.keepConnected(!services.all().isEmpty());
    }
  }

  private void tellAgain() {
    keepConnectedToServe();
    RpcConnectionImpl current = connection;
    if (current != null) {
      tell(current).onFailure(e -> {
        // The server does not know what is served here. Over the next connection it hears all of it.
        LOG.warn(address + " could not be told which programs are served here; connecting anew", e);
        current.close();
      });
    }
  }

  // Closing

  @Override
  public Future<Void> close() {
    return close(RpcConnection::close);
  }

  @Override
  public Future<Void> shutdown(Duration timeout) {
    RpcTimes.shutdown(timeout);
    return close(current -> current.shutdown(timeout));
  }

  @Override
  public Future<Void> closeFuture() {
    return closed.future();
  }

  private Future<Void> close(Function<RpcConnection, Future<Void>> way) {
    return channel.ask(closed.future(), () -> {
      if (!closing) {
        closing = true;
        if (contexts != null) {
          // Ahead of the connection's end, so that the server hears of it.
          client.contexts().release(address);
        }
        settleWanted(Future.failedFuture(new RpcClosedException("The channel is closed")));
        channel.close();
        token.close();
      }
      if (connection != null) {
        way.apply(connection);
      }
      closeIfDone();
    }, Future::succeededFuture);
  }

  private void closeIfDone() {
    if (closing && !connecting && connection == null) {
      // What is kept of replies to the server holds memory.
      session.clear();
      services.close();
      if (policy.meter() != null) {
        policy.meter().close();
      }
      closed.tryComplete();
    }
  }
}
