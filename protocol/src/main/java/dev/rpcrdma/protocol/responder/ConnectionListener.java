package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.security.Authenticator;

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
}
