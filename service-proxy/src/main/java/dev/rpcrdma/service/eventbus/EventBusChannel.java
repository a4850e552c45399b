// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.service.eventbus.impl.EventBusChannelImpl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * A path to the services at an address of the event bus, for the same calls as a channel over RDMA, with the same
 * failures. Belongs to the context it was created on, with whose end it is closed. Thread-safe.
 *
 * <pre>{@code
 * EventBusChannel channel = EventBusChannel.create(vertx, "orders");
 * channel.bind(OrderEvents.class, order -> Future.succeededFuture());
 * Orders orders = channel.proxy(Orders.class);
 * }</pre>
 *
 * <p>A call fails with a {@link dev.rpcrdma.api.RpcConnectException} if nobody is registered at the address: it was not
 * executed. Each call goes to one of those who are. Payloads are lent until the call has its outcome, and copied. A
 * body of more than 1 MiB is written and read by workers, so that small calls overtake it; results are decoded there.
 */
public interface EventBusChannel extends RpcCaller {

  /**
   * Creates a channel with default options.
   *
   * @param vertx the instance it lives in
   * @param address where services are registered
   * @return a new channel, owned by the caller
   */
  static EventBusChannel create(Vertx vertx, String address) {
    return create(vertx, address, new EventBusChannelOptions());
  }

  /**
   * Creates a channel.
   *
   * @param vertx the instance it lives in
   * @param address where services are registered
   * @param options what it wants; copied
   * @return a new channel, owned by the caller
   */
  static EventBusChannel create(Vertx vertx, String address, EventBusChannelOptions options) {
    return new EventBusChannelImpl(vertx, address, options);
  }

  /**
   * Where services are registered.
   *
   * @return the address
   */
  String address();

  /**
   * Stands between the application and the calls that it makes from now on. The first that is added is nearest to the
   * application.
   *
   * @param interceptor hears of each call
   * @return this
   */
  EventBusChannel addCallInterceptor(CallInterceptor interceptor);

  /**
   * Stands before what is bound to this channel. The first that is added hears first.
   *
   * @param interceptor hears of each call
   * @return this
   * @throws IllegalStateException if something is bound already
   */
  EventBusChannel addServiceInterceptor(ServiceInterceptor interceptor);

  /**
   * Sends a token with each call from now on that has no header {@code auth-token} of its own.
   *
   * @param token of any length; null for none
   * @return this
   */
  EventBusChannel setToken(String token);

  /**
   * Serves a program to the services that this channel calls, at an address of its own: they reach it by {@link
   * dev.rpcrdma.api.RpcCall#peer}. Calls that are made from now on wait until it can be reached. Services that were
   * called before may go on with what was bound then.
   *
   * @param service what to serve; it and all that was bound before are called on duplicates of the current context from
   *     now on, and with that context's end no longer
   * @return this
   * @throws IllegalArgumentException if the program is served already
   * @throws dev.rpcrdma.api.RpcClosedException if the channel is closed
   */
  EventBusChannel bind(RpcService service);

  /**
   * Serves an annotated interface to the services that this channel calls.
   *
   * @param type the interface
   * @param implementation is called for each call
   * @param <S> the interface
   * @return this
   */
  default <S> EventBusChannel bind(Class<S> type, S implementation) {
    return bind(ServiceBinding.of(type).service(implementation));
  }

  /**
   * How many calls have no outcome.
   *
   * @return as of now
   */
  int calls();

  /**
   * Closes in good order: new calls fail, those under way, in both directions, may finish within {@link
   * dev.rpcrdma.api.RpcOptions#DEFAULT_DRAIN_TIMEOUT}. Idempotent.
   *
   * @return completes when none is left
   */
  Future<Void> close();
}
