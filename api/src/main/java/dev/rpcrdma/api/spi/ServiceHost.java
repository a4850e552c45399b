// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.impl.transport.ServiceHostImpl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Has services serve what a transport brings, as servers do over RDMA: with the same verdicts, deadlines and spans,
 * each call on a duplicate of the context that the host was created on, with {@link dev.rpcrdma.api.RpcCall#current}
 * set.
 */
public interface ServiceHost {

  /**
   * Creates one on the current context.
   *
   * @param vertx the instance it lives in
   * @param services each of a program, or version, of its own
   * @param interceptors stand before them; the one that hears first first
   * @param options how long services may take, and how many calls may be served at once
   * @return without a call
   * @throws IllegalArgumentException if two of the services have the same program and version
   */
  static ServiceHost create(Vertx vertx, List<RpcService> services, List<ServiceInterceptor> interceptors,
      TransportOptions options) {
    return new ServiceHostImpl(vertx, services, interceptors, options);
  }

  /**
   * Where calls are given to it.
   *
   * @return the context of an event loop: that which the host was created on, if it is one
   */
  Context context();

  /**
   * Serves a call, or refuses it.
   *
   * @param call has come just now
   * @return to be run, on the same context, if nobody waits for the call any more
   */
  Runnable serve(IncomingCall call);

  /**
   * How many calls are being served.
   *
   * @return as of now, for any thread
   */
  int calls();

  /**
   * Waits until no call is being served; they all end within the time that services may take.
   *
   * @return completes on the host's context, and never fails
   */
  Future<Void> idle();
}
