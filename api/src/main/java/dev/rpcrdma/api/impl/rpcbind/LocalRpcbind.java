// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The rpcbind of this host, for those who register. By its socket it knows which user that is, so that no other user
 * takes the registration back; by TCP, where there is no such socket, it does not.
 */
final class LocalRpcbind {

  private static final Path SOCKET = Path.of("/run/rpcbind.sock");
  private static final String LOOPBACK = "127.0.0.1";

  private final Optional<Rpcbind> bySocket;
  private final Rpcbind byTcp;

  private LocalRpcbind(Optional<Rpcbind> bySocket, Rpcbind byTcp) {
    this.bySocket = bySocket;
    this.byTcp = byTcp;
  }

  /** The host's own if the port is that of all hosts, or else who listens at the port. */
  static LocalRpcbind of(Vertx vertx, int port, RpcbindOptions options) {
    return of(vertx, port == RpcbindProgram.PORT ? Optional.of(SOCKET) : Optional.empty(), port, options);
  }

  /** The same, with a socket of another name. */
  static LocalRpcbind of(Vertx vertx, Optional<Path> socket, int port, RpcbindOptions options) {
    return new LocalRpcbind(socket.filter(Files::exists).map(path ->
        Rpcbind.of(vertx, SocketAddress.domainSocketAddress(path.toString()), options)),
        Rpcbind.of(vertx, SocketAddress.inetSocketAddress(port, LOOPBACK), options));
  }

  /** See {@link Rpcbind#register}. */
  Future<Boolean> register(Rpcb entry) {
    return bySocket.map(rpcbind -> rpcbind.register(entry).recover(e -> isGone(e) ? byTcp.register(entry)
        : Future.failedFuture(e))).orElseGet(() -> byTcp.register(entry));
  }

  /** See {@link Rpcbind#unregister}; also what was registered by TCP, which belongs to nobody. */
  Future<Boolean> unregister(Rpcb entry) {
    return bySocket.map(rpcbind -> rpcbind.unregister(entry)
        .recover(e -> isGone(e) ? Future.succeededFuture(false) : Future.failedFuture(e))
        .compose(done -> done ? Future.succeededFuture(true) : byTcp.unregister(entry)))
        .orElseGet(() -> byTcp.unregister(entry));
  }

  /** Whether nobody listens at the socket any more, such as an rpcbind that was started without it. */
  private static boolean isGone(Throwable failure) {
    return failure instanceof RpcConnectException;
  }
}
