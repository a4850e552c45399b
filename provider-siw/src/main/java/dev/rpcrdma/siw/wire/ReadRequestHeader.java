// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

import java.nio.ByteBuffer;

/**
 * The RDMA Read Request header, which follows an untagged DDP header (RFC 5040 §4.4).
 *
 * <pre>
 *   SinkSTag (4) | SinkTO (8) | size (4) | SrcSTag (4) | SrcTO (8)        28 bytes
 * </pre>
 */
public final class ReadRequestHeader {

  /** Bytes of the header. */
  public static final int BYTES = 28;

  private ReadRequestHeader() {}

  /**
   * The requester's steering tag for the data.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return 32 bits, to be echoed
   */
  public static int sinkTag(ByteBuffer buffer, int at) {
    return buffer.getInt(at);
  }

  /**
   * The requester's tagged offset for the data.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return 64 bits, to be echoed
   */
  public static long sinkOffset(ByteBuffer buffer, int at) {
    return buffer.getLong(at + 4);
  }

  /**
   * How many bytes are wanted.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return an unsigned 32-bit value
   */
  public static long size(ByteBuffer buffer, int at) {
    return Integer.toUnsignedLong(buffer.getInt(at + 12));
  }

  /**
   * The responder's steering tag.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return 32 bits
   */
  public static int sourceTag(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 16);
  }

  /**
   * The responder's tagged offset.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return an unsigned 64-bit value
   */
  public static long sourceOffset(ByteBuffer buffer, int at) {
    return buffer.getLong(at + 20);
  }

  /**
   * Appends a header.
   *
   * @param buffer where to, at its position
   * @param sinkTag steering tag of the requester
   * @param sinkOffset tagged offset of the requester
   * @param size bytes wanted
   * @param sourceTag steering tag of the responder
   * @param sourceOffset tagged offset of the responder
   */
  public static void put(ByteBuffer buffer, int sinkTag, long sinkOffset, int size, int sourceTag,
      long sourceOffset) {
    buffer.putInt(sinkTag);
    buffer.putLong(sinkOffset);
    buffer.putInt(size);
    buffer.putInt(sourceTag);
    buffer.putLong(sourceOffset);
  }
}
