// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.Authenticator;
import java.util.Optional;

/** Gets what a connection has to say to its application. */
public interface ConnectionListener {

  /**
   * Who judges who calls.
   *
   * @return the same always
   */
  default Authenticator authenticator() {
    return Authenticator.PLAIN;
  }

  /**
   * Judges a call by its head and the number of its chunks, before anything more is pulled for it.
   *
   * @param call with Read chunks; who makes it has been judged
   * @return the answer to a call that is not executed, whatever its arguments are; empty for others
   */
  default Optional<ReplyHeader> refusal(IncomingCall call) {
    return Optional.empty();
  }

  /**
   * The peer has called. Its head is sound, and who calls has been judged; program, version and procedure are for
   * the listener to judge. The call itself is what one answers.
   *
   * @param call the call
   * @param now the time
   */
  void incoming(IncomingCall call, long now);

  /**
   * The results of a call could not be encoded; it was answered SYSTEM_ERR.
   *
   * @param call the call
   * @param cause what the encoder threw, an Error too
   */
  void encodingFailed(IncomingCall call, Throwable cause);

  /**
   * The reply to a call that was executed cannot be sent: its requester has made no room for it, and does not pull;
   * or there is no memory. It was answered ERR_CHUNK.
   *
   * @param call the call
   * @param reason how large the reply is, and the room for it; or why there is no memory
   */
  default void replyRefused(IncomingCall call, String reason) {}

  /**
   * The arguments of a call cannot be pulled, since there is no memory for them. It was not executed, and is answered
   * ERR_CHUNK.
   *
   * @param call the call
   * @param reason which bound was reached, or what the device refused
   */
  default void argumentsRefused(IncomingCall call, String reason) {}

  /**
   * Hears that a service has had its time, and has not answered. The call is answered SYSTEM_ERR; the service goes on.
   *
   * @param call the call, whose caller still waits
   */
  default void serviceTimedOut(IncomingCall call) {}

  /** The peer, a server, is about to go: this end makes no more calls, and ends the connection when all have ended. */
  default void peerLeaves() {}
}
