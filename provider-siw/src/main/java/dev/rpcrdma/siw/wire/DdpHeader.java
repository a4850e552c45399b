// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

import java.nio.ByteBuffer;

/**
 * The DDP header together with the RDMAP control byte it carries (RFC 5041 §4, RFC 5040 §4.1).
 *
 * <pre>
 *   tagged, 14 bytes:    DDP control (1) | RDMAP control (1) | STag (4) | TO (8)
 *   untagged, 18 bytes:  DDP control (1) | RDMAP control (1) | Invalidate STag (4)
 *                        | QN (4) | MSN (4) | MO (4)
 *   DDP control:   T L r r r r DV DV        RDMAP control: RV RV r r opcode(4)
 * </pre>
 */
public final class DdpHeader {

  /** Bytes of a tagged header. */
  public static final int TAGGED_BYTES = 14;

  /** Bytes of an untagged header. */
  public static final int UNTAGGED_BYTES = 18;

  /** (T) the segment names its place by a steering tag. */
  public static final int TAGGED = 0x80;

  /** (L) the last segment of its message. */
  public static final int LAST = 0x40;

  /** (DV) DDP version 1. */
  public static final int DDP_VERSION = 0x01;

  /** (RV) RDMAP version 1. */
  public static final int RDMAP_VERSION = 0x40;

  /** Queue of Sends. */
  public static final int SEND_QUEUE = 0;

  /** Queue of RDMA Read Requests. */
  public static final int READ_REQUEST_QUEUE = 1;

  /** Queue of the Terminate. */
  public static final int TERMINATE_QUEUE = 2;

  private static final int DDP_VERSION_MASK = 0x03;
  private static final int RDMAP_VERSION_MASK = 0xC0;
  private static final int OPCODE_MASK = 0x0F;

  private DdpHeader() {}

  /**
   * Whether the segment is tagged.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return the T bit
   */
  public static boolean isTagged(ByteBuffer buffer, int at) {
    return (buffer.get(at) & TAGGED) != 0;
  }

  /**
   * Whether the segment ends its message.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return the L bit
   */
  public static boolean isLast(ByteBuffer buffer, int at) {
    return (buffer.get(at) & LAST) != 0;
  }

  /**
   * The DDP version.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return 1 if all is well
   */
  public static int ddpVersion(ByteBuffer buffer, int at) {
    return buffer.get(at) & DDP_VERSION_MASK;
  }

  /**
   * The RDMAP version bits in their place.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return {@link #RDMAP_VERSION} if all is well
   */
  public static int rdmapVersion(ByteBuffer buffer, int at) {
    return buffer.get(at + 1) & RDMAP_VERSION_MASK;
  }

  /**
   * The RDMAP opcode.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return 0 to 15, see {@link RdmapOpcode}
   */
  public static int opcode(ByteBuffer buffer, int at) {
    return buffer.get(at + 1) & OPCODE_MASK;
  }

  /**
   * The steering tag of a tagged segment, or what an untagged one invalidates.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return 32 bits
   */
  public static int steeringTag(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 2);
  }

  /**
   * The tagged offset of a tagged segment.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return an unsigned 64-bit value
   */
  public static long taggedOffset(ByteBuffer buffer, int at) {
    return buffer.getLong(at + 6);
  }

  /**
   * The queue number of an untagged segment.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return an unsigned 32-bit value
   */
  public static int queueNumber(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 6);
  }

  /**
   * The message sequence number of an untagged segment.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return an unsigned 32-bit value
   */
  public static int messageSequenceNumber(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 10);
  }

  /**
   * The message offset of an untagged segment.
   *
   * @param buffer holds the header
   * @param at index of its first byte
   * @return an unsigned 32-bit value
   */
  public static int messageOffset(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 14);
  }

  /**
   * Appends a tagged header.
   *
   * @param buffer where to, at its position
   * @param opcode the RDMAP opcode
   * @param last whether the segment ends its message
   * @param steeringTag the peer's steering tag
   * @param taggedOffset where the segment starts under that tag
   */
  public static void putTagged(ByteBuffer buffer, int opcode, boolean last, int steeringTag,
      long taggedOffset) {
    buffer.put((byte) (TAGGED | (last ? LAST : 0) | DDP_VERSION));
    buffer.put((byte) (RDMAP_VERSION | opcode));
    buffer.putInt(steeringTag);
    buffer.putLong(taggedOffset);
  }

  /**
   * Appends an untagged header.
   *
   * @param buffer where to, at its position
   * @param opcode the RDMAP opcode
   * @param last whether the segment ends its message
   * @param invalidate the steering tag to invalidate, else 0
   * @param queueNumber one of the queues of this class
   * @param messageSequenceNumber of the message within its queue, from 1
   * @param messageOffset where the segment starts in its message
   */
  public static void putUntagged(ByteBuffer buffer, int opcode, boolean last, int invalidate,
      int queueNumber, int messageSequenceNumber, int messageOffset) {
    buffer.put((byte) ((last ? LAST : 0) | DDP_VERSION));
    buffer.put((byte) (RDMAP_VERSION | opcode));
    buffer.putInt(invalidate);
    buffer.putInt(queueNumber);
    buffer.putInt(messageSequenceNumber);
    buffer.putInt(messageOffset);
  }
}
