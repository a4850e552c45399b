// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Addresses as C has them: {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
public final class SocketAddresses {

  /** Room for either. */
  public static final int BYTES = 28;

  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int PORT = 2;
  private static final int V4_ADDRESS = 4;
  private static final int V6_ADDRESS = 8;
  private static final int V6_SCOPE = 24;

  private SocketAddresses() {}

  /**
   * Makes one.
   *
   * @param address resolved
   * @return its bytes
   */
  public static byte[] toNative(InetSocketAddress address) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());
    InetAddress host = address.getAddress();
    bytes.putShort(0, (short) (host instanceof Inet4Address ? AF_INET : AF_INET6));
    bytes.put(PORT, (byte) (address.getPort() >> 8)).put(PORT + 1, (byte) address.getPort());
    if (host instanceof Inet6Address v6) {
      bytes.put(V6_ADDRESS, v6.getAddress()).putInt(V6_SCOPE, v6.getScopeId());
    } else {
      bytes.put(V4_ADDRESS, host.getAddress());
    }
    return bytes.array();
  }

  /**
   * Reads one.
   *
   * @param bytes in the machine's order
   * @param at where it begins
   * @return the address; one of no host if it is of another family
   */
  public static InetSocketAddress toJava(ByteBuffer bytes, int at) {
    int port = (bytes.get(at + PORT) & 0xFF) << 8 | bytes.get(at + PORT + 1) & 0xFF;
    byte[] host = switch (bytes.getShort(at)) {
      case AF_INET -> read(bytes, at + V4_ADDRESS, 4);
      case AF_INET6 -> read(bytes, at + V6_ADDRESS, 16);
      default -> new byte[4];
    };
    try {
      return new InetSocketAddress(host.length == 16
          ? Inet6Address.getByAddress(null, host, bytes.getInt(at + V6_SCOPE)) : InetAddress.getByAddress(host), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("Of no length", e);
    }
  }

  private static byte[] read(ByteBuffer bytes, int at, int length) {
    byte[] host = new byte[length];
    bytes.get(at, host);
    return host;
  }
}
