// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

/** Numbers of authentication flavors (RFC 5531 §8.2). */
public final class AuthFlavor {

  /** No authentication. */
  public static final int NONE = 0;
  /** User and group ids as the caller states them. */
  public static final int SYS = 1;
  /** A short hand for AUTH_SYS that a server may hand out. */
  public static final int SHORT = 2;
  /** Diffie-Hellman; obsolete. */
  public static final int DH = 3;
  /** RPCSEC_GSS (RFC 2203). */
  public static final int GSS = 6;

  private AuthFlavor() {}
}
