// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A TCP proxy on loopback for providers that travel over TCP: cuts the connections that go through it,
 * or keeps them and lets nothing pass any more.
 */
public final class CuttingProxy {

  private static final String HOST = "127.0.0.1";

  private final String host;
  private final NetClient client;
  private final NetServer server;
  private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
  /** Those of them that were taken. */
  private final Set<NetSocket> taken = ConcurrentHashMap.newKeySet();
  /** How many bytes may still pass before everything is cut; nothing is to be cut if it is not positive. */
  private final AtomicLong untilCut = new AtomicLong();
  private volatile SocketAddress target;
  /** Whose connections do not come through, by their source. */
  private volatile Predicate<SocketAddress> refused = source -> false;

  /**
   * Creates a proxy.
   *
   * @param vertx the instance it lives in
   * @param target where connections go
   */
  public CuttingProxy(Vertx vertx, SocketAddress target) {
    this(vertx, HOST, target);
  }

  /**
   * Creates a proxy.
   *
   * @param vertx the instance it lives in
   * @param host an address of loopback, where it listens
   * @param target where connections go
   */
  public CuttingProxy(Vertx vertx, String host, SocketAddress target) {
    this.host = host;
    this.target = target;
    this.client = vertx.createNetClient();
    this.server = vertx.createNetServer().connectHandler(this::connected);
  }

  /**
   * Starts.
   *
   * @return completes when connections are taken
   */
  public Future<Void> start() {
    return server.listen(0, host).mapEmpty();
  }

  /**
   * Where to connect instead of the target.
   *
   * @return an address on loopback
   */
  public SocketAddress address() {
    return SocketAddress.inetSocketAddress(server.actualPort(), host);
  }

  /**
   * Sends connections to come somewhere else, as if a server had been restarted behind its address.
   *
   * @param other where they go
   */
  public void redirect(SocketAddress other) {
    target = other;
  }

  private void connected(NetSocket socket) {
    sockets.add(socket);
    taken.add(socket);
    socket.closeHandler(closed -> forget(socket));
    if (refused.test(socket.remoteAddress())) {
      socket.close();
      return;
    }
    socket.pause();
    client.connect(target).onSuccess(other -> {
      if (!taken.contains(socket)) {
        other.close();
        return;
      }
      sockets.add(other);
      carry(socket, other);
      carry(other, socket);
      other.closeHandler(closed -> {
        sockets.remove(other);
        socket.close();
      });
      socket.closeHandler(closed -> {
        forget(socket);
        other.close();
      });
    }).onFailure(e -> socket.close());
  }

  private void forget(NetSocket socket) {
    taken.remove(socket);
    sockets.remove(socket);
  }

  private void carry(NetSocket from, NetSocket to) {
    from.handler(bytes -> {
      to.write(bytes);
      if (to.writeQueueFull()) {
        from.pause();
        to.drainHandler(drained -> from.resume());
      }
      if (untilCut.get() > 0 && untilCut.addAndGet(-bytes.length()) <= 0) {
        cut();
      }
    });
    from.endHandler(ended -> to.end());
    from.resume();
  }

  /**
   * Cuts everything as soon as so many more bytes have gone through, in both directions together.
   *
   * @param bytes at least 1
   */
  public void cutAfter(long bytes) {
    untilCut.set(bytes);
  }

  /**
   * Cuts everything that goes through.
   *
   * @return how many sockets were closed
   */
  public int cut() {
    int count = 0;
    for (NetSocket socket : sockets) {
      socket.close();
      count++;
    }
    return count;
  }

  /**
   * Cuts the connections from certain sources, and those to come as soon as they are made, until it is told otherwise.
   *
   * @param sources whose connections do not come through; of nobody, to mend it
   */
  public void refuse(Predicate<SocketAddress> sources) {
    refused = sources;
    taken.stream().filter(socket -> sources.test(socket.remoteAddress())).forEach(NetSocket::close);
  }

  /** Lets nothing pass any more on the connections that are there, in either direction. */
  public void stall() {
    sockets.forEach(NetSocket::pause);
  }

  /**
   * Stops, and cuts everything.
   *
   * @return completes when nothing is left
   */
  public Future<Void> close() {
    return server.close().eventually(() -> {
      cut();
      return client.close();
    });
  }
}
