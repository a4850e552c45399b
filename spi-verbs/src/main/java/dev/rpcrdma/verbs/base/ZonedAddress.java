// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.base;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Link-local addresses that name their link, such as {@code fe80::1%eth0} (RFC 4007 §11). Vert.x takes them for names
 * of hosts, and its resolver asks DNS for them, which does not know them.
 */
public final class ZonedAddress {

  private ZonedAddress() {}

  /**
   * The address that is to be used for one as a user writes it.
   *
   * @param address of any kind
   * @return one that need not be looked up, where it names its link; else the same
   */
  public static SocketAddress of(SocketAddress address) {
    String host = address.host();
    if (host == null || address.hostAddress() != null || host.indexOf('%') < 0 || !NetUtil.isValidIpV6Address(host)) {
      return address;
    }
    try {
      // It is no name, and so Java asks nobody but the system for its links.
      return SocketAddress.inetSocketAddress(new InetSocketAddress(InetAddress.getByName(host), address.port()));
    } catch (UnknownHostException e) {
      // There is no such link; who looks it up says so.
      return address;
    }
  }
}
