// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import io.vertx.core.net.Address;

/** What a {@link DnsResolver} asks DNS for. */
public sealed interface DnsAddress extends Address permits SrvAddress, HostAddress {

  /**
   * The servers that SRV records name (RFC 2782).
   *
   * @param name such as {@code _orders._tcp.example.com}
   * @return the address
   */
  static SrvAddress srv(String name) {
    return new SrvAddress(name);
  }

  /**
   * All addresses of a host's name, each of which is a server.
   *
   * @param name such as {@code orders.example.com}
   * @param port where they listen, 1 to 65535
   * @return the address
   */
  static HostAddress host(String name, int port) {
    return new HostAddress(name, port);
  }
}
