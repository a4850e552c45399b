// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

/** Arithmetic of the XDR block size (RFC 4506 §3). */
public final class Xdr {

  private Xdr() {}

  /**
   * Rounds a length up to a multiple of four.
   *
   * @param length in bytes, at most 2^31-4
   * @return the length with padding
   */
  public static int pad(int length) {
    return Math.toIntExact(pad((long) length));
  }

  /**
   * Rounds a length up to a multiple of four.
   *
   * @param length in bytes
   * @return the length with padding
   */
  public static long pad(long length) {
    return (length + 3) & ~3L;
  }
}
