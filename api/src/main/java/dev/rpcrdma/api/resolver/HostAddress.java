// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

/**
 * All addresses of a host's name, each of which is a server: those of A records, or of AAAA records if there are none.
 *
 * @param name such as {@code orders.example.com}; not blank
 * @param port where they listen, 1 to 65535
 */
public record HostAddress(String name, int port) implements DnsAddress {

  /** Checks both. */
  public HostAddress {
    if (name.isBlank()) {
      throw new IllegalArgumentException("The name of a host must not be blank");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("A port is 1 to 65535, not " + port);
    }
  }

  @Override
  public String toString() {
    return name + ":" + port;
  }
}
