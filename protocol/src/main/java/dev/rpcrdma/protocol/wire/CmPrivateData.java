// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The block that peers exchange when they connect (RFC 8797 §4).
 *
 * <pre>  F6 AB 0E 18 | version 1 | flags, 01 = R | send size | receive size  </pre>
 *
 * <p>A size octet n means 1024·(n+1) bytes.
 *
 * @param remoteInvalidation R: the sender copes with Send With Invalidate
 * @param sendSize the longest Send that the sender will make, in bytes
 * @param receiveSize the longest Send that the sender can receive, in bytes
 */
public record CmPrivateData(boolean remoteInvalidation, int sendSize, int receiveSize) {

  /** What is assumed of a peer that says nothing (RFC 8797 §4.2, R-041). */
  public static final CmPrivateData SILENT = new CmPrivateData(false, 1024, 1024);

  /** Size on the wire. */
  public static final int LENGTH = 8;

  /** The largest size that can be told. */
  public static final int MAX_SIZE = 1024 * 256;

  /** The version of the block; of another one nothing would be known. */
  public static final int VERSION = 1;

  private static final int FORMAT_IDENTIFIER = 0xF6AB0E18;
  private static final int UNIT = 1024;

  /** Checks that both sizes can be told. */
  public CmPrivateData {
    checkSize(sendSize);
    checkSize(receiveSize);
  }

  private static void checkSize(int size) {
    if (size < UNIT || size > MAX_SIZE || size % UNIT != 0) {
      throw new IllegalArgumentException("An inline size is a multiple of 1024 up to 262144, not "
          + size);
    }
  }

  /**
   * The block's bytes.
   *
   * @return {@link #LENGTH} bytes
   */
  public byte[] toByteArray() {
    return ByteBuffer.allocate(LENGTH).putInt(FORMAT_IDENTIFIER).put((byte) VERSION)
        .put((byte) (remoteInvalidation ? 1 : 0)).put((byte) (sendSize / UNIT - 1))
        .put((byte) (receiveSize / UNIT - 1)).array();
  }

  /**
   * Finds the block in a peer's private data, at whatever offset (RFC 8797 §5.2).
   *
   * @param privateData what came, possibly with other blocks or padding
   * @return the block, or empty if there is none that is whole and of version 1; then {@link #SILENT}
   *     holds
   */
  public static Optional<CmPrivateData> find(byte[] privateData) {
    return PrivateDataBlock.find(privateData, FORMAT_IDENTIFIER, VERSION, LENGTH).map(block ->
        new CmPrivateData((block.get(5) & 1) != 0, size(block.get(6)), size(block.get(7))));
  }

  private static int size(byte octet) {
    return UNIT * (Byte.toUnsignedInt(octet) + 1);
  }
}
