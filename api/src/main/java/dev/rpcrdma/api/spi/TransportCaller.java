// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.impl.transport.TransportCallerImpl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** Makes calls over a transport as channels make them over RDMA, with the same outcomes. Thread-safe. */
public interface TransportCaller extends RpcCaller {

  /**
   * Creates one on the event loop of the current context.
   *
   * @param vertx the instance it lives in
   * @param transport carries its calls
   * @param options of its calls
   * @return without a call
   */
  static TransportCaller create(Vertx vertx, CallTransport transport, TransportOptions options) {
    return new TransportCallerImpl(vertx, transport, options);
  }

  /**
   * This caller behind others.
   *
   * @param interceptors the application's nearest first
   * @return its calls go through them
   */
  RpcCaller behind(List<CallInterceptor> interceptors);

  /**
   * Where the transport is called.
   *
   * @return a context of an event loop
   */
  Context context();

  /**
   * How many calls have no outcome.
   *
   * @return as of now
   */
  int calls();

  /**
   * Fails all calls that are made from now on with an {@link dev.rpcrdma.api.RpcClosedException}, and those under way
   * that have not ended in time.
   *
   * @param drain how long these may take
   * @return completes when no call is left; never fails
   */
  Future<Void> close(Duration drain);
}
