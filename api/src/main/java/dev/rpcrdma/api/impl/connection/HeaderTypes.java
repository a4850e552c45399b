// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.protocol.responder.HeaderExtension;
import java.util.LinkedHashMap;
import java.util.Map;

/** The OPTIONAL header types that connections to come will serve; from any thread. */
public final class HeaderTypes {

  /** Guarded by this. */
  private final Map<Integer, HeaderType> types = new LinkedHashMap<>();

  public synchronized void register(HeaderType type) {
    int number = type.number();
    HeaderExtension.checkProcedure(number);
    if (types.putIfAbsent(number, type) != null) {
      throw new IllegalArgumentException(
          "Header type " + Integer.toUnsignedString(number) + " is registered already");
    }
  }

  /** Gives them to a connection before it is made. */
  public synchronized void serveOn(RpcConnectionImpl connection) {
    types.forEach(connection::serve);
  }
}
