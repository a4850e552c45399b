package dev.rpcrdma.protocol.responder;

/** Gets what a connection has to say to its application. */
public interface ConnectionListener {

  /**
   * The peer has called. Its head is sound; program, version, procedure and credentials are for the
   * listener to judge. The call itself is what one answers.
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
