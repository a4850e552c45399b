package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** A call that is being served: its arguments and where it comes from. */
public interface RpcCall {

  /**
   * The call that the current context serves.
   *
   * @return the call
   * @throws IllegalStateException outside of {@link RpcService#handle} and what runs on its context
   */
  static RpcCall current() {
    return dev.rpcrdma.api.impl.connection.CurrentCall.get();
  }

  /**
   * The connection it came over; its peer can be called back there.
   *
   * @return the connection
   */
  RpcConnection connection();

  /**
   * Who calls, unverified unless the flavor verifies.
   *
   * @return flavor and body
   */
  OpaqueAuth credentials();

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
   * When the server gives up on this call, which then is answered SYSTEM_ERR.
   *
   * @return milliseconds left, possibly negative
   */
  long millisLeft();
}
