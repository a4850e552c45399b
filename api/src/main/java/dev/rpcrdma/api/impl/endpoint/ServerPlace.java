// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.endpoint;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.ServerEndpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Place of a server: its address, and what the address was resolved to. {@code SocketAddress.equals} takes two
 * addresses of one name for the same, whatever they were resolved to; their places differ.
 *
 * @param address with the name that a user knows the server by, for TLS and Kerberos
 * @param ip what the name was resolved to; null if it was not
 */
public record ServerPlace(SocketAddress address, String ip) {

  /**
   * Returns the place of an address.
   *
   * @param address resolved or not
   * @return its name, IP address and port
   */
  public static ServerPlace of(SocketAddress address) {
    return new ServerPlace(address, address.hostAddress());
  }

  /** Returns the place of a server that was chosen. */
  public static ServerPlace of(ServerEndpoint server) {
    return server instanceof BalancedServer balanced ? balanced.place() : of(server.address());
  }

  /**
   * Returns the place of a server whose name somebody has resolved.
   *
   * @param name as the user has said it
   * @param ip the IP address found
   * @return a place whose address has the name, and is not resolved again
   */
  public static ServerPlace resolved(String name, String ip, int port) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(ip);
    if (bytes == null || NetUtil.createByteArrayFromIpAddressString(name) != null) {
      return of(SocketAddress.inetSocketAddress(port, ip));
    }
    try {
      return of(SocketAddress.inetSocketAddress(new InetSocketAddress(InetAddress.getByAddress(name, bytes), port)));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("An IP address has 4 or 16 bytes", e);
    }
  }

  /** Tells how many names an address may have and be one server: what is resolved is told apart by its number alone. */
  private String spot() {
    return ip == null ? address.toString() : ip + '/' + address.port();
  }

  /** Returns places without those that are where another one is, which come first. */
  public static List<ServerPlace> distinct(Stream<ServerPlace> places) {
    Set<String> seen = new HashSet<>();
    return places.filter(place -> seen.add(place.spot())).toList();
  }

  /** Returns a text that is the same in each process, and for no other place. */
  @Override
  public String toString() {
    return ip == null || ip.equals(address.host()) ? address.toString() : ip + "/" + address;
  }
}
