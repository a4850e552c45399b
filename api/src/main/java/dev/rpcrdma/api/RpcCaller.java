// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.Future;

/** What can carry calls to a peer: a channel, over RDMA or another transport, or one connection of either direction. */
public interface RpcCaller {

  /**
   * Makes one call.
   *
   * @param request what to call; its arguments are encoded, and what they lend is retained, before this method returns.
   *     If a {@link CallInterceptor} makes the call later, or once more, then when it does so: until the outcome they
   *     must neither change nor be released
   * @param <T> the type of the results
   * @return the results, or an {@link RpcException}, what the service has failed with ({@link
   *     RpcRequest.Builder#results}), or what an interceptor fails with; to give the call up before, make it with a
   *     {@link Cancellation}. Memory that was exposed for the call is out of the peer's reach, or set aside, before it
   *     completes
   */
  <T> Future<T> call(RpcRequest<T> request);

  /**
   * A proxy of an annotated interface over this caller.
   *
   * @param type the interface
   * @param <S> the interface
   * @return a proxy, cheap, without state of its own
   * @throws IllegalArgumentException if no code was generated for the interface
   */
  default <S> S proxy(Class<S> type) {
    return proxy(type, CallOptions.DEFAULT);
  }

  /**
   * A proxy of an annotated interface whose calls have options of their own.
   *
   * @param type the interface
   * @param options of each call: a timeout, a credential, headers
   * @param <S> the interface
   * @return a proxy, cheap, without state of its own
   * @throws IllegalArgumentException if no code was generated for the interface
   */
  default <S> S proxy(Class<S> type, CallOptions options) {
    return ServiceBinding.of(type).proxy(this, options);
  }
}
