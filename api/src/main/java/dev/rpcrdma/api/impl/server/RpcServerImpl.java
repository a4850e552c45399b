// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.ClientSnapshot;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.PendingReplies;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.ServerSnapshot;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.call.CurrentCall;
import dev.rpcrdma.api.impl.call.Interceptors;
import dev.rpcrdma.api.impl.connection.BoundService;
import dev.rpcrdma.api.impl.connection.BoundServices;
import dev.rpcrdma.api.impl.connection.Connector;
import dev.rpcrdma.api.impl.connection.ControlProgram;
import dev.rpcrdma.api.impl.connection.HeaderTypes;
import dev.rpcrdma.api.impl.connection.Messages;
import dev.rpcrdma.api.impl.connection.PeerMemory;
import dev.rpcrdma.api.impl.connection.Rejection;
import dev.rpcrdma.api.impl.connection.RpcConnectionImpl;
import dev.rpcrdma.api.impl.connection.SharedDevice;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.loop.LoopContext;
import dev.rpcrdma.api.impl.loop.RpcTimes;
import dev.rpcrdma.api.impl.loop.VertxVersion;
import dev.rpcrdma.api.impl.mechanism.KerberosCheck;
import dev.rpcrdma.api.impl.mechanism.SecurityMechanism;
import dev.rpcrdma.api.impl.metrics.Meters;
import dev.rpcrdma.api.impl.metrics.StatisticsImpl;
import dev.rpcrdma.api.impl.rpcbind.Registration;
import dev.rpcrdma.api.impl.tls.ReloadableTls;
import dev.rpcrdma.api.rpcbind.RpcbindPolicy;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.LogRateLimit;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** A server: a context, its share of a listener, and the connections accepted so far. */
public final class RpcServerImpl implements RpcServer, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(RpcServerImpl.class);

  private final Context context;
  private final Context loopContext;
  private final RpcServerOptions options;
  private final ClientPeers clients;
  /** Null if none are taken. */
  private final TokenVerifier tokens;
  /** Null if nobody watches. */
  private final Meters meters;
  /** How clients are called, and served; with a meter, if somebody watches, before any connection comes. */
  private volatile CallPolicy policy;
  /** Null for plaintext. */
  private final ReloadableTls<ServerSSLOptions, ServerTls> tls;
  /** Those of all clients; null without Kerberos. */
  private final SecurityMechanism.Acceptor contexts;
  private final ClientContexts clientContexts;
  private final HeaderTypes headerTypes = new HeaderTypes();
  private final ConnectionLoad load;
  /** Of the event loop. */
  private long accepted;
  /** Of the event loop. */
  private long rejected;
  /** Of the event loop. */
  private final LogRateLimit rejections = new LogRateLimit(System.nanoTime());
  /** Guarded by this. */
  private final BoundServices services;
  /** Guarded by this. */
  private final Set<RpcConnectionImpl> connections = new HashSet<>();
  /** Guarded by this. */
  private Handler<RpcConnection> connectionHandler = connection -> {};
  /** Guarded by this; null unless listening. */
  private Future<SharedListener> listener;
  /** Set before any connection comes. */
  private volatile SharedListener shared;
  /** What is done before it stops to accept. */
  private final PreCloseHook farewell;
  /** Guarded by this; null until close. */
  private Future<Void> closed;
  /** Guarded by this: it does not accept any more. */
  private boolean ending;

  /**
   * See {@link RpcServer#builder}.
   *
   * @param vertx the instance it lives in
   * @param options what it wants
   * @param statistics gathers what it does; null if nobody wants to know
   * @param interceptors stand around its calls and services
   * @param tokens judges those of clients; null if none are taken
   */
  public RpcServerImpl(Vertx vertx, RpcServerOptions options, RpcStatistics statistics, Interceptors interceptors,
      TokenVerifier tokens) {
    VertxVersion.check();
    // Also in a service, whose call is no business of this server.
    this.context = Contexts.unwrap(vertx.getOrCreateContext());
    this.services = new BoundServices("The server", context, () -> { });
    CurrentCall.check(context);
    this.loopContext = LoopContext.of(context);
    this.options = options;
    this.tls = options.getTls().map(wanted -> ReloadableTls.server(vertx, wanted)).orElse(null);
    KerberosOptions kerberos = options.getKerberos().orElse(null);
    if (kerberos == null) {
      this.contexts = null;
      this.clientContexts = new ClientContexts(null);
    } else {
      boolean calls = KerberosCheck.calls(kerberos);
      KerberosCheck.check(kerberos, calls, options.getTls().isPresent());
      SecurityMechanism mechanism = SecurityMechanism.kerberos();
      this.contexts = mechanism.accept(vertx, kerberos);
      this.clientContexts = new ClientContexts(
          calls ? mechanism.initiate(vertx, kerberos, options.getConnectTimeout()) : null);
    }
    this.policy = new CallPolicy(options, new CallPolicy.Security(options::getCredentials, null,
        contexts == null ? Authenticator.PLAIN : contexts.authenticator()), interceptors, null);
    this.tokens = tokens;
    this.meters = Meters.of(context.owner(), (StatisticsImpl) statistics, options.getMetricsName());
    this.load = new ConnectionLoad(options);
    this.farewell = new PreCloseHook(Contexts.eventLoop(loopContext));
    this.clients = new ClientPeers(loopContext, options, this::forgotten, () -> policy, clientContexts);
    Contexts.addCloseHook(context, this);
  }

  @Override
  public RpcServer bind(RpcService service) {
    return add(BoundService.shared(service, context));
  }

  @Override
  public <S> RpcServer bindPerConnection(Class<S> type, Function<RpcConnection, S> factory) {
    ServiceBinding<S> binding = ServiceBinding.of(type);
    return add(new BoundService(binding.upperLayerBinding(),
        connection -> binding.service(factory.apply(connection)),
        BoundService.currentOr(context)));
  }

  private RpcServer add(BoundService service) {
    services.add(service);
    return this;
  }

  @Override
  public RpcServer unbind(UpperLayerBinding binding) {
    services.remove(binding);
    return this;
  }

  @Override
  public RpcServer register(HeaderType type) {
    headerTypes.register(type);
    return this;
  }

  @Override
  public synchronized RpcServer connectionHandler(Handler<RpcConnection> handler) {
    connectionHandler = handler;
    return this;
  }

  @Override
  public synchronized Future<RpcServer> listen(SocketAddress address) {
    if (closed != null) {
      return Contexts.failedFuture(context, new RpcClosedException("The server is closed"));
    }
    if (listener != null) {
      return Contexts.failedFuture(context, new RpcListenException("The server listens already", null));
    }
    Future<SharedListener> joined = SharedListener.join(this, context, address, options, tls);
    listener = joined;
    return Contexts.<RpcServer>future(context, promise -> joined
        .compose(listens -> register(listens, address)).<RpcServer>map(this)
        .onFailure(e -> notListening(joined))
        .recover(e -> Future.failedFuture(
            new RpcListenException(Messages.at("Cannot listen on", address, e), e)))
        .onComplete(promise));
  }

  @Override
  public Future<Integer> listenForContexts(SocketAddress address) {
    if (contexts == null) {
      return Contexts.failedFuture(context, new IllegalStateException(
          "The server has no Kerberos; its option 'kerberos' brings it"));
    }
    ConnectionLoad counted = new ConnectionLoad(options);
    return Contexts.future(context, promise -> contexts
        .listen(loopContext, address, bindings(), new SecurityMechanism.Admission() {
          @Override
          public boolean enter(SocketAddress from) {
            boolean more = counted.limit(from, 0).isEmpty();
            if (more) {
              counted.begins(from);
            }
            return more;
          }

          @Override
          public void leave(SocketAddress from) {
            counted.ends(from);
          }
        })
        .compose(listening -> farewell.add(listening::close) ? Future.succeededFuture(listening.port())
            : listening.close().transform(closedAgain -> Future.failedFuture(
                new RpcClosedException("The server is closed"))), e -> Future.failedFuture(
            new RpcListenException(Messages.at("Cannot listen on", address, e), e)))
        .onComplete(promise));
  }

  /** Nobody is told before it listens. */
  private Future<Void> register(SharedListener listens, SocketAddress address) {
    if (options.getRpcbind() == RpcbindPolicy.OFF) {
      return Future.succeededFuture();
    }
    Registration registration = new Registration(context.owner(), options, bindings(),
        Registration.addresses(address.host(), listens.address()));
    return registration.begin().compose(done -> {
      if (farewell.add(registration::end)) {
        return Future.succeededFuture();
      }
      return registration.end();
    }, e -> listens.leave(this).eventually(listens::release).transform(left -> Future.failedFuture(e)));
  }

  private synchronized void notListening(Future<SharedListener> failed) {
    if (listener == failed) {
      listener = null;
    }
  }

  /** Guarded by this. */
  private Optional<SharedListener> listening() {
    return listener != null && listener.succeeded() ? Optional.of(listener.result()) : Optional.empty();
  }

  @Override
  public synchronized String toString() {
    return "RpcServer[" + listening().map(listens -> "port=" + listens.address().port()).orElse("not listening") + "]";
  }

  @Override
  public synchronized int actualPort() {
    return listening().map(listens -> listens.address().port()).orElse(-1);
  }

  @Override
  public List<UpperLayerBinding> bindings() {
    return services.all().stream().map(BoundService::binding).toList();
  }

  @Override
  public synchronized List<String> devices() {
    return listening().map(SharedListener::devices).orElse(List.of());
  }

  @Override
  public synchronized int connectionCount() {
    return connections.size();
  }

  @Override
  public synchronized int callCount() {
    return connections.stream().mapToInt(RpcConnectionImpl::callsServing).sum();
  }

  @Override
  public Future<Boolean> updateSSLOptions(ServerSSLOptions wanted, boolean force) {
    ServerSSLOptions copy = wanted.copy();
    return Contexts.future(CallerContext.orElse(context), promise -> update(copy, force).onComplete(promise));
  }

  private Future<Boolean> update(ServerSSLOptions wanted, boolean force) {
    Future<SharedListener> listening;
    synchronized (this) {
      if (closed != null) {
        return Future.failedFuture(new RpcClosedException("The server is closed"));
      }
      listening = listener;
    }
    if (tls == null) {
      return Future.failedFuture(new IllegalStateException("The server has no TLS; its option 'tls' brings it"));
    }
    return (listening == null ? tls.update(wanted, force)
        : listening.compose(joined -> joined.updateTls(wanted, force))).recover(e -> Future.failedFuture(
            new RpcListenException(Causes.message(e) + ". What was in force stays so", e)));
  }

  @Override
  public RpcServer beforeClose(Supplier<? extends Future<?>> action) {
    if (!farewell.add(action)) {
      throw new RpcClosedException("The server is closed");
    }
    return this;
  }

  @Override
  public Future<ServerSnapshot> snapshot() {
    Promise<ServerSnapshot> promise = CallerContext.promise(context);
    return LoopCalls.ask(Contexts.eventLoop(loopContext), promise.future(), () -> takeSnapshot().onComplete(promise));
  }

  private Future<ServerSnapshot> takeSnapshot() {
    List<Future<ConnectionSnapshot>> each;
    Optional<SharedListener> listens;
    synchronized (this) {
      each = connections.stream().map(RpcConnectionImpl::snapshot).toList();
      listens = listening();
    }
    List<ClientSnapshot> remembered = clients.snapshot();
    long taken = accepted;
    long refused = rejected;
    PendingReplies replies = listens.map(from -> from.pendingReplies(options.getMaxPendingReplyBytes()))
        .orElse(PendingReplies.NONE);
    return Future.join(each).transform(done -> Future.succeededFuture(new ServerSnapshot(
        listens.map(SharedListener::address), taken, refused,
        each.stream().filter(Future::succeeded).map(Future::result).toList(), remembered, replies)));
  }

  /** It remembers a client no more; another server of the address may take it. */
  private void forgotten(ClientKey client) {
    shared.forgotten(client, this);
  }

  /** It gets its share of the connections to an address. */
  void joined(SharedListener listeners) {
    shared = listeners;
    if (meters != null) {
      SocketAddress address = listeners.address();
      meters.listening(address);
      policy = policy.watchedBy(
          meters.calls(Contexts.eventLoop(loopContext), address, options.getReverseCredits()));
    }
  }

  /** It is this server's turn to take a connection. */
  void accept(ConnectionRequest request, ClientKey client, Optional<SessionBlock> shown,
      SharedDevice.Opened device) {
    Contexts.eventLoop(loopContext).execute(() -> {
      Optional<String> limit = load.limit(request.remoteAddress(), clients.connections(client));
      Optional<ClientPeer> entered = limit.isPresent() ? Optional.empty() : clients.enter(client, shown);
      shared.taken(client, this, entered.isPresent());
      if (entered.isEmpty()) {
        rejected++;
        String why = limit.orElse("its client has made another one since");
        tell("A connection from " + request.remoteAddress() + " is rejected: " + why);
        reject(request, why, device);
      } else {
        accept(request, entered.get(), device);
      }
    });
  }

  static void reject(ConnectionRequest request, String why, SharedDevice.Opened device) {
    request.reject(Rejection.saying(why, device.device().attributes().rejectPrivateData()));
  }

  private void tell(String rejected) {
    if (rejections.due(System.nanoTime())) {
      LOG.warn(rejected);
    } else {
      LOG.debug(rejected);
    }
  }

  private void accept(ConnectionRequest request, ClientPeer peer, SharedDevice.Opened device) {
    PeerMemory memory = peer.arrives();
    int arrival = peer.arrivals();
    SocketAddress address = request.remoteAddress();
    load.begins(address);
    new Connector(loopContext, options, device, memory)
        .accept(request, connection -> prepare(connection, peer, arrival))
        .onSuccess(connection -> accepted++)
        .onSuccess(connection -> connection.closeFuture().onComplete(ended -> left(address, peer)))
        .onFailure(e -> {
          left(address, peer);
          LOG.debug("A connection from " + request.remoteAddress() + " did not come about", e);
        });
  }

  private void left(SocketAddress address, ClientPeer peer) {
    load.ends(address);
    clients.leave(peer);
  }

  private void prepare(RpcConnectionImpl connection, ClientPeer peer, int arrival) {
    peer.begins(connection, arrival);
    Handler<RpcConnection> handler;
    synchronized (this) {
      handler = connectionHandler;
    }
    headerTypes.serveOn(connection);
    connection.whenEstablished(() -> {
      peer.connected(connection);
      connection.serve(BoundService.shared(new ControlProgram(connection, tokens), context));
      connection.serveAll(services);
      if (!remember(connection)) {
        connection.close();
        return;
      }
      connection.closeFuture().onComplete(ended -> forget(connection));
      Contexts.dispatch(loopContext, connection, c -> handler.handle(c));
    });
  }

  private synchronized boolean remember(RpcConnectionImpl connection) {
    return !ending && connections.add(connection);
  }

  private synchronized void forget(RpcConnectionImpl connection) {
    connections.remove(connection);
  }

  @Override
  public Future<Void> close() {
    return close(options.getDrainTimeout().toNanos(), left -> RpcConnectionImpl::close);
  }

  @Override
  public Future<Void> shutdown(Duration timeout) {
    long nanos = RpcTimes.shutdown(timeout);
    if (Contexts.hasEnded(loopContext)) {
      return Future.succeededFuture();
    }
    List<RpcConnectionImpl> here = List.of();
    synchronized (this) {
      if (closed != null) {
        // It is closing already: those who are still here hear of the new time.
        here = List.copyOf(connections);
      }
    }
    here.forEach(connection -> connection.shutdown(timeout));
    farewell.limit(nanos);
    return close(nanos, left -> connection -> connection.shutdown(Duration.ofNanos(left)));
  }

  /**
   * Closes it in the given time.
   *
   * @param way how connections are closed, in what is left of the time when nobody new comes any more
   */
  private Future<Void> close(long nanos, LongFunction<Function<RpcConnectionImpl, Future<Void>>> way) {
    if (Contexts.hasEnded(loopContext)) {
      return Future.succeededFuture();
    }
    Promise<Void> promise;
    synchronized (this) {
      if (closed != null) {
        return closed;
      }
      promise = Contexts.promise(context);
      closed = promise.future();
      Contexts.removeCloseHook(context, this);
      services.close();
    }
    long end = System.nanoTime() + nanos;
    farewell.say(nanos, () -> end(way.apply(Math.max(0, end - System.nanoTime()))).onComplete(promise));
    return promise.future();
  }

  private Future<Void> end(Function<RpcConnectionImpl, Future<Void>> way) {
    Future<SharedListener> left;
    List<RpcConnectionImpl> open;
    synchronized (this) {
      ending = true;
      left = listener;
      listener = null;
      open = new ArrayList<>(connections);
    }
    // First nobody new, then those who are here, then the device.
    return (left == null ? Future.<Void>succeededFuture()
        : left.transform(result -> result.succeeded() ? result.result().leave(this) : Future.succeededFuture()))
        .eventually(() -> Future.join(open.stream().map(way).toList()))
        .eventually(this::forgetClients)
        .eventually(() -> left != null && left.succeeded() ? left.result().release() : Future.succeededFuture());
  }

  private Future<Void> forgetClients() {
    Promise<Void> promise = Contexts.promise(context);
    try {
      Contexts.eventLoop(loopContext).execute(() -> {
        clients.close();
        closeContexts();
        closeMeters();
        promise.complete();
      });
    } catch (RejectedExecutionException e) {
      // Vert.x has ended meanwhile.
      return Future.succeededFuture();
    }
    return promise.future();
  }

  private void closeContexts() {
    clientContexts.close();
    if (contexts != null) {
      contexts.close();
    }
  }

  private void closeMeters() {
    if (meters != null) {
      meters.close();
    }
    if (policy.meter() != null) {
      policy.meter().close();
    }
  }

  @Override
  public boolean isMetricsEnabled() {
    return meters != null;
  }

  @Override
  public void close(Completable<Void> completion) {
    close().onComplete(completion);
  }
}
