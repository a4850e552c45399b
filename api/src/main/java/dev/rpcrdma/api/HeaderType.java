// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.responder.HeaderExtension;
import io.vertx.core.buffer.Buffer;

/**
 * An OPTIONAL RPC-over-RDMA header type of the application's own: messages beside the calls of a
 * connection, which have no RPC in them. Version 1 has none, so nothing is served unless it is
 * registered, and a peer is asked for one with {@link RpcConnection#exchange} only to find out whether
 * it knows it.
 *
 * <p>Both ends must mean the same by a number; nobody assigns them.
 */
public interface HeaderType {

  /**
   * The least length of a body that is sent with {@link RpcConnection#exchange}. A peer that does not
   * know the type drops what is shorter than a header of version 1, and does not answer it (RFC 8166
   * §4.5). Answers may be shorter.
   */
  int MIN_LENGTH = HeaderExtension.SAFE_LENGTH;

  /**
   * Its number.
   *
   * @return rdma_proc, unsigned, above those of version 1 (0 to 4); always the same
   */
  int number();

  /**
   * Serves one message of the peer. Called on the connection's event loop, which it must not block, on
   * a duplicate of its context.
   *
   * <p>If it throws, or the answer is longer than the peer's Receives, the peer is told ERR_CHUNK. That
   * is the one error there is: it cannot say why, and in answer to the first message of a connection it
   * says that the type is not known. So a body that is not understood is best answered in the
   * type's own terms.
   *
   * @param connection what the message came over
   * @param body what came behind the four fixed words; a copy, to be kept at will
   * @return the body of the answer, without delay
   * @throws IllegalArgumentException if the body cannot be understood. Whatever else is thrown is
   *     logged as a fault of this end
   */
  Buffer received(RpcConnection connection, Buffer body);
}
