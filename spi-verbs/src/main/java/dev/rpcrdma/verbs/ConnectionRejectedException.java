// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.buffer.Buffer;

/** The peer's consumer rejected the connection. */
public final class ConnectionRejectedException extends VerbsException {

  private static final long serialVersionUID = 1L;

  private final transient Buffer privateData;

  /**
   * Creates the exception.
   *
   * @param message what happened
   * @param privateData what the peer sent with its rejection, possibly empty
   */
  public ConnectionRejectedException(String message, Buffer privateData) {
    super(Kind.REJECTED, message);
    this.privateData = privateData;
  }

  /**
   * What the peer sent with its rejection.
   *
   * @return the private data, possibly empty, possibly followed by zeros if
   *     {@link DeviceAttributes#privateDataPadded()}
   */
  public Buffer privateData() {
    return privateData;
  }
}
