package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;

/** Tells what a failure to decode means. */
final class Decoding {

  private Decoding() {}

  /**
   * Whatever refuses a received value, such as the constructor of a record, finds fault with the
   * message.
   */
  static XdrException failure(RuntimeException cause) {
    if (cause instanceof XdrException) {
      return (XdrException) cause;
    }
    XdrException failure = new XdrException("A value was refused: " + cause);
    failure.initCause(cause);
    return failure;
  }
}
