// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.serviceproxy.ServiceException;
import io.vertx.serviceproxy.ServiceExceptionMessageCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins two event buses over RDMA, for services whose interfaces this process need not have. Senders and consumers know
 * nothing of it: a request to a permitted address of one event bus is answered by a consumer of the other one.
 *
 * <pre>{@code
 * // where the callers are
 * EventBusBridge callers = EventBusBridge.create(vertx,
 *     new BridgeOptions().forward(BridgePermit.actions("orders", "place", "list")));
 * callers.forward(client.channel(address));
 *
 * // where the service is
 * EventBusBridge services = EventBusBridge.create(vertx,
 *     new BridgeOptions().deliver(BridgePermit.address("orders")));
 * server.bind(services.service());
 * }</pre>
 *
 * <p>What crosses: requests and their replies, replies to replies, failures of every kind with their codes, {@code
 * send} and {@code publish}, headers but those that begin with {@code __vertx.}, bodies that are null, text, JSON,
 * buffers, byte arrays or boxed primitives, and those given by {@link #addCodec}. Only what both ends permit crosses,
 * and that is nothing by default.
 *
 * <p>A service's reply may name an object by the header {@code proxyaddr}. Its caller finds there an address of its own
 * event bus, which the bridge has made. That header of requests does not cross.
 *
 * <p>Bridges of one Vert.x instance that have the same options, such as those of the instances of one verticle, know
 * these objects together, and the replies that wait for an answer. So the connections of a peer may come to different
 * ones. What they know ends with the last of them that is closed.
 *
 * <p>Safe for all threads.
 */
public final class EventBusBridge {

  private final Vertx vertx;
  private final BridgeOptions options;
  private final BridgedBodies bodies = new BridgedBodies();
  private final Traffic forwarded = new Traffic();
  private final BridgeTables tables;
  private final Deliverer service;
  /** Guarded by this. */
  private final List<Forwarder> forwarders = new ArrayList<>();
  private boolean closed;

  private EventBusBridge(Vertx vertx, BridgeOptions options) {
    this.vertx = vertx;
    this.options = new BridgeOptions(options);
    this.tables = BridgeTables.open(vertx, this.options);
    this.service = new Deliverer(vertx, this.options, bodies, tables);
  }

  /**
   * Creates one end of a bridge. Nothing crosses yet.
   *
   * @param vertx has the event bus
   * @param options what may cross; copied
   * @return the bridge
   * @throws IllegalArgumentException if an address is both forwarded and delivered: messages that are delivered would
   *     be forwarded back
   */
  public static EventBusBridge create(Vertx vertx, BridgeOptions options) {
    for (BridgePermit permit : options.getForwarded()) {
      if (options.getDelivered().stream().anyMatch(other -> other.address().equals(permit.address()))) {
        throw new IllegalArgumentException("The bridge both forwards and delivers " + permit.address()
            + ": messages that it delivers would come back to it. Use one address for each direction");
      }
    }
    try {
      vertx.eventBus().registerDefaultCodec(ServiceException.class, new ServiceExceptionMessageCodec());
    } catch (IllegalStateException e) {
      // As it should be: somebody else has registered it.
    }
    return new EventBusBridge(vertx, options);
  }

  /**
   * Takes bodies of a class across. Both ends need the same codec, and the event bus of each as well ({@link
   * io.vertx.core.eventbus.EventBus#registerCodec}).
   *
   * @param type the very class of bodies
   * @param codec writes and reads them
   * @param <T> the class
   * @return this
   * @throws IllegalArgumentException if its name is that of a codec of the event bus's own, or has more than 255 bytes
   */
  public <T> EventBusBridge addCodec(Class<T> type, MessageCodec<T, ?> codec) {
    bodies.register(type, codec);
    return this;
  }

  /**
   * What delivers messages of peers to this end's event bus, as far as {@link BridgeOptions#deliver} permits: to be
   * bound on a server, on a channel, or on a connection.
   *
   * @return always the same
   */
  public RpcService service() {
    return service;
  }

  /**
   * Forwards messages of this end's event bus to a peer, as far as {@link BridgeOptions#forward} permits. Several peers
   * take turns, as consumers of one address do.
   *
   * @param peer a channel, or the peer of a connection that serves the other end's {@link #service}
   * @return completes when the addresses are registered, throughout a cluster; fails with an {@link
   *     IllegalStateException} if the bridge is closed, with an {@link RpcClosedException} if Vert.x is. If one cannot
   *     be registered, none is
   */
  public Future<Void> forward(RpcCaller peer) {
    return open(new Forwarder(vertx, options, bodies, peer, forwarded, tables.consumers()));
  }

  /**
   * Forwards to the peer of a connection, as {@link #forward} does, for as long as there is that connection. For the
   * end that listens.
   *
   * @param connection whose peer has bound the other end's {@link #service}
   * @return completes when the addresses are registered, throughout a cluster; fails with an {@link
   *     IllegalStateException} if the bridge is closed, or the connection has ended
   */
  public Future<Void> forwardTo(RpcConnection connection) {
    Forwarder forwarder = new Forwarder(vertx, options, bodies, connection, forwarded, tables.consumers());
    if (connection.closeFuture().isComplete()) {
      return Future.failedFuture(new IllegalStateException("The connection has ended"));
    }
    // Open first: the end of the connection closes what is open.
    Future<Void> opened = open(forwarder);
    connection.closeFuture().onComplete(ended -> {
      synchronized (this) {
        forwarders.remove(forwarder);
      }
      forwarder.close();
    });
    return opened;
  }

  private Future<Void> open(Forwarder forwarder) {
    synchronized (this) {
      if (closed) {
        return Future.failedFuture(new IllegalStateException("The bridge is closed"));
      }
      if (tables.isOver()) {
        return Future.failedFuture(new RpcClosedException("Vert.x is closed"));
      }
      forwarders.add(forwarder);
    }
    return forwarder.open().recover(e -> {
      synchronized (this) {
        forwarders.remove(forwarder);
      }
      return forwarder.close().transform(done -> Future.failedFuture(e));
    });
  }

  /**
   * What went on.
   *
   * @return counts since it was created
   */
  public BridgeSnapshot snapshot() {
    int peers;
    synchronized (this) {
      peers = forwarders.size();
    }
    return new BridgeSnapshot(forwarded.snapshot(), service.traffic(), peers, service.conversations());
  }

  /**
   * Stops forwarding; {@link #service} goes on to deliver where it is bound. What is under way is still answered, as
   * long as its channel is open. Idempotent.
   *
   * @return completes when no address is registered any more
   */
  public Future<Void> close() {
    List<Forwarder> all;
    synchronized (this) {
      if (!closed) {
        closed = true;
        tables.close();
      }
      all = List.copyOf(forwarders);
      forwarders.clear();
    }
    return tables.isOver() ? Future.succeededFuture()
        : Future.join(all.stream().map(Forwarder::close).toList()).mapEmpty();
  }
}
