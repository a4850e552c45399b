// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import java.nio.ByteBuffer;

/**
 * How calls show who makes them: credential and verifier (RFC 5531 §8.2). Both are written anew for each
 * transmission of a call, since a flavor may number them: on the connection's thread, or, for a large call, on
 * another one. An {@link OpaqueAuth} is a credential that never changes, with an empty verifier.
 */
public interface Credential {

  /**
   * How long credential and verifier are in the head of a call.
   *
   * @return bytes, the same for each transmission
   */
  int lengthInCall();

  /**
   * Writes credential and verifier.
   *
   * @param target holds the head of the call up to here; position advances by {@link #lengthInCall()}
   * @param start where the head begins, which a verifier may cover
   */
  void writeInCall(ByteBuffer target, int start);

  /**
   * Whether the verifier of a reply proves that the server has made it.
   *
   * @param verifier of a reply
   * @return false if the reply is not to be believed
   */
  default boolean verifies(OpaqueAuth verifier) {
    return true;
  }
}
