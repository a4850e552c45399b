// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import dev.rpcrdma.protocol.rpcbind.UniversalAddress;

/** Addresses as sockets say them, which may have a zone. */
final class SocketHosts {

  private SocketHosts() {}

  /** A port at the address of a socket. */
  static UniversalAddress at(UniversalAddress port, String host) {
    return port.withHost(withoutZone(host));
  }

  /** Universal addresses have no zones (RFC 5665 §5.2.3.4). */
  static String withoutZone(String host) {
    int zone = host.indexOf('%');
    return zone < 0 ? host : host.substring(0, zone);
  }
}
