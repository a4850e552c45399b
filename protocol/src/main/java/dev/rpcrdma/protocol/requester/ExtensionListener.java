// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import java.nio.ByteBuffer;

/** Hears what became of a message of an OPTIONAL header type: one of its methods, once. */
public interface ExtensionListener {

  /**
   * The peer has answered, and so knows the type.
   *
   * @param body what came behind the four fixed words, from index 0 to its limit; used only during this
   *     call
   */
  void answered(ByteBuffer body);

  /** The peer does not know the type; on this connection it will not be sent again. */
  void unsupported();

  /**
   * There is no answer, for a reason that tells nothing of the type.
   *
   * @param failure why; REMOTE_ERROR if the peer knows the type and not this body
   */
  void failed(Outcome.Failed failure);
}
