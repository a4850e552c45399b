// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * What two ends of this library show each other when they connect, so that calls outlive connections: a
 * block of our own, behind that of RFC 8797 in the private data. Others ignore it, and both fit the 56
 * bytes that the smallest devices leave.
 *
 * <pre>
 *    0  52 44 4A 49   "RDJI"
 *    4  02            version of the block
 *    5  flags         1 pulls replies, 2 provides them to be pulled, 4 takes an RDMA_DONE that invalidates a tag;
 *                     8 takes metadata behind messages; the others are sent as zero, not looked at
 *    6  k             the sender remembers calls by 2^k slots: the low k bits of their XIDs
 *    7  lane          sent as zero, not looked at
 *    8  16 bytes      a client its own instance, a server the session that holds from now on
 *   24  16 bytes      a client the session that it remembers, zero for none; a server zero
 *   40  number        a client's connections are numbered, each higher than all before; a server zero
 * </pre>
 *
 * <p>Version 1 had neither slots nor sessions on the client's side. Its ends are served as foreign ones.
 *
 * @param slotBits k, from 1 to {@link #MAX_SLOT_BITS}
 * @param id of the client, or of the session
 * @param remembered the session that a client remembers
 * @param number of a client's connection
 * @param features what the sender can do
 */
public record SessionBlock(int slotBits, InstanceId id, Optional<InstanceId> remembered, int number,
    Features features) {

  /** Size on the wire. */
  public static final int LENGTH = 44;
  /** More slots than this nobody can fill with credits. */
  public static final int MAX_SLOT_BITS = 16;
  /** The version of the block; of another one nothing would be known. */
  public static final int VERSION = 2;

  private static final int FORMAT_IDENTIFIER = 0x52444A49;
  private static final int FLAGS = 5;
  private static final int SLOT_BITS = 6;
  private static final int ID = 8;
  private static final int REMEMBERED = ID + InstanceId.LENGTH;
  private static final int NUMBER = REMEMBERED + InstanceId.LENGTH;
  private static final InstanceId NOBODY = new InstanceId(0, 0);

  /** Checks the range. */
  public SessionBlock {
    if (!valid(slotBits)) {
      throw new IllegalArgumentException("Slot bits are 1 to " + MAX_SLOT_BITS + ", not " + slotBits);
    }
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(remembered, "remembered");
    Objects.requireNonNull(features, "features");
  }

  /**
   * The block of a client, without features.
   *
   * @param slotBits k
   * @param id the client's
   * @param remembered the session that it remembers
   * @param number of its connection
   */
  public SessionBlock(int slotBits, InstanceId id, Optional<InstanceId> remembered, int number) {
    this(slotBits, id, remembered, number, Features.NONE);
  }

  private static boolean valid(int slotBits) {
    return slotBits >= 1 && slotBits <= MAX_SLOT_BITS;
  }

  /**
   * What a server shows, without features.
   *
   * @param slotBits of the calls that it remembers
   * @param session the one that holds from now on
   * @return the block
   */
  public static SessionBlock ofServer(int slotBits, InstanceId session) {
    return new SessionBlock(slotBits, session, Optional.empty(), 0);
  }

  /**
   * The same block with features.
   *
   * @param value what the sender can do
   * @return a block
   */
  public SessionBlock with(Features value) {
    return new SessionBlock(slotBits, id, remembered, number, value);
  }

  /**
   * The block's bytes.
   *
   * @return {@link #LENGTH} bytes
   */
  public byte[] toByteArray() {
    ByteBuffer block = ByteBuffer.allocate(LENGTH).putInt(FORMAT_IDENTIFIER).put((byte) VERSION)
        .put(FLAGS, features.toByte()).put(SLOT_BITS, (byte) slotBits).putInt(NUMBER, number);
    put(block, ID, id);
    put(block, REMEMBERED, remembered.orElse(NOBODY));
    return block.array();
  }

  private static void put(ByteBuffer block, int at, InstanceId id) {
    block.putLong(at, id.high()).putLong(at + Long.BYTES, id.low());
  }

  private static InstanceId get(ByteBuffer block, int at) {
    return new InstanceId(block.getLong(at), block.getLong(at + Long.BYTES));
  }

  /**
   * Finds the block in a peer's private data, at whatever offset.
   *
   * @param privateData what came, possibly with other blocks or padding
   * @return the block, or empty if there is none that is whole, of this version, and within its ranges
   */
  public static Optional<SessionBlock> find(byte[] privateData) {
    return PrivateDataBlock.find(privateData, FORMAT_IDENTIFIER, VERSION, LENGTH)
        .filter(block -> valid(block.get(SLOT_BITS)))
        .map(block -> new SessionBlock(block.get(SLOT_BITS), get(block, ID),
            Optional.of(get(block, REMEMBERED)).filter(id -> !id.equals(NOBODY)),
            block.getInt(NUMBER), Features.of(block.get(FLAGS))));
  }
}
