// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.xdr.XdrException;

/** How arguments and results are protected (RFC 2203 §5, RFC 5403 §3.2, rpc_gss_service_t). */
public enum GssService {
  /** The head of a call and the verifier of a reply are signed, and nothing else. */
  NONE,
  /** Arguments and results are signed. */
  INTEGRITY,
  /** Arguments and results are encrypted. */
  PRIVACY,
  /**
   * The context is bound to what protects the connection below, such as TLS: that does it all, and nothing is signed
   * (RFC 5403 §3.4). Of version 2.
   */
  CHANNEL;

  private static final GssService[] VALUES = values();

  /** Numbers begin with 1. */
  static GssService of(int value) {
    if (value < 1 || value > VALUES.length) {
      throw new XdrException("No such rpc_gss_service: " + Integer.toUnsignedString(value));
    }
    return VALUES[value - 1];
  }

  /** Whether arguments and results are signed or encrypted by the context itself. */
  public boolean hasProtectedBodies() {
    return this == INTEGRITY || this == PRIVACY;
  }

  /**
   * Its number on the wire.
   *
   * @return from 1 on
   */
  public int value() {
    return ordinal() + 1;
  }
}
