// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

/** Writes one value, such as the arguments of a call. */
@FunctionalInterface
public interface XdrEncoder {

  /** Writes nothing: the encoder of {@code void}. */
  XdrEncoder VOID = writer -> {};

  /**
   * Writes the value.
   *
   * @param writer where to
   * @throws XdrException if the value cannot be encoded
   */
  void encode(XdrWriter writer);
}
