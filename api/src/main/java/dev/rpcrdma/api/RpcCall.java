// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Handler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A call that is being served: its arguments and where it comes from. */
public interface RpcCall {

  /**
   * The call that the current context serves.
   *
   * @return the call
   * @throws IllegalStateException outside of {@link RpcService#handle} and what runs on its context
   */
  static RpcCall current() {
    return dev.rpcrdma.api.impl.call.CurrentCall.get();
  }

  /**
   * The connection it came over.
   *
   * @return the connection
   * @throws UnsupportedOperationException if it came over none, as over the event bus; {@link #peer} is there always
   */
  RpcConnection connection();

  /**
   * Who makes the call, to be called back over whatever has brought it.
   *
   * @return by default {@link RpcConnection#peer}; proxies made from it outlive the call
   */
  default RpcCaller peer() {
    return connection().peer();
  }

  /**
   * Who calls, unverified unless the flavor verifies.
   *
   * @return flavor and body
   */
  OpaqueAuth credentials();

  /**
   * Who calls: by the handle of a token, or by Kerberos, which were verified; by AUTH_SYS, which proves nothing; or
   * else by the certificate of the connection's peer. {@link RpcUser#proof} says which; a certificate is also found by
   * {@link RpcConnection#peerCertificates} where calls carry AUTH_SYS.
   *
   * @return empty if the call says nothing of who makes it
   */
  default Optional<RpcUser> user() {
    return Optional.empty();
  }

  /**
   * What interceptors have to say to each other, and to the service.
   *
   * @return the call's own, empty at first; for one thread at a time
   */
  default Map<String, Object> attributes() {
    return new HashMap<>();
  }

  /**
   * The number that the caller gave this call. A caller that repeats a call over another connection
   * uses the same one (RFC 5531 §8.1), which is how a service knows a repetition that must not be done
   * twice.
   *
   * @return 32 bits
   */
  int xid();

  /**
   * The program's number.
   *
   * @return an unsigned number
   */
  int program();

  /**
   * The program's version.
   *
   * @return an unsigned number
   */
  int version();

  /**
   * The procedure's number.
   *
   * @return an unsigned number
   */
  int procedure();

  /**
   * The arguments, to be read once. Data items in it are released when the service's future
   * completes; a service that keeps one longer retains it.
   *
   * @return the reader
   */
  XdrReader arguments();

  /**
   * What the caller has sent beside the arguments ({@link CallOptions#headers}).
   *
   * @return by lower-case name; of no entries if there are none, or the caller is none of this library
   */
  default Map<String, String> headers() {
    return Map.of();
  }

  /**
   * How long this call may still take: then its caller waits no longer, as far as it has said so, or the server gives
   * up on it, and it is answered SYSTEM_ERR. Calls that are made on its context before it is answered end then at
   * the latest.
   *
   * @return milliseconds left, possibly negative
   */
  long millisLeft();

  /**
   * Hears when nobody waits for the call any more, though it is not answered: its caller has cancelled it (a caller of
   * this library says so), its time is over, or its connection is lost and it cannot come again. If the connection is
   * lost and the call can come again, nothing more is heard, not even the end of its time. A service that blocks its
   * worker hears nothing until it returns. Who takes long asks {@link #millisLeft} as well. Calls that it has made on
   * the call's context are given up, or end by their time, by themselves.
   *
   * @param handler called once at most, on the call's context; at once if nobody waits by now
   * @return this
   */
  default RpcCall abandonHandler(Handler<Void> handler) {
    return this;
  }
}
