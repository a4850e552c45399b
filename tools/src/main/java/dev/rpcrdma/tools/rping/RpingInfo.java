// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import java.nio.ByteBuffer;

/**
 * What the client advertises.
 *
 * <pre>
 *   address (8) | steering tag (4) | size (4)      all big endian
 * </pre>
 *
 * @param address where the memory begins, under the tag
 * @param tag its steering tag
 * @param size its bytes
 */
record RpingInfo(long address, int tag, int size) {

  /** Bytes of the message, and of the server's answers. */
  static final int BYTES = 16;

  /**
   * Reads a message.
   *
   * @param buffer holds it
   * @param at its first byte
   * @return what it says
   */
  static RpingInfo get(ByteBuffer buffer, int at) {
    return new RpingInfo(buffer.getLong(at), buffer.getInt(at + 8), buffer.getInt(at + 12));
  }

  /**
   * Writes the message.
   *
   * @param buffer where to
   * @param at its first byte
   */
  void put(ByteBuffer buffer, int at) {
    buffer.putLong(at, address).putInt(at + 8, tag).putInt(at + 12, size);
  }
}
