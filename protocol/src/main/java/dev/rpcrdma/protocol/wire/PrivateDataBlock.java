// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;
import java.util.Optional;

/** A block in the private data of a connection, known by its format identifier and version. */
final class PrivateDataBlock {

  private PrivateDataBlock() {}

  /**
   * Finds a block, at whatever offset (RFC 8797 §5.2).
   *
   * @param privateData what came, possibly with other blocks or padding
   * @param identifier its first four bytes
   * @param version its fifth
   * @param length its size, all of which must be there
   * @return the block from index 0, or empty if there is none that is whole and of that version
   */
  static Optional<ByteBuffer> find(byte[] privateData, int identifier, int version, int length) {
    ByteBuffer data = ByteBuffer.wrap(privateData);
    for (int at = 0; at + length <= privateData.length; at++) {
      if (data.getInt(at) == identifier && data.get(at + Integer.BYTES) == version) {
        return Optional.of(data.slice(at, length));
      }
    }
    return Optional.empty();
  }
}
