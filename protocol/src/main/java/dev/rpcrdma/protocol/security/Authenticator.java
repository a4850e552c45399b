// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import java.nio.ByteBuffer;

/** Judges who calls. */
public interface Authenticator {

  /** Gets a verdict that comes later. */
  @FunctionalInterface
  interface Listener {

    /**
     * The verdict is in; from any thread.
     *
     * @param verdict not {@link Verdict#PENDING}
     */
    void judged(Verdict verdict);
  }

  /** Lets in AUTH_NONE and AUTH_SYS, which prove nothing. */
  Authenticator PLAIN = new PlainAuthenticator();

  /**
   * Judges a call of RPC version 2 by its head: for one whose head is inline before anything is pulled for it.
   *
   * @param call the head
   * @param message begins with the head, which a verifier may cover; to be read by index, during this call
   * @param later gets the verdict if it is {@link Verdict#PENDING} now, once
   * @return the verdict
   */
  Verdict judge(CallHeader call, ByteBuffer message, Listener later);

  /**
   * The one for the calls of a connection.
   *
   * @param channel what they come over
   * @return this, if it makes no difference
   */
  default Authenticator over(SecureChannel channel) {
    return this;
  }
}
