// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.net.SocketAddress;

/** Messages of failures. */
public final class Messages {

  private Messages() {}

  /** What could not be done and why; a cause that says where by itself says it all. */
  public static String at(String what, SocketAddress address, Throwable cause) {
    String why = Causes.message(cause);
    return why.contains(address.toString()) ? why : what + " " + address + ": " + why;
  }
}
