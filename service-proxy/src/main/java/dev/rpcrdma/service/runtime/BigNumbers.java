// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Writes and reads numbers of any size. */
public final class BigNumbers {

  /** The bound of a decimal's unscaled value, in bytes: what is done with a number can take the square of it. */
  static final int MAX_UNSCALED = 4096;
  /** Of those that are put in an order: one is compared with many, and a long one with each takes long. */
  static final int MAX_ORDERED = 64;

  private BigNumbers() {}

  /**
   * Writes an integer as the bytes of its two's complement, the most significant first, and no more of them
   * than it needs.
   *
   * @param out the writer
   * @param value the integer
   * @param max the bound of the bytes
   * @param what its name
   */
  public static void writeBigInteger(ValueWriter out, BigInteger value, int max, String what) {
    // Before the bytes are there: they are many if they are too many.
    Values.fits(out.present(value, what).bitLength() / 8 + 1, max, what);
    out.bytes(value.toByteArray(), max, what);
  }

  /**
   * Reads an integer.
   *
   * @param in the reader
   * @param max the bound of its bytes
   * @return the integer
   * @throws XdrException if there is not even one byte
   */
  public static BigInteger readBigInteger(ValueReader in, int max) {
    byte[] bytes = in.bytes(max);
    if (bytes.length == 0) {
      throw new XdrException("An integer has no bytes");
    }
    return new BigInteger(bytes);
  }

  /**
   * Writes a decimal as its unscaled value, of at most 4096 bytes, and its scale. Within elements of sorted sets, and
   * keys of sorted maps, it has at most 64 bytes.
   *
   * @param out the writer
   * @param value the decimal
   * @param what its name
   */
  public static void writeBigDecimal(ValueWriter out, BigDecimal value, String what) {
    writeBigInteger(out, out.present(value, what).unscaledValue(), out.ordering ? MAX_ORDERED : MAX_UNSCALED, what);
    out.int32(value.scale());
  }

  /**
   * Reads a decimal. Its scale can be any.
   *
   * @param in the reader
   * @return the decimal
   * @throws XdrException if the unscaled value has no bytes, or more than 4096, or more than 64 where it is sorted
   */
  public static BigDecimal readBigDecimal(ValueReader in) {
    return new BigDecimal(readBigInteger(in, in.ordering ? MAX_ORDERED : MAX_UNSCALED), in.int32());
  }
}
