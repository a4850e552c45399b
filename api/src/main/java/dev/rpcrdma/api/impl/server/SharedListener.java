// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.PendingReplies;
import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.impl.connection.Devices;
import dev.rpcrdma.api.impl.connection.SharedDevice;
import dev.rpcrdma.api.impl.tls.ReloadableTls;
import dev.rpcrdma.api.impl.tls.TlsKey;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One listening address of a Vert.x instance, and the servers behind it. Connections go to them in
 * turn; when a server leaves, the others go on; when the last one leaves, the address is free.
 */
final class SharedListener {

  private record Key(Vertx vertx, List<ProviderOptions> providers, String capture, Optional<TlsKey> tls,
      SocketAddress address) {}

  /** Guarded by itself; addresses with port 0 are never shared. */
  private static final Map<Key, Future<SharedListener>> LISTENING = new HashMap<>();

  /** Guarded by {@link #LISTENING}: another one when TLS is another. */
  private Key key;
  private final Vertx vertx;
  private final SocketAddress wanted;
  private final Devices devices;
  /** Null for plaintext. */
  private final ReloadableTls<ServerSSLOptions, ServerTls> tls;
  /** Guarded by this. */
  private final List<RpcServerImpl> servers = new ArrayList<>();
  /** Guarded by this: where clients have been sent to. */
  private final Map<ClientKey, Arrivals> arrivals = new HashMap<>();
  /** Guarded by this. */
  private int next;
  /** Guarded by this: the last server has left. */
  private boolean closing;
  /** One for each provider; set before anybody gets this. */
  private final List<VerbsListener> listeners = new ArrayList<>();

  /** Which server a client is sent to, and what keeps it there. */
  private static final class Arrivals {

    private final RpcServerImpl server;
    /** How often it was sent to the server, and that has not noticed yet. */
    private int underWay;
    private boolean remembered;

    Arrivals(RpcServerImpl server) {
      this.server = server;
    }
  }

  private SharedListener(Key key, Devices devices, ReloadableTls<ServerSSLOptions, ServerTls> tls) {
    this.key = key;
    this.vertx = key.vertx;
    this.wanted = key.address;
    this.devices = devices;
    this.tls = tls;
  }

  /**
   * Listens, or joins those who do; each calls {@link #leave} and then {@link #release} once.
   *
   * @param tls what connections are secured by, if this one is the first; null for plaintext
   */
  static Future<SharedListener> join(RpcServerImpl server, Context context,
      SocketAddress address, RpcServerOptions options, ReloadableTls<ServerSSLOptions, ServerTls> tls) {
    Key key = new Key(context.owner(), Devices.providers(options), options.getCapture(),
        Optional.ofNullable(tls).map(ReloadableTls::key), address);
    Devices devices = Devices.acquire(context.owner(), options);
    Future<SharedListener> listening;
    synchronized (LISTENING) {
      listening = address.port() == 0 ? null : LISTENING.get(key);
      if (listening == null || listening.failed()) {
        SharedListener first = new SharedListener(key, devices, tls);
        listening = devices.opened().compose(opened -> first.withKeys().compose(ready -> first.listen(opened)));
        if (address.port() != 0) {
          LISTENING.put(key, listening);
        }
      }
    }
    Future<SharedListener> joining = listening;
    return joining.recover(e -> {
      synchronized (LISTENING) {
        LISTENING.remove(key, joining);
      }
      return devices.release().transform(done -> Future.failedFuture(e));
    }).compose(shared -> shared.add(server) ? Future.succeededFuture(shared)
        // The last server has just left it: listen anew.
        : devices.release().compose(done -> join(server, context, address, options, tls)));
  }

  private Future<?> withKeys() {
    return tls == null ? Future.succeededFuture() : tls.get();
  }

  /** At the same address on each device: what the first one chooses is where the others listen. */
  private Future<SharedListener> listen(List<SharedDevice.Opened> opened) {
    Future<SharedListener> listening = Future.succeededFuture(this);
    for (SharedDevice.Opened device : opened) {
      listening = listening.compose(none -> listen(device));
    }
    return listening.recover(e -> stop().transform(done -> Future.failedFuture(e)));
  }

