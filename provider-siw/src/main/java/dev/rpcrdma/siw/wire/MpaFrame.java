// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An MPA Request or Reply frame (RFC 5044 §7.1.1, RFC 6581 §9).
 *
 * <pre>
 *   Key (16) | M C R S r r r r (1) | Rev (1) | PD_Length (2) | private data (PD_Length)
 *   with S:  private data = enhanced block (4) | the consumer's private data
 * </pre>
 *
 * @param request true for a Request, false for a Reply
 * @param markers (M) the sender wants markers in what it receives
 * @param crc (C) the sender wants CRCs
 * @param rejected (R) a Reply that refuses the connection
 * @param revision 0 to 255
 * @param enhanced the enhanced block, present if the S flag is set
 * @param privateData the consumer's private data, without the enhanced block
 */
public record MpaFrame(
    boolean request,
    boolean markers,
    boolean crc,
    boolean rejected,
    int revision,
    Optional<EnhancedBlock> enhanced,
    byte[] privateData) {

  /** Bytes before the private data. */
  public static final int HEADER_BYTES = 20;

  /** The longest private data, enhanced block included (RFC 5044 §7.1.1). */
  public static final int MAX_PRIVATE_DATA = 512;

  /** Bytes of the key. */
  public static final int KEY_BYTES = 16;

  private static final byte[] REQUEST_KEY =
      "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] REPLY_KEY =
      "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);

  private static final int MARKERS = 0x80;
  private static final int CRC = 0x40;
  private static final int REJECTED = 0x20;
  private static final int ENHANCED = 0x10;
  private static final int REVISION_AT = 17;
  private static final int LENGTH_AT = 18;

  /**
   * Whether bytes can be the start of a frame's key.
   *
   * @param bytes what has arrived, from index 0
   * @param count how much of it
   * @param request which key
   * @return false as soon as one byte differs
   */
  public static boolean keyMatches(byte[] bytes, int count, boolean request) {
    byte[] key = request ? REQUEST_KEY : REPLY_KEY;
    for (int i = 0; i < Math.min(count, KEY_BYTES); i++) {
      if (bytes[i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * The length of the private data that a header announces.
   *
   * @param header at least {@link #HEADER_BYTES} bytes
   * @return 0 to 65535; more than {@link #MAX_PRIVATE_DATA} is malformed
   */
  public static int privateDataLength(byte[] header) {
    return privateDataLength(ByteBuffer.wrap(header), 0);
  }

  /**
   * The length of the private data that a header announces.
   *
   * @param in holds the header, in the byte order of networks
   * @param at index of its first byte
   * @return 0 to 65535; more than {@link #MAX_PRIVATE_DATA} is malformed
   */
  public static int privateDataLength(ByteBuffer in, int at) {
    return in.getShort(at + LENGTH_AT) & 0xFFFF;
  }

  /**
   * Reads a complete frame whose key and length were checked.
   *
   * @param bytes header and private data
   * @param request whether the key was a Request's
   * @return the frame
   * @throws IllegalArgumentException if the S flag is set and the enhanced block is not there
   */
  public static MpaFrame parse(byte[] bytes, boolean request) {
    int flags = bytes[KEY_BYTES];
    int length = privateDataLength(bytes);
    Optional<EnhancedBlock> enhanced = Optional.empty();
    int from = HEADER_BYTES;
    // RFC 5044 §7.1.1: in revision 1 the bit was reserved, and is not looked at.
    if ((flags & ENHANCED) != 0 && (bytes[REVISION_AT] & 0xFF) > 1) {
      if (length < EnhancedBlock.BYTES) {
        throw new IllegalArgumentException(
            "S flag set, but only " + length + " bytes of private data");
      }
      enhanced = Optional.of(EnhancedBlock.parse(ByteBuffer.wrap(bytes).getInt(HEADER_BYTES)));
      from += EnhancedBlock.BYTES;
    }
    return new MpaFrame(request, (flags & MARKERS) != 0, (flags & CRC) != 0,
        (flags & REJECTED) != 0, bytes[REVISION_AT] & 0xFF, enhanced,
        java.util.Arrays.copyOfRange(bytes, from, HEADER_BYTES + length));
  }

  /**
   * The frame as bytes.
   *
   * @return a new array
   */
  public byte[] encode() {
    int length = privateData.length + (enhanced.isPresent() ? EnhancedBlock.BYTES : 0);
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + length);
    out.put(request ? REQUEST_KEY : REPLY_KEY);
    out.put((byte) ((markers ? MARKERS : 0) | (crc ? CRC : 0) | (rejected ? REJECTED : 0)
        | (enhanced.isPresent() ? ENHANCED : 0)));
    out.put((byte) revision);
    out.putShort((short) length);
    enhanced.ifPresent(block -> out.putInt(block.encode()));
    out.put(privateData);
    return out.array();
  }
}
