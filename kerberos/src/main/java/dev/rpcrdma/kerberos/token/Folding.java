// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * Makes a text longer or shorter so that each of its bits counts (RFC 3961 §5.1, n-fold): copies of it, each rotated
 * to the right by 13 bits more than the one before, as many as come out even, are added up piece by piece with the
 * carry coming around.
 */
final class Folding {

  private static final int ROTATED_BITS = 13;

  private Folding() {}

  /**
   * Folds.
   *
   * @param text at least one byte
   * @param length of the result, in bytes, at least one
   * @return a new array
   */
  static byte[] fold(byte[] text, int length) {
    int copies = length / BigInteger.valueOf(length).gcd(BigInteger.valueOf(text.length)).intValue();
    byte[] all = new byte[copies * text.length];
    BigInteger value = new BigInteger(1, text);
    for (int copy = 0; copy < copies; copy++) {
      put(rotated(value, ROTATED_BITS * copy, text.length * Byte.SIZE), all, copy * text.length, text.length);
    }
    byte[] folded = new byte[length];
    put(sum(ByteBuffer.wrap(all), length), folded, 0, length);
    return folded;
  }

  private static BigInteger rotated(BigInteger value, int by, int bits) {
    int right = by % bits;
    return value.shiftRight(right).or(value.shiftLeft(bits - right)).and(mask(bits));
  }

  private static BigInteger sum(ByteBuffer pieces, int length) {
    BigInteger sum = BigInteger.ZERO;
    byte[] piece = new byte[length];
    while (pieces.hasRemaining()) {
      pieces.get(piece);
      sum = sum.add(new BigInteger(1, piece));
    }
    int bits = length * Byte.SIZE;
    while (sum.bitLength() > bits) {
      sum = sum.and(mask(bits)).add(sum.shiftRight(bits));
    }
    return sum;
  }

  private static BigInteger mask(int bits) {
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  private static void put(BigInteger value, byte[] target, int at, int length) {
    for (int i = 0; i < length; i++) {
      target[at + length - 1 - i] = value.shiftRight(i * Byte.SIZE).byteValue();
    }
  }
}
