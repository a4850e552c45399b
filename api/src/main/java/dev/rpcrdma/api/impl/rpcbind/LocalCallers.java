// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

/** Whether somebody calls from this host. */
final class LocalCallers {

  private LocalCallers() {}

  /** Whether an address, as sockets say it, is of the loopback. */
  static boolean isLoopback(String host) {
    String address = SocketHosts.withoutZone(host);
    return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1")
        || address.startsWith("::ffff:127.");
  }
}
