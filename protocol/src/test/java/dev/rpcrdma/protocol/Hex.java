// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes as people write them. */
public final class Hex {

  private Hex() {}

  /** Bytes from hexadecimal digits; spaces are ignored. */
  public static byte[] bytes(String digits) {
    return HexFormat.of().parseHex(digits.replaceAll("\\s", ""));
  }

  /** A buffer over such bytes. */
  public static ByteBuffer buffer(String digits) {
    return ByteBuffer.wrap(bytes(digits));
  }

  /** The first bytes of a buffer, up to its position, in words of four. */
  public static String written(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.position()];
    buffer.duplicate().flip().get(bytes);
    return HexFormat.of().formatHex(bytes).replaceAll("(.{8})(?=.)", "$1 ");
  }
}
