package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Which client connects: 128 random bits that a client draws once and shows with each connection, so
 * that a server knows it again whatever its address.
 *
 * <p>It travels in a block of our own, behind the one of RFC 8797 in the private data. Others ignore
 * it, and both fit the 56 bytes that the smallest devices leave:
 *
 * <pre>
 *   0  52 44 4A 49   "RDJI"
 *   4  01            version of the block
 *   5  00 00 00      sent as zero, not looked at
 *   8  16 bytes      the instance id
 * </pre>
 *
 * @param high the first 64 bits
 * @param low the others
 */
public record InstanceId(long high, long low) {

  /** Size on the wire. */
  public static final int LENGTH = 24;

  private static final int FORMAT_IDENTIFIER = 0x52444A49;
  private static final int VERSION = 1;
  private static final int ID_OFFSET = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * Draws one.
   *
   * @return unlike any other
   */
  public static InstanceId random() {
    return new InstanceId(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /**
   * The block's bytes.
   *
   * @return {@link #LENGTH} bytes
   */
  public byte[] toByteArray() {
    return ByteBuffer.allocate(LENGTH).putInt(FORMAT_IDENTIFIER).put((byte) VERSION)
        .putLong(ID_OFFSET, high).putLong(ID_OFFSET + Long.BYTES, low).array();
  }

  /**
   * Finds the block in a peer's private data, at whatever offset.
   *
   * @param privateData what came, possibly with other blocks or padding
   * @return the id, or empty if there is no block that is whole and of this version
   */
  public static Optional<InstanceId> find(byte[] privateData) {
    return PrivateDataBlock.find(privateData, FORMAT_IDENTIFIER, VERSION, LENGTH).map(block ->
        new InstanceId(block.getLong(ID_OFFSET), block.getLong(ID_OFFSET + Long.BYTES)));
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
