package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;

/**
 * A range of the requester's memory (RFC 8166 §4.1, xdr_rdma_segment; "HLOO").
 *
 * @param handle the steering tag
 * @param length number of bytes, unsigned
 * @param offset the address under that tag, unsigned
 */
public record Segment(int handle, int length, long offset) {

  /** Size on the wire. */
  public static final int ENCODED_LENGTH = 16;

  /**
   * The length as a number.
   *
   * @return 0 to 2^32-1
   */
  public long unsignedLength() {
    return Integer.toUnsignedLong(length);
  }

  /**
   * This segment with another length.
   *
   * @param bytes the new length, unsigned
   * @return a copy
   */
  public Segment withLength(int bytes) {
    return new Segment(handle, bytes, offset);
  }

  void write(ByteBuffer target) {
    target.putInt(handle).putInt(length).putLong(offset);
  }

  static Segment read(ByteBuffer source) {
    return new Segment(source.getInt(), source.getInt(), source.getLong());
  }
}
