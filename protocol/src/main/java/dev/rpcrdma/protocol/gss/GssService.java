package dev.rpcrdma.protocol.gss;

import dev.rpcrdma.protocol.xdr.XdrException;

/** How arguments and results are protected (RFC 2203 §5, rpc_gss_service_t). */
public enum GssService {
  /** The head of a call and the verifier of a reply are signed, and nothing else. */
  NONE,
  /** Arguments and results are signed. */
  INTEGRITY,
  /** Arguments and results are encrypted. */
  PRIVACY;

  private static final GssService[] VALUES = values();

  /** Numbers begin with 1. */
  static GssService of(int value) {
    if (value < 1 || value > VALUES.length) {
      throw new XdrException("No such rpc_gss_service: " + Integer.toUnsignedString(value));
    }
    return VALUES[value - 1];
  }

  /**
   * Its number on the wire.
   *
   * @return from 1 on
   */
  public int value() {
    return ordinal() + 1;
  }
}
