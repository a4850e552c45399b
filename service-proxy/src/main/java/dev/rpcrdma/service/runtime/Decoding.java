// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.verbs.base.Causes;

/** Tells what a failure to decode means. */
final class Decoding {

  private Decoding() {}

  /**
   * Whatever refuses a received value, such as the constructor of a record, finds fault with the
   * message. An Error does not: it is thrown on; and so is what says by itself that results cannot be decoded.
   */
  static XdrException failure(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof RpcDecodingException told) {
      throw told;
    }
    if (cause instanceof XdrException) {
      return (XdrException) cause;
    }
    XdrException failure = new XdrException("A value was refused: " + Causes.text(cause));
    failure.initCause(cause);
    return failure;
  }
}
