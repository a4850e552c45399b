// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

/** The netids that this product meets (RFC 5665 §4.1, RFC 8166 §9). There are others. */
public final class Netid {

  /** RDMA, where addresses are those of IPv4. */
  public static final String RDMA = "rdma";
  /** RDMA, where addresses are those of IPv6. */
  public static final String RDMA6 = "rdma6";
  /** TCP over IPv4. */
  public static final String TCP = "tcp";
  /** TCP over IPv6. */
  public static final String TCP6 = "tcp6";
  /** UDP over IPv4. */
  public static final String UDP = "udp";

  private Netid() {}
}
