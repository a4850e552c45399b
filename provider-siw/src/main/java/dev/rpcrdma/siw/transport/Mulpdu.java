// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import dev.rpcrdma.siw.wire.Fpdu;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** How long a ULPDU may be so that its FPDU fits into a TCP segment (RFC 5044 §4.5). */
public final class Mulpdu {

  /** Headers of IPv4 and TCP with timestamps. */
  private static final int IPV4_HEADERS = 20 + 32;
  private static final int IPV6_HEADERS = 40 + 32;

  /** By the length field of IPv4 in bytes, which the MTU of the loopback exceeds. */
  private static final int LONGEST_PACKET = 0xFFFF;

  /** What every path carries. */
  private static final int SMALLEST_MTU = 1280;

  /** Of the machine, and so of all devices in this process. */
  private static final InterfaceMtus MTUS = new InterfaceMtus(Mulpdu::mtu, System::nanoTime);

  private Mulpdu() {}

  /**
   * The longest ULPDU for a connection. Java does not tell a socket's segment size, so it is
   * derived from the interface. Within this machine the way is the loopback's, whatever interface
   * has the address.
   */
  public static int of(InetSocketAddress local, InetSocketAddress remote, boolean markers) {
    InetAddress address = local.getAddress();
    boolean inside = address.isLoopbackAddress() || address.equals(remote.getAddress());
    InetAddress way = inside ? InetAddress.getLoopbackAddress() : address;
    int headers = address instanceof Inet6Address ? IPV6_HEADERS : IPV4_HEADERS;
    return Fpdu.mulpdu(Math.min(LONGEST_PACKET, MTUS.of(way)) - headers, markers);
  }

  private static int mtu(InetAddress address) {
    try {
      NetworkInterface device = NetworkInterface.getByInetAddress(address);
      return device == null ? SMALLEST_MTU : Math.max(SMALLEST_MTU, device.getMTU());
    } catch (SocketException e) {
      // An interface that does not tell its MTU: shorter FPDUs are slower and always right.
      return SMALLEST_MTU;
    }
  }
}
