// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.wire.InstanceId;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One RDMA connection: physical, the same on both ends, usable in both directions. When it is lost,
 * it is gone, and with it every call on it; a {@link RpcChannel} outlives it.
 */
public interface RpcConnection extends RpcCaller {

  /**
   * This end's address.
   *
   * @return the local address
   */
  SocketAddress localAddress();

  /**
   * The other end's address.
   *
   * @return the remote address
   */
  SocketAddress remoteAddress();

  /**
   * The certificates by which the peer has proved who it is, if there is TLS below and it has shown any.
   *
   * @return its own first, then those that vouch for it
   */
  List<Certificate> peerCertificates();

  /**
   * Which channel is at the other end, whatever its address: the same for all connections of one {@link
   * RpcChannel}, unlike those of any other.
   *
   * @return what the client said when it connected; empty on a client, and if the client is not of this
   *     library
   */
  Optional<InstanceId> peerInstance();

  /**
   * The peer, over whatever connection there is: on a client the channel; on a server the client, whose
   * calls wait for its return if the connection is lost, within their timeouts, and are then sent again
   * (RFC 8167 §5.4). A client that is not of this library is only reached over this connection.
   *
   * <p>Calls that a service makes while it serves one are parts of that, and end with it ({@link
   * RpcCall#abandonHandler}); what is meant for other clients is better called from a context of the application's own.
   *
   * @return to call the peer with; proxies made from it outlive the connection
   */
  RpcCaller peer();

  /**
   * Says that the client serves a program in the reverse direction, for programs that have a signal of
   * their own for it, as NFSv4.1 has in CREATE_SESSION. Clients of this library announce what
   * they serve by themselves.
   *
   * @param program the program's number
   * @param version its version
   * @return this
   * @throws IllegalStateException on a client
   */
  RpcConnection peerServes(int program, int version);

  /**
   * Serves a program to the peer on this connection. Nothing is announced: {@link RpcChannel#bind} does
   * that; this is for protocols by which the peer learns in their own way that it may call.
   *
   * @param service what to serve; called on duplicates of the current context, or of the connection's if there is none
   * @return this
   * @throws IllegalArgumentException if that version of the program is served already
   */
  RpcConnection bind(RpcService service);

  /**
   * Serves an annotated interface to the peer on this connection.
   *
   * @param type the interface
   * @param implementation is called for each call of the peer
   * @param <S> the interface
   * @return this
   */
  default <S> RpcConnection bind(Class<S> type, S implementation) {
    return bind(ServiceBinding.of(type).service(implementation));
  }

  /**
   * Sends one message of an OPTIONAL header type, and waits for its answer within the options' call
   * timeout. It takes a credit, as a call does.
   *
   * <p>On a client the first one on a connection finds out whether the server knows the type;
   * until that is known, others of the same type and of other new types wait. What was found out
   * holds for this connection alone. A server sends only what the client has announced, as a
   * client that is not prepared may be lost by the attempt; {@link RpcClient#register} announces.
   *
   * @param headerType rdma_proc, unsigned, above those of version 1 (0 to 4)
   * @param body what goes behind the four fixed words; copied before this method returns. Longer than
   *     {@link ConnectionAgreement#outboundInline} less those 16 bytes it fails with an {@link RpcTransportException}
   * @return the body of the answer, a copy, or an {@link RpcException}: {@link RpcUnsupportedException} if
   *     the peer does not know the type, {@link RpcTransportException} if it knows the type and refuses
   *     this body
   * @throws IllegalArgumentException if the number is one of version 1's own, or the body is shorter than
   *     {@link HeaderType#MIN_LENGTH}
   */
  Future<Buffer> exchange(int headerType, Buffer body);

  /**
   * Memory of the pool that this connection and its device use for chunks: registered already, and
   * used again after its last release. For results that are made anew for each call. Beyond {@link
   * RpcOptions#getMaxPoolBytes} it waits for what others give back, ten seconds at most.
   *
   * @param length in bytes
   * @return the payload, owned by the caller. It holds whatever its last user left there: fill it, or
   *     send a {@link Payload#slice slice} of what was filled. Fails with an
   *     {@link RpcResourceException} if there is no memory
   * @throws IllegalArgumentException if the length is less than 1
   */
  Future<Payload> allocate(int length);

  /**
   * What goes on in this connection.
   *
   * @return a consistent picture, taken on the connection's event loop
   */
  Future<ConnectionSnapshot> snapshot();

  /**
   * Completes when the connection has ended, for whatever reason.
   *
   * @return never fails
   */
  Future<Void> closeFuture();

  /**
   * Closes in good order: calls in flight, of both ends, may finish within the drain timeout. New ones, and those that
   * wait for a credit, fail; while calls of the peer are served here they go on, since services may need them.
   * Idempotent.
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
   * Hears when the connection has ended, for whatever reason; at once if it has.
   *
   * @param handler called once, on the context that this connection belongs to
   * @return this
   */
  default RpcConnection closeHandler(Handler<Void> handler) {
    closeFuture().onComplete(ended -> handler.handle(null));
    return this;
  }
}
