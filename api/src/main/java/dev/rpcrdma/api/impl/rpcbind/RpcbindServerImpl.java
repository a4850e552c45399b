// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.impl.connection.Messages;
import dev.rpcrdma.api.rpcbind.RpcbindServer;
import dev.rpcrdma.api.rpcbind.RpcbindServerOptions;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.RpcbindCaller;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.protocol.rpcbind.RpcbindResponder;
import dev.rpcrdma.protocol.rpcbind.RpcbindTable;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.protocol.rpcbind.UniversalAddressException;
import dev.rpcrdma.verbs.base.ZonedAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener, its connections, and the table that they share. */
public final class RpcbindServerImpl implements RpcbindServer {

  /** Who its own entries belong to: nobody who asks over the network is called so by Debian's either. */
  private static final String OWNER = "superuser";

  private final Vertx vertx;
  private final RpcbindServerOptions options;
  private final NetServer server;
  private final AtomicInteger connections = new AtomicInteger();
  /** Guarded by itself. */
  private final RpcbindTable table;
  private final RpcbindResponder responder;

  private RpcbindServerImpl(Vertx vertx, RpcbindServerOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.table = new RpcbindTable(options.maxEntries());
    this.responder = new RpcbindResponder(table);
    this.server = vertx.createNetServer(new NetServerOptions().setReuseAddress(true));
  }

  /** See {@link RpcbindServer#listen(Vertx, SocketAddress, RpcbindServerOptions)}. */
  public static Future<RpcbindServer> listen(Vertx vertx, SocketAddress address, RpcbindServerOptions options) {
    RpcbindServerImpl made = new RpcbindServerImpl(vertx, options);
    SocketAddress own = ZonedAddress.of(address);
    return made.server.connectHandler(made::connected).listen(own).<RpcbindServer>map(listening -> {
      made.listItself(address.host());
      return made;
    }).recover(e -> Future.failedFuture(new RpcListenException(Messages.at("No rpcbind on", address, e), e)));
  }

  private void listItself(String host) {
    UniversalAddress here;
    try {
      here = new UniversalAddress(SocketHosts.withoutZone(host), server.actualPort());
    } catch (UniversalAddressException e) {
      // A name; who has found it by that knows the address.
      here = new UniversalAddress(UniversalAddress.ANY, server.actualPort());
    }
    synchronized (table) {
      for (int version = RpcbindProgram.VERSION_4; version >= RpcbindProgram.VERSION_2; version--) {
        table.set(new Rpcb(RpcbindProgram.NUMBER, version, here.isIpv6() ? Netid.TCP6 : Netid.TCP, here.toString(),
            OWNER));
      }
    }
  }

  private void connected(NetSocket socket) {
    if (connections.incrementAndGet() > options.maxConnections()) {
      connections.decrementAndGet();
      socket.close();
      return;
    }
    socket.closeHandler(closed -> connections.decrementAndGet());
    new RpcbindConnection(vertx, socket, options.idleTimeout(), call -> answer(call, socket)).serve();
  }

  private byte[] answer(byte[] call, NetSocket socket) {
    String host = SocketHosts.withoutZone(socket.localAddress().hostAddress());
    RpcbindCaller caller = new RpcbindCaller(options.remoteChanges() || isHere(socket),
        host.indexOf(':') >= 0 ? Netid.TCP6 : Netid.TCP, host, (int) (System.currentTimeMillis() / 1000));
    synchronized (table) {
      return responder.answer(call, caller);
    }
  }

  /** Whether it comes from the loopback. */
  private static boolean isHere(NetSocket socket) {
    return LocalCallers.isLoopback(socket.remoteAddress().hostAddress());
  }

  @Override
  public int actualPort() {
    return server.actualPort();
  }

  @Override
  public List<Rpcb> entries() {
    synchronized (table) {
      return table.all();
    }
  }

  @Override
  public Future<Void> close() {
    return server.close();
  }
}
