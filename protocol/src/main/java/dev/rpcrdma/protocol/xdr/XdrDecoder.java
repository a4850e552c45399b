// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

/**
 * Reads one value, such as the results of a call.
 *
 * @param <T> the value's type
 */
@FunctionalInterface
public interface XdrDecoder<T> {

  /** Reads nothing: the decoder of {@code void}. */
  XdrDecoder<Void> VOID = reader -> null;

  /**
   * Reads the value.
   *
   * @param reader where from
   * @return the value
   * @throws XdrException if the bytes are not such a value
   */
  T decode(XdrReader reader);
}
