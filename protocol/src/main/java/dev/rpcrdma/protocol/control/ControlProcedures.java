// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.control;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.HashSet;
import java.util.Set;

/**
 * The numbers of this library's own program RPCRDMA_CONTROL. GIVE_UP and LEAVING are calls between two ends that take
 * metadata, in either direction and with AUTH_NONE. They speak of the connection that carries them.
 *
 * <pre>
 *   void GIVE_UP(unsigned int xids&lt;200&gt;) = 3;
 *   void LEAVING(void) = 4;
 * </pre>
 */
public final class ControlProcedures {

  /** Program number. */
  public static final int PROGRAM = 0x2006F000;
  /** Only version of the program. */
  public static final int VERSION = 1;
  /** Procedure by which a client says what it serves in the reverse direction. */
  public static final int ANNOUNCE = 1;
  /** Procedure by which a client gets a handle for a token. */
  public static final int EXCHANGE = 2;
  /** Procedure by which a caller tells that nobody waits for the replies to some calls. */
  public static final int GIVE_UP = 3;
  /** Procedure by which a server tells that it is about to go. */
  public static final int LEAVING = 4;
  /** Most XIDs in one GIVE_UP: as many as the smallest inline threshold has room for, rounded down. */
  public static final int MAX_XIDS = 200;

  private ControlProcedures() {}

  /**
   * Tells whether a call speaks of its connection, so that the connection's machine answers it.
   *
   * @param call a head of RPC version 2
   * @return true for GIVE_UP and LEAVING without a credential
   */
  public static boolean ofConnection(CallHeader call) {
    return call.program() == PROGRAM && call.version() == VERSION
        && (call.procedure() == GIVE_UP || call.procedure() == LEAVING)
        && call.credential().flavor() == AuthFlavor.NONE;
  }

  /**
   * Reads the arguments of GIVE_UP.
   *
   * @param arguments at the first one
   * @return XIDs of the calls for whose replies nobody waits
   * @throws XdrException if the arguments are no list of XIDs, or a list that is too long
   */
  public static Set<Integer> xids(XdrReader arguments) {
    int count = arguments.count(MAX_XIDS, Integer.BYTES);
    Set<Integer> xids = new HashSet<>();
    for (int i = 0; i < count; i++) {
      xids.add(arguments.int32());
    }
    arguments.end();
    return xids;
  }
}
