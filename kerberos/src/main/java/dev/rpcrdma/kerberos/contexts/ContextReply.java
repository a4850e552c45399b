// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.contexts;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import java.nio.ByteBuffer;

/** Makes the bytes of a reply. */
final class ContextReply {

  private ContextReply() {}

  /** A reply without results, and without a proof. */
  static byte[] of(ReplyHeader head) {
    return of(head, OpaqueAuth.NONE, new byte[0]);
  }

  /**
   * A reply.
   *
   * @param head of it
   * @param verifier takes the place of the head's
   * @param results behind the head
   */
  static byte[] of(ReplyHeader head, OpaqueAuth verifier, byte[] results) {
    int length = head.encodedLength(verifier.encodedLength());
    ByteBuffer reply = ByteBuffer.allocate(length + results.length);
    head.write(reply, verifier);
    return reply.position(length).put(results).array();
  }
}
