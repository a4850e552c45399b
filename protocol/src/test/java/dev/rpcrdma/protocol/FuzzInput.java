// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol;

import java.nio.ByteBuffer;

/** The bytes of a fuzzer, read as choices and as data. Behind their end everything is zero. */
public final class FuzzInput {

  private static final int[] EXTREMES = {0, 1, 2, 3, 4, 0x10000000, Integer.MAX_VALUE,
      Integer.MIN_VALUE, -4, -1};

  private final ByteBuffer bytes;

  public FuzzInput(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  public boolean hasMore() {
    return bytes.hasRemaining();
  }

  /** One byte, as a number from 0 to below a bound of at most 256. */
  public int choice(int bound) {
    return bytes.hasRemaining() ? (bytes.get() & 0xFF) % bound : 0;
  }

  public boolean flag() {
    return choice(2) == 1;
  }

  /** The next bytes, fewer where the input ends. */
  public byte[] data(int most) {
    byte[] data = new byte[Math.min(most, bytes.remaining())];
    bytes.get(data);
    return data;
  }

  /** One of the values that lengths and counts go wrong at, or any. */
  public int word() {
    int choice = choice(16);
    return choice < EXTREMES.length ? EXTREMES[choice]
        : choice(256) << 24 | choice(256) << 16 | choice(256) << 8 | choice(256);
  }

  /** All that is left. */
  public byte[] rest() {
    return data(bytes.remaining());
  }
}
