// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;

/**
 * A logical path from a client to a server, over one connection at a time. Proxies belong to the
 * channel, so that they outlive a connection.
 *
 * <p>If the connection is lost, the channel makes another one as soon as it has calls to send, or serves
 * programs to the server. Calls that wait or were in flight go over the next connection, in their order
 * and within their timeouts. What is promised then:
 *
 * <ul>
 *   <li>A call that was not sent is sent.
 *   <li>One that was sent to a server of this library is not executed once more, unless its procedure is idempotent. It
 *       is answered as it was, or would have been, the first time, if that reply was kept ({@link
 *       RpcOptions#setReplyCacheBytes}, {@link RpcOptions#setLargeReplyCacheBytes}); else it fails with an {@link
 *       RpcTransportException} that says {@code maybeExecuted()}.
 *   <li>If that server was restarted, or has forgotten the channel ({@link
 *       RpcServerOptions#setSessionTime}), such a call fails with a {@link RpcConnectionLostException} that
 *       is {@linkplain RpcConnectionLostException#forgotten() forgotten}, unless it is {@linkplain
 *       RpcRequest#readOnly() read-only}: those are sent again.
 *   <li>To servers that show no session only read-only calls are sent again, since nobody knows what they remember;
 *       {@link RpcClientOptions#setReplay} changes that.
 * </ul>
 *
 * <p>A channel to an address that stands for several servers, or with several connections to one ({@link
 * RpcClientOptions#setConnections}), does so with each of them. A call is made with one of them, and stays there; it
 * goes to another server only if it has certainly not been executed; if its connection was lost and it is {@linkplain
 * RpcRequest#readOnly() read-only} (not with {@code Replay.NEVER}); or if all servers keep its reply together ({@link
 * CallOptions#withReplicatedReplies}).
 */
public interface RpcChannel extends RpcCaller {

  /**
   * Connects now rather than with the first call. Also tells whether the server can be reached. With several
   * connections to a server all are tried, and the first that comes about is told; it fails if none does. Of several
   * servers the load balancer chooses one, and another one is tried if that cannot be reached.
   *
   * @return the current connection; or an {@link RpcException}, or what the source of a token has failed with
   */
  Future<RpcConnection> connect();

  /**
   * What goes on in this channel.
   *
   * @return a consistent picture
   */
  Future<ChannelSnapshot> snapshot();

  /**
   * Whether so many calls have no outcome that more of them would only wait. Who makes them goes on all the same, up to
   * {@link RpcOptions#getMaxQueuedCalls}; who makes many stops, and goes on when {@link #drainHandler} is called. With
   * several connections, or servers, all of them have to be full; or half as many calls as may wait do so until the
   * servers are known. From any thread.
   *
   * @return true from as many as {@link #setWriteQueueMaxSize} says
   */
  boolean writeQueueFull();

  /**
   * Sets how many calls without an outcome make the queue full; of several connections, that of each.
   *
   * @param calls at least 1; by default the credits, and half of those that may wait for one
   * @return this
   */
  RpcChannel setWriteQueueMaxSize(int calls);

  /**
   * Hears when half of the queue is free again, after it was found full; of several connections, that of one.
   *
   * @param handler called on the context that the channel belongs to; takes the place of the one before
   * @return this
   */
  RpcChannel drainHandler(Handler<Void> handler);

  /**
   * Hears of each connection when it is up, the first one too. On an event loop, calls that the handler makes over
   * the connection go ahead of those that wait for it: a protocol with a session of its own signals it again here. Of
   * several connections to one server, that is so for the one on the loop of the channel's context.
   *
   * @param handler called on the context that the channel belongs to; takes the place of the one before
   * @return this
   */
  RpcChannel upHandler(Handler<RpcConnection> handler);

  /**
   * Hears of each connection that was up when it has ended, and why. Calls that wait go over the next one.
   *
   * @param handler called on the context that the channel belongs to; takes the place of the one before
   * @return this
   */
  RpcChannel downHandler(Handler<RpcException> handler);

  /**
   * Serves a program to the server, in the reverse direction, on every connection of this channel,
   * and announces it to a server that understands our control program. Of several servers those can call that have
   * been connected to.
   *
   * @param service what to serve; called on duplicates of the current context, or of the client's if there is none
   * @return this
   * @throws IllegalArgumentException if that version of the program is served already
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
   * Serves a program no longer, and tells the server so. Calls that its service has been given are answered; later ones
   * are refused with PROG_UNAVAIL. A service that was bound inside another verticle than the client's is unbound when that
   * is undeployed.
   *
   * @param binding of the program; nothing happens if that version is not served
   * @return this
   */
  RpcChannel unbind(UpperLayerBinding binding);

  /**
   * Serves an annotated interface no longer, as {@link #unbind(UpperLayerBinding)} says.
   *
   * @param type the interface
   * @return this
   */
  default RpcChannel unbind(Class<?> type) {
    return unbind(ServiceBinding.of(type).upperLayerBinding());
  }

  /**
   * Closes the channel and its connections in good order. Idempotent. Calls that wait, be it for servers, a connection
   * or a credit, fail with an {@link RpcClosedException}; those in flight may finish within {@link
   * RpcOptions#getDrainTimeout}, and fail with an {@link RpcConnectionLostException} then. A connection that is just
   * being made is waited for, as long as {@link RpcOptions#getConnectTimeout} lets that take, also by {@link
   * #shutdown}.
   *
   * @return completes when the connection has ended
   */
  Future<Void> close();

  /**
   * Closes as {@link #close()} does, with a time of the caller's own instead of {@link
   * RpcOptions#getDrainTimeout}. Also while it is closing: the time that ends first counts.
   *
   * @param timeout how long calls in flight may take to finish; 0 to 1 day
   * @return completes when the connection has ended
   * @throws IllegalArgumentException if the time is negative or longer than a day
   */
  Future<Void> shutdown(Duration timeout);

  /**
   * Completes when the channel is closed, and its connection has ended.
   *
   * @return never fails
   */
  Future<Void> closeFuture();

  /**
   * Hears when the channel has ended, for whatever reason; at once if it has.
   *
   * @param handler called once, on the context that this channel belongs to
   * @return this
   */
  default RpcChannel closeHandler(Handler<Void> handler) {
    closeFuture().onComplete(ended -> handler.handle(null));
    return this;
  }
}
