// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import dev.rpcrdma.api.impl.rpcbind.RpcbindServerImpl;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.List;

/**
 * A small rpcbind for machines without one: over TCP, versions 2 (NULL, GETPORT, DUMP), 3 and 4 (NULL, SET, UNSET,
 * GETADDR, DUMP, GETTIME). What is registered is forgotten when it is closed. An entry is taken back by who states the
 * owner that it was registered with, which nobody verifies. Belongs to the context it was made on; made inside a
 * verticle, it is closed when that is undeployed.
 *
 * <p>Port 111 is for who may listen below 1024.
 */
public interface RpcbindServer {

  /**
   * Starts to listen, with {@link RpcbindServerOptions#DEFAULT}.
   *
   * @param vertx the instance it lives in
   * @param address where, by its host's address; port 0 chooses a free one
   * @return the server, which lists itself as portmapper; or {@link dev.rpcrdma.api.RpcListenException}
   */
  static Future<RpcbindServer> listen(Vertx vertx, SocketAddress address) {
    return listen(vertx, address, RpcbindServerOptions.DEFAULT);
  }

  /**
   * Starts to listen.
   *
   * @param vertx the instance it lives in
   * @param address where, by its host's address; port 0 chooses a free one
   * @param options its bounds
   * @return the server, which lists itself as portmapper; or {@link dev.rpcrdma.api.RpcListenException}
   */
  static Future<RpcbindServer> listen(Vertx vertx, SocketAddress address, RpcbindServerOptions options) {
    return RpcbindServerImpl.listen(vertx, address, options);
  }

  /**
   * Where it listens.
   *
   * @return the port
   */
  int actualPort();

  /**
   * What is registered.
   *
   * @return in the order in which it was; a copy
   */
  List<Rpcb> entries();

  /**
   * Stops listening, and ends all connections. Idempotent.
   *
   * @return when it is done
   */
  Future<Void> close();
}
