// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

/**
 * The servers that SRV records name (RFC 2782): those of the lowest priority number there is. Weights are not heeded;
 * load balancers choose.
 *
 * @param name such as {@code _orders._tcp.example.com}; not blank
 */
public record SrvAddress(String name) implements DnsAddress {

  /** Checks the name. */
  public SrvAddress {
    if (name.isBlank()) {
      throw new IllegalArgumentException("The name of SRV records must not be blank");
    }
  }

  @Override
  public String toString() {
    return "SRV " + name;
  }
}
