package dev.rpcrdma.api;

import dev.rpcrdma.api.spi.ServiceBinding;
import io.vertx.core.Future;

/**
 * A logical path from a client to a server, over one connection at a time. Proxies belong to the
 * channel, so that they can outlive a connection.
 */
public interface RpcChannel extends RpcCaller {

  /**
   * Connects now rather than with the first call. Also tells whether the server can be reached.
   *
   * @return the current connection, or an {@link RpcException}
   */
  Future<RpcConnection> connect();

  /**
   * Serves a program to the server, in the reverse direction, on every connection of this channel,
   * and announces it to a server that understands our control program.
   *
   * @param service what to serve
   * @return this
   */
  RpcChannel bind(RpcService service);

  /**
   * Serves an annotated interface to the server in the reverse direction.
   *
   * @param type the interface
   * @param implementation is called for each reverse call
   * @param <S> the interface
   * @return this
   */
  default <S> RpcChannel bind(Class<S> type, S implementation) {
    return bind(ServiceBinding.of(type).service(implementation));
  }

  /**
   * Closes the channel and its connection in good order. Idempotent.
   *
   * @return completes when the connection has ended
   */
  Future<Void> close();
}
