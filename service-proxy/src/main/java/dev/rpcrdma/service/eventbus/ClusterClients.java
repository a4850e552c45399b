// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.service.eventbus.impl.Relay;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Clients that can be called back from each node of a cluster, through whichever node they are connected to. Each node
 * has one; which clients it has it says by addresses of the event bus, and calls to clients of others go over that.
 *
 * <pre>{@code
 * ClusterClients clients = ClusterClients.create(vertx).calling(OrderEvents.class);
 * // in a service, as soon as it knows who calls
 * clients.connected("trader 17", RpcCall.current().connection());
 * // on any node
 * clients.peer("trader 17").proxy(OrderEvents.class).shipped(17);
 * }</pre>
 *
 * <p>Who may send on the cluster's event bus may call its clients. Safe for all threads.
 */
public final class ClusterClients {

  /** What addresses of clients begin with. */
  private static final String ADDRESS = "rpcrdma:client:";

  /** Channels that are open, unless more have calls. */
  private static final int MOST_CHANNELS = 1_000;

  /** A client as others call it. */
  private record Peer(ClusterClients clients, String id) implements RpcCaller {

    @Override
    public <T> Future<T> call(RpcRequest<T> request) {
      Channel channel = clients.channel(id);
      try {
        // From now on the channel counts it, whatever becomes of the caller's threads.
        return channel.calls.call(request);
      } finally {
        clients.ended(channel);
      }
    }
  }

  /** Channel to a client. */
  private static final class Channel {

    private final EventBusChannel calls;
    /** Number of calls that have no outcome. Guarded by the owner. */
    private int pending;

    Channel(EventBusChannel calls) {
      this.calls = calls;
    }
  }

  /** A connection of a client. */
  private record Known(String id, RpcConnection connection) {}

  private final Vertx vertx;
  private final int mostChannels;
  /** Opens a channel to an address. */
  private final Function<String, EventBusChannel> opening;
  /** Guarded by this, as all below. */
  private final List<Class<?>> interfaces = new ArrayList<>();
  private final Map<Known, Future<RpcRegistration>> connected = new HashMap<>();
  /** Those that were used last are last. */
  private final Map<String, Channel> channels = new LinkedHashMap<>(16, 0.75f, true);

  /** Creates a node's part; tests have other bounds, and look at the channels that it opens. */
  ClusterClients(Vertx vertx, int mostChannels, Function<String, EventBusChannel> opening) {
    this.vertx = Objects.requireNonNull(vertx, "vertx");
    this.mostChannels = mostChannels;
    this.opening = opening;
  }

  /**
   * Creates a node's part, which knows no client.
   *
   * @param vertx has the event bus
   * @return the node's part
   */
  public static ClusterClients create(Vertx vertx) {
    return new ClusterClients(vertx, MOST_CHANNELS, address -> open(vertx, address));
  }

  /**
   * Takes calls of an interface to its clients from other nodes.
   *
   * @param type what clients serve in the reverse direction
   * @return this
   */
  public synchronized ClusterClients calling(Class<?> type) {
    interfaces.add(Objects.requireNonNull(type, "type"));
    return this;
  }

  /**
   * Has a client called over a connection of this node, until that ends. One that is connected several times is called
   * over each connection in turn.
   *
   * @param id by which all nodes know the client
   * @param connection its connection; what it is called for must be bound at its other end
   * @return completes when the cluster knows; the same if it was told before. If it fails, the client is not known, and
   *     may be told again
   */
  public Future<Void> connected(String id, RpcConnection connection) {
    Promise<Void> known = Contexts.promise(vertx.getOrCreateContext());
    registered(new Known(id, connection)).<Void>mapEmpty().onComplete(known);
    return known.future();
  }

  private synchronized Future<RpcRegistration> registered(Known client) {
    Future<RpcRegistration> known = connected.get(client);
    if (known != null) {
      return known;
    }
    Future<RpcRegistration> registered = register(client);
    connected.put(client, registered);
    registered.onFailure(e -> forget(client));
    client.connection.closeFuture().onComplete(ended -> forget(client));
    return registered;
  }

  /** On a context of its own: the verticle that names a client may end before the client's connection does. */
  private Future<RpcRegistration> register(Known client) {
    // The caller and the client say how long a call takes, not the node in between.
    RpcServiceBinder binder = new RpcServiceBinder(vertx).setAddress(ADDRESS + client.id).setTimeout(Relay.LONGEST);
    List<RpcService> relays = interfaces.stream()
        .<RpcService>map(type -> new Relay(ServiceBinding.of(type).upperLayerBinding(), client.connection)).toList();
    Promise<RpcRegistration> promise = Promise.promise();
    Contexts.dispatch(Contexts.newEventLoop(vertx), relays, services -> {
      try {
        binder.register(services, false).onComplete(promise);
      } catch (Throwable e) {
        promise.tryFail(e);
      }
    });
    return promise.future();
  }

  private void forget(Known client) {
    Future<RpcRegistration> registered;
    synchronized (this) {
      registered = connected.remove(client);
    }
    if (registered != null) {
      registered.onSuccess(RpcRegistration::close);
    }
  }

  /**
   * A client, wherever it is connected.
   *
   * @param id by which all nodes know it
   * @return calls fail with a {@link dev.rpcrdma.api.RpcConnectException} as long as no node has it
   */
  public RpcCaller peer(String id) {
    return new Peer(this, Objects.requireNonNull(id, "id"));
  }

  /** On a context of its own: with the end of the verticle that calls first, nobody would call that client any more. */
  private static EventBusChannel open(Vertx vertx, String address) {
    AtomicReference<EventBusChannel> channel = new AtomicReference<>();
    Contexts.dispatch(Contexts.newEventLoop(vertx), address, where ->
        channel.set(EventBusChannel.create(vertx, where)));
    return channel.get();
  }

  /** Returns the channel to a client for one call, which ends by {@link #ended}. */
  private synchronized Channel channel(String id) {
    Channel channel = channels.computeIfAbsent(id, client -> new Channel(opening.apply(ADDRESS + client)));
    channel.pending++;
    if (channels.size() > mostChannels) {
      closeIdle();
    }
    return channel;
  }

  private synchronized void ended(Channel channel) {
    channel.pending--;
  }

  /** Closes the channel that was used least recently among those without calls, if there is one. */
  private void closeIdle() {
    for (Iterator<Channel> oldest = channels.values().iterator(); oldest.hasNext();) {
      Channel channel = oldest.next();
      if (channel.pending == 0 && channel.calls.calls() == 0) {
        oldest.remove();
        channel.calls.close();
        return;
      }
    }
  }
}
