// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

/**
 * An address and a port as rpcbind writes them (RFC 5665 §5.2.3): {@code h1.h2.h3.h4.p1.p2} for IPv4, and {@code
 * x1:x2:x3:x4:x5:x6:x7:x8.p1.p2} for IPv6, where a run of zeros may be left out; the port is 256 p1 + p2.
 *
 * @param host an address, no name, in the form of RFC 5952
 * @param port 0 to 65535
 */
public record UniversalAddress(String host, int port) {

  /** The address of IPv4 that stands for all of a host. */
  public static final String ANY = "0.0.0.0";
  /** The address of IPv6 that stands for all of a host. */
  public static final String ANY6 = "::";

  /**
   * Checks both, and writes the host as everybody does.
   *
   * @throws UniversalAddressException if the host is a name, or has a zone, or the port is none
   */
  public UniversalAddress {
    String given = host;
    host = IpAddress.canonical(host).orElseThrow(
        () -> new UniversalAddressException("\"" + given + "\" is no address of IPv4 or IPv6"));
    if (port < 0 || port > 65535) {
      throw new UniversalAddressException("A port is 0 to 65535, not " + port);
    }
  }

  /**
   * Reads one.
   *
   * @param text as rpcbind says it
   * @return the address
   * @throws UniversalAddressException if it is something else, such as the path of a socket
   */
  public static UniversalAddress parse(String text) {
    int second = text.lastIndexOf('.');
    int first = second < 0 ? -1 : text.lastIndexOf('.', second - 1);
    int high = first < 0 ? -1 : IpAddress.octet(text.substring(first + 1, second));
    int low = first < 0 ? -1 : IpAddress.octet(text.substring(second + 1));
    if (high < 0 || low < 0) {
      throw new UniversalAddressException("\"" + text + "\" is no universal address: it does not end in a port");
    }
    return new UniversalAddress(text.substring(0, first), high << 8 | low);
  }

  /**
   * Of which family it is.
   *
   * @return whether it is IPv6
   */
  public boolean isIpv6() {
    return host.indexOf(':') >= 0;
  }

  /**
   * Whether it stands for all addresses of its host.
   *
   * @return so that whoever wants to connect takes the address by which the host was found
   */
  public boolean isWildcard() {
    return host.equals(ANY) || host.equals(ANY6);
  }

  /**
   * The netid of RDMA for its family.
   *
   * @return {@link Netid#RDMA} or {@link Netid#RDMA6}
   */
  public String rdmaNetid() {
    return isIpv6() ? Netid.RDMA6 : Netid.RDMA;
  }

  /**
   * This port at another host.
   *
   * @param other an address, no name
   * @return a copy
   */
  public UniversalAddress withHost(String other) {
    return new UniversalAddress(other, port);
  }

  @Override
  public String toString() {
    return host + "." + (port >> 8) + "." + (port & 0xff);
  }
}
