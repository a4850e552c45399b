// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import java.nio.ByteBuffer;

/** The bytes of a fuzzer, read as choices and as data. Behind their end everything is zero. */
public final class FuzzInput {

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

  /** All that is left. */
  public byte[] rest() {
    return data(bytes.remaining());
  }
}
