// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A Vert.x instance with an open device, two domains and connected pairs of peers, all gone again
 * when it is closed. Closing checks what must hold at the end of each test: no rule of upcalls
 * broken, no exposure and no registration left.
 */
public final class VerbsBed implements AutoCloseable {

  /** Where devices listen that say nothing of their addresses, and tests that need no device. */
  public static final String HOST = "127.0.0.1";

  private final Vertx vertx;
  private final VerbsDevice device;
  private final ProtectionDomain clientDomain;
  private final ProtectionDomain serverDomain;
  private final List<Peer> peers = new CopyOnWriteArrayList<>();
  private final List<VerbsListener> listeners = new ArrayList<>();

  /**
   * Opens a device.
   *
   * @param provider whose
   * @param options how
   */
  public VerbsBed(VerbsProvider provider, DeviceOptions options) {
    vertx = Vertx.vertx();
    device = Waiting.await(vertx.executeBlocking(() -> provider.open(vertx, options)));
    clientDomain = device.allocateProtectionDomain();
    serverDomain = device.allocateProtectionDomain();
  }

  /**
   * The Vert.x instance.
   *
   * @return the instance
   */
  public Vertx vertx() {
    return vertx;
  }

  /**
   * The device.
   *
   * @return the device
   */
  public VerbsDevice device() {
    return device;
  }

  /**
   * A new context on one of the event loops.
   *
   * @return the context
   */
  public Context context() {
    return Contexts.newEventLoop(vertx);
  }

  /**
   * A new peer to connect, not connected.
   *
   * @return the peer
   */
  public Peer client() {
    return add(new Peer(clientDomain));
  }

  /**
   * A new peer to accept with, not connected.
   *
   * @return the peer
   */
  public Peer server() {
    return add(new Peer(serverDomain));
  }

  private Peer add(Peer peer) {
    peers.add(peer);
    return peer;
  }

  /**
   * A free port of the device.
   *
   * @return to listen on
   */
  public SocketAddress anyPort() {
    return SocketAddress.inetSocketAddress(0, device.attributes().hosts().stream().findFirst().orElse(HOST));
  }

  /**
   * Listens on a free port.
   *
   * @param handler of requests
   * @return the listener
   */
  public VerbsListener listen(Handler<ConnectionRequest> handler) {
    return listen(anyPort(), handler);
  }

  /**
   * Listens.
   *
   * @param address where
   * @param handler of requests
   * @return the listener
   */
  public VerbsListener listen(SocketAddress address, Handler<ConnectionRequest> handler) {
    VerbsListener listener = Waiting.await(device.listen(context(), address, handler));
    listeners.add(listener);
    return listener;
  }

  /**
   * Connects two new peers.
   *
   * @return both ends, established
   */
  public Pair connect() {
    return connect(client(), server());
  }

  /**
   * Connects two peers.
   *
   * @param client the connecting side
   * @param server the accepting side
   * @return both ends, established
   */
  public Pair connect(Peer client, Peer server) {
    return connect(client, ConnectionOptions.DEFAULT, server, ConnectionOptions.DEFAULT);
  }

  /**
   * Connects two peers.
   *
   * @param client the connecting side
   * @param clientOptions its options
   * @param server the accepting side
   * @param serverOptions its options
   * @return both ends, established
   */
  public Pair connect(Peer client, ConnectionOptions clientOptions, Peer server,
      ConnectionOptions serverOptions) {
    Promise<Void> accepted = Promise.promise();
    VerbsListener listener = listen(request ->
        accept(request, server, serverOptions).<Void>mapEmpty().onComplete(accepted));
    Waiting.await(connect(listener.localAddress(), client, clientOptions));
    Waiting.await(accepted.future());
    client.awaitEstablished();
    server.awaitEstablished();
    return new Pair(client, server);
  }

  /**
   * Connects one peer on a new context.
   *
   * @param remote to where
   * @param peer the connecting side
   * @param options its options
   * @return of the connect
   */
  public Future<QueuePair> connect(SocketAddress remote, Peer peer, ConnectionOptions options) {
    return device.connect(context(), remote, peer.domain(), options, peer::setUp);
  }

  /**
   * Accepts one request on a new context.
   *
   * @param request of a peer
   * @param peer the accepting side
   * @param options its options
   * @return of the accept
   */
  public Future<QueuePair> accept(ConnectionRequest request, Peer peer,
      ConnectionOptions options) {
    return request.accept(context(), peer.domain(), options, peer::setUp);
  }

  /**
   * Both ends of a connection.
   *
   * @param client the side that connected
   * @param server the side that accepted
   */
  public record Pair(Peer client, Peer server) {

    /** Waits until both ends are gone. */
    public void awaitDisconnected() {
      client.awaitDisconnected();
      server.awaitDisconnected();
    }
  }

  /** Closes the device and checks that nothing is left. */
  @Override
  public void close() {
    try {
      listeners.forEach(listener -> Waiting.await(listener.close()));
      Waiting.await(device.close());
      peers.forEach(peer -> assertThat(peer.handler().violations()).isEmpty());
      Waiting.await(clientDomain.close());
      Waiting.await(serverDomain.close());
      LeakCheck.assertNoRegistrations(clientDomain);
      LeakCheck.assertNoRegistrations(serverDomain);
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