  private Future<SharedListener> listen(SharedDevice.Opened device) {
    // A context of its own: no server's end may end the listener.
    Context context = Contexts.newEventLoop(vertx);
    SocketAddress at = listeners.isEmpty() ? wanted
        : SocketAddress.inetSocketAddress(address().port(), wanted.host());
    ListenOptions options = tls == null ? ListenOptions.DEFAULT : ListenOptions.DEFAULT.withTls(tls::now);
    try {
      device.checkTls(options.tls());
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
    return device.device().listen(context, at, options, request -> incoming(request, device)).map(listener -> {
      listeners.add(listener);
      return this;
    });
  }

  /** Replaces what connections are secured by, for those to come to all servers behind it. */
  Future<Boolean> updateTls(ServerSSLOptions options, boolean force) {
    return tls.update(options, force).onSuccess(replaced -> rename());
  }

  /** Who joins has the options that are in force. */
  private void rename() {
    synchronized (LISTENING) {
      Future<SharedListener> self = LISTENING.get(key);
      if (self != null && self.succeeded() && self.result() == this) {
        LISTENING.remove(key);
        key = new Key(vertx, key.providers, key.capture, Optional.of(tls.key()), wanted);
        LISTENING.put(key, self);
      }
    }
  }

  /** What it listens with. */
  List<String> devices() {
    return devices.names();
  }

  /** The replies of a server with that bound, on all devices. */
  PendingReplies pendingReplies(long maxBytes) {
    return devices.open().map(device -> device.rooms().of(maxBytes))
        .map(room -> new PendingReplies(room.usedBytes(), room.maxBytes(), room.waiting()))
        .reduce(PendingReplies.NONE, PendingReplies::plus);
  }

  private Future<Void> stop() {
    return Future.join(listeners.stream().map(VerbsListener::close).toList()).mapEmpty();
  }

  private synchronized boolean add(RpcServerImpl server) {
    if (closing) {
      return false;
    }
    servers.add(server);
    server.joined(this);
    return true;
  }

  SocketAddress address() {
    return listeners.get(0).localAddress();
  }

  private void incoming(ConnectionRequest request, SharedDevice.Opened device) {
    Optional<SessionBlock> shown = SessionBlock.find(request.privateData().getBytes());
    ClientKey client = ClientKey.of(shown, request.remoteAddress());
    RpcServerImpl server = serverOf(client);
    if (server == null) {
      RpcServerImpl.reject(request, "the server is closing", device);
    } else {
      server.accept(request, client, shown, device);
    }
  }

  /**
   * Who comes again comes to the server that it came to before, even if that has not got so far as to know
   * it; others go to them in turn. Two servers would make two sessions of one client.
   */
  private synchronized RpcServerImpl serverOf(ClientKey client) {
    if (servers.isEmpty()) {
      return null;
    }
    Arrivals known = arrivals.computeIfAbsent(client,
        key -> new Arrivals(servers.get(Math.floorMod(next++, servers.size()))));
    known.underWay++;
    return known.server;
  }

  /** A server remembers a client no more, unless it has come again since. */
  synchronized void forgotten(ClientKey client, RpcServerImpl server) {
    Arrivals known = arrivals.get(client);
    if (known != null && known.server == server) {
      known.remembered = false;
      removeIfFree(client, known);
    }
  }

  /** A server has noticed a client that was sent to it, and remembers it from now on, or does not. */
  synchronized void taken(ClientKey client, RpcServerImpl server, boolean remembered) {
    Arrivals known = arrivals.get(client);
    if (known != null && known.server == server) {
      known.underWay--;
      known.remembered |= remembered;
      removeIfFree(client, known);
    }
  }

  private void removeIfFree(ClientKey client, Arrivals known) {
    if (known.underWay == 0 && !known.remembered) {
      arrivals.remove(client);
    }
  }

  /** Takes a server out; the last one frees the address. */
  Future<Void> leave(RpcServerImpl server) {
    synchronized (this) {
      servers.remove(server);
      arrivals.values().removeIf(known -> known.server == server);
      if (!servers.isEmpty()) {
        return Future.succeededFuture();
      }
      closing = true;
    }
    synchronized (LISTENING) {
      LISTENING.values().removeIf(other -> other.succeeded() && other.result() == this);
    }
    return stop();
  }

  /** Gives up one server's share of the devices, after its connections have ended. */
  Future<Void> release() {
    return devices.release();
  }
}
