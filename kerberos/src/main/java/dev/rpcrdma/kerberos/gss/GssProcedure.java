// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.xdr.XdrException;

/** What a call is to a security context (RFC 2203 §5, RFC 5403 §3.2, rpc_gss_proc_t). The ordinal is the wire value. */
public enum GssProcedure {
  /** A call of the program that is called. */
  DATA,
  /** The first token of a context. */
  INIT,
  /** A further token. */
  CONTINUE_INIT,
  /** The context's end. */
  DESTROY,
  /** The context is bound to what protects the connection below. Of version 2. */
  BIND_CHANNEL;

  private static final GssProcedure[] VALUES = values();

  static GssProcedure of(int value) {
    if (value < 0 || value >= VALUES.length) {
      throw new XdrException("No such gss_proc: " + Integer.toUnsignedString(value));
    }
    return VALUES[value];
  }

  /** Whether the call makes a context, so that there is nothing yet to protect it with. */
  public boolean isCreation() {
    return this == INIT || this == CONTINUE_INIT;
  }
}
