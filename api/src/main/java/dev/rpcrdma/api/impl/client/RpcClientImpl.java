// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.impl.call.CurrentCall;
import dev.rpcrdma.api.impl.call.Interceptors;
import dev.rpcrdma.api.impl.connection.Connector;
import dev.rpcrdma.api.impl.connection.Devices;
import dev.rpcrdma.api.impl.connection.HeaderTypes;
import dev.rpcrdma.api.impl.connection.Messages;
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
import dev.rpcrdma.api.impl.resolver.RpcbindEndpoints;
import dev.rpcrdma.api.impl.tls.ReloadableTls;
import dev.rpcrdma.api.rpcbind.RpcbindAddress;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A client: a context, a device, and the channels made so far. */
public final class RpcClientImpl implements RpcClient, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(RpcClientImpl.class);

  private final Context context;
  /** Whose loops channels are on; the first is its own. */
  private final List<Context> loops;
  private final RpcClientOptions options;
  private final Interceptors interceptors;
  /** Null if there is none. */
  private final Supplier<Future<String>> token;
  /** Null if nobody watches. */
  private final Meters meters;
  /** Null for plaintext. */
  private final ReloadableTls<ClientSSLOptions, ClientTls> tls;
  /** Null without Kerberos. */
  private final SecurityMechanism.Initiator initiator;
  /** Null if nothing protects calls. */
  private final ServerContexts contexts;
  /** Judges calls of servers; null if it has no keys. */
  private final SecurityMechanism.Acceptor accepting;
  private final HeaderTypes headerTypes = new HeaderTypes();
  /** Guarded by this. */
  private final Set<RpcChannel> channels = new HashSet<>();
  /** Null without a resolver. */
  private final Addresses addresses;
  /** What rpcbinds say; guarded by this, null until the first such channel. */
  private Addresses rpcbinds;
  private final List<ProviderOptions> providers;
  /** Guarded by this: by provider, null until the first connection with it, and after close. */
  private final SharedDevice[] devices;
  /** Set while guarded by this; null until close. */
  private Future<Void> closed;

  /**
   * See {@link RpcClient#builder}.
   *
   * @param vertx the instance it lives in
   * @param options what it wants
   * @param statistics gathers what it does; null if nobody wants to know
   * @param interceptors stand around its calls and services
   * @param token gives the token to show to servers; null if there is none
   * @param routing which servers an address stands for
   */
  public RpcClientImpl(Vertx vertx, RpcClientOptions options, RpcStatistics statistics, Interceptors interceptors,
      Supplier<Future<String>> token, Routing routing) {
    VertxVersion.check();
    // Also in a service, whose call is no business of this client.
    this.context = Contexts.unwrap(vertx.getOrCreateContext());
    CurrentCall.check(context);
    this.loops = LoopContext.several(context, options.getConnections());
    this.options = options;
    this.interceptors = interceptors;
    this.token = token;
    this.providers = Devices.providers(options);
    this.devices = new SharedDevice[providers.size()];
    this.tls = options.getTls().map(wanted -> ReloadableTls.client(vertx, wanted)).orElse(null);
    KerberosOptions kerberos = options.getKerberos().orElse(null);
    SecurityMechanism mechanism = null;
    if (kerberos != null) {
      check(kerberos);
      mechanism = SecurityMechanism.kerberos();
    }
    // What is refused is refused above: from here on things are opened.
    this.addresses = routing.resolver() == null ? null
        : new Addresses(context.owner(), Contexts.eventLoop(context), routing);
    this.meters = Meters.of(context.owner(), (StatisticsImpl) statistics, options.getMetricsName());
    if (kerberos == null) {
      this.initiator = null;
      this.contexts = null;
      this.accepting = null;
    } else {
      this.initiator = mechanism.initiate(vertx, kerberos, options.getConnectTimeout());
      this.contexts = new ServerContexts(initiator);
      // Whoever has keys can be called with a ticket for them.
      this.accepting = kerberos.getKeytab().isPresent() ? mechanism.accept(vertx, kerberos) : null;
    }
    Contexts.addCloseHook(context, this);
  }

  private void check(KerberosOptions kerberos) {
    KerberosCheck.check(kerberos, true, tls != null);
    if (!KerberosCheck.calls(kerberos)) {
      throw new IllegalArgumentException("kerberos does not say who is called: set its service, such as nfs, or its"
          + " peer");
    }
    if (token != null) {
      throw new IllegalArgumentException("A client proves who it is by Kerberos or by a token, not by both");
    }
  }

  /** Null if nothing protects calls. */
  ServerContexts contexts() {
    return contexts;
  }

  Authenticator authenticator() {
    return accepting == null ? Authenticator.PLAIN : accepting.authenticator();
  }

  /**
   * How addresses become servers.
   *
   * @param resolver says which servers an address stands for; null if there is none
   * @param balancer chooses one of them
   */
  public record Routing(AddressResolver<?> resolver, LoadBalancer balancer) {}

  @Override
  public synchronized RpcChannel channel(Address address) {
    if (closed != null) {
      throw new RpcClosedException("The client is closed");
    }
    RpcChannel channel = make(address);
    channels.add(channel);
    return channel;
  }

  private RpcChannel make(Address address) {
    if (addresses != null && addresses.resolves(address)) {
      return new ResolvedChannel(this, address, addresses);
    }
    if (address instanceof RpcbindAddress) {
      return new ResolvedChannel(this, address, rpcbinds());
    }
    if (address instanceof SocketAddress server) {
      return part(server, () -> false);
    }
    throw new IllegalArgumentException(Causes.text(address) + " is no SocketAddress, and " + (addresses == null
        ? "the client has no address resolver" : "the client's address resolver does not take it")
        + ": give the client a resolver of " + address.getClass().getName() + " by withAddressResolver");
  }

  /** Guarded by this. */
  private Addresses rpcbinds() {
    if (rpcbinds == null) {
      AddressResolver<RpcbindAddress> resolver = RpcbindEndpoints::new;
      rpcbinds = new Addresses(context.owner(), Contexts.eventLoop(context),
          new Routing(resolver, LoadBalancer.ROUND_ROBIN));
    }
    return rpcbinds;
  }

  /**
   * A channel to a server.
   *
   * @param elsewhere whether its calls have other servers to go to now
   */
  ServerChannel part(SocketAddress server, BooleanSupplier elsewhere) {
    return loops.size() == 1 ? new RpcChannelImpl(this, loops.get(0), server, elsewhere)
        : new LanesChannel(this, server, loops, elsewhere);
  }

  Context context() {
    return context;
  }

  @Override
  public RpcClient register(HeaderType type) {
    headerTypes.register(type);
    return this;
  }

  HeaderTypes headerTypes() {
    return headerTypes;
  }

  Interceptors interceptors() {
    return interceptors;
  }

  Supplier<Future<String>> token() {
    return token;
  }

  Meters meters() {
    return meters;
  }

  @Override
  public boolean isMetricsEnabled() {
    return meters != null;
  }

  RpcClientOptions options() {
    return options;
  }

  void forget(RpcChannel channel) {
    synchronized (this) {
      channels.remove(channel);
    }
  }

  /** Connects a channel, on its loop, with the first provider, or others if it may. */
  Future<RpcConnectionImpl> connect(RpcChannelImpl channel, SocketAddress address) {
    return connect(channel, address, 0);
  }

  private Future<RpcConnectionImpl> connect(RpcChannelImpl channel, SocketAddress address, int place) {
    SharedDevice shared;
    synchronized (this) {
      if (closed != null) {
        return Contexts.failedFuture(context, new RpcClosedException("The client is closed"));
      }
      shared = device(place);
    }
    Context loopContext = channel.loopContext();
    return LoopCalls.on(Contexts.eventLoop(loopContext), shared.opened().compose(this::withKeys))
        .compose(ready -> new Connector(loopContext, options, ready.device(), channel.begin())
            .connect(address, ready.keys(), channel::prepare))
        .recover(e -> failed(channel, address, place, place + 1, e));
  }

  private record Ready(SharedDevice.Opened device, Optional<ClientTls> keys) {}

  private Future<Ready> withKeys(SharedDevice.Opened opened) {
    return tls == null ? Future.succeededFuture(new Ready(opened, Optional.empty()))
        : tls.get().map(keys -> new Ready(opened, Optional.of(keys)));
  }

  /** Goes on with the next provider, if it may and there is one; never with one without TLS if there is to be TLS. */
  private Future<RpcConnectionImpl> failed(RpcChannelImpl channel, SocketAddress address, int place, int next,
      Throwable cause) {
    if (!options.isProviderFallback() || next >= providers.size()) {
      return Future.failedFuture(new RpcConnectException(
          Messages.at("Cannot connect to", address, cause) + Rejection.reason(cause), cause));
    }
    return LoopCalls.on(Contexts.eventLoop(channel.loopContext()), mayFallBack(next)).compose(may -> {
      if (!may) {
        return failed(channel, address, place, next + 1, cause);
      }
      LOG.warn("No connection to " + address + " with the provider " + providers.get(place).name()
          + "; falling back to " + providers.get(next).name() + ": " + Causes.message(cause));
      Promise<RpcConnectionImpl> promise = Promise.promise();
      Contexts.eventLoop(channel.loopContext()).execute(() -> {
        channel.fellBack();
        connect(channel, address, next).onComplete(promise);
      });
      return promise.future();
    });
  }

  private Future<Boolean> mayFallBack(int place) {
    if (tls == null) {
      return Future.succeededFuture(true);
    }
    SharedDevice next;
    synchronized (this) {
      if (closed != null) {
        return Future.succeededFuture(false);
      }
      next = device(place);
    }
    // One that cannot be opened says so when it is connected with.
    return next.opened().transform(opened -> Future.succeededFuture(
        opened.failed() || opened.result().device().attributes().tls()));
  }

  @Override
  public Future<Boolean> updateSSLOptions(ClientSSLOptions wanted, boolean force) {
    ClientSSLOptions copy = wanted.copy();
    return Contexts.future(CallerContext.orElse(context), promise -> update(copy, force).onComplete(promise));
  }

  private Future<Boolean> update(ClientSSLOptions wanted, boolean force) {
    if (isClosed()) {
      return Future.failedFuture(new RpcClosedException("The client is closed"));
    }
    if (tls == null) {
      return Future.failedFuture(new IllegalStateException("The client has no TLS; its option 'tls' brings it"));
    }
    return tls.update(wanted, force).recover(e -> Future.failedFuture(
        new RpcConnectException(Causes.message(e) + ". What was in force stays so", e)));
  }

  private synchronized boolean isClosed() {
    return closed != null;
  }

  /** Opened the first time; guarded by this. */
  private SharedDevice device(int place) {
    SharedDevice device = devices[place];
    if (device != null && device.opened().failed()) {
      // It may work this time: the cause may have been mended.
      device.release();
      device = null;
    }
    if (device == null) {
      device = SharedDevice.acquire(context.owner(), providers.get(place), options.getCapture());
      devices[place] = device;
    }
    return device;
  }

  @Override
  public Future<Void> close() {
    return close(RpcChannel::close);
  }

  @Override
  public Future<Void> shutdown(Duration timeout) {
    RpcTimes.shutdown(timeout);
    return close(channel -> channel.shutdown(timeout));
  }

  private Future<Void> close(Function<RpcChannel, Future<Void>> way) {
    Promise<Void> promise = Promise.promise();
    List<RpcChannel> all;
    boolean first;
    synchronized (this) {
      all = List.copyOf(channels);
      first = closed == null;
      if (first) {
        closed = promise.future();
      }
    }
    // Not guarded: channels have locks of their own.
    Future<?> ended = Future.join(all.stream().map(way).toList());
    if (first) {
      Contexts.removeCloseHook(context, this);
      resolving().forEach(Addresses::stop);
      ended.<Void>mapEmpty().eventually(this::release).onComplete(promise);
    }
    return closed;
  }

  private Future<Void> release() {
    resolving().forEach(Addresses::close);
    if (accepting != null) {
      accepting.close();
    }
    if (initiator != null) {
      initiator.close();
    }
    return releaseDevices();
  }

  private synchronized List<Addresses> resolving() {
    return Stream.of(addresses, rpcbinds).filter(Objects::nonNull).toList();
  }

  private synchronized Future<Void> releaseDevices() {
    List<SharedDevice> open = Arrays.stream(devices).filter(Objects::nonNull).toList();
    Arrays.fill(devices, null);
    return Future.join(open.stream().map(SharedDevice::release).toList()).mapEmpty();
  }

  @Override
  public void close(Completable<Void> completion) {
    close().onComplete(completion);
  }
}
