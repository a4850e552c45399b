// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** How an accepted call fared (RFC 5531 §9, accept_stat). The ordinal is the wire value. */
public enum AcceptStatus {
  /** Executed; results follow. */
  SUCCESS,
  /** The program is not served here. */
  PROG_UNAVAIL,
  /** The program is served in other versions; their range follows. */
  PROG_MISMATCH,
  /** The program has no such procedure. */
  PROC_UNAVAIL,
  /** The arguments could not be decoded; the call was not executed. */
  GARBAGE_ARGS,
  /** The server failed in some other way. */
  SYSTEM_ERR;

  private static final AcceptStatus[] VALUES = values();

  /**
   * Reads one.
   *
   * @param reader where from
   * @return the status
   * @throws XdrException if there is no such status
   */
  static AcceptStatus decode(XdrReader reader) {
    int value = reader.int32();
    if (value < 0 || value >= VALUES.length) {
      throw new XdrException("No such accept_stat: " + Integer.toUnsignedString(value));
    }
    return VALUES[value];
  }
}
