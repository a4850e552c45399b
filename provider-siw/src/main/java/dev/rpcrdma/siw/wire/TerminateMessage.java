package dev.rpcrdma.siw.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A Terminate header as received (RFC 5040 §4.8).
 *
 * <pre>
 *   layer (4 bits) | type (4) | code (8) | M D R | zero (13)      then the offending headers
 * </pre>
 *
 * @param layer 0 RDMAP, 1 DDP, 2 MPA
 * @param type error type within the layer
 * @param code error code within the type
 */
public record TerminateMessage(int layer, int type, int code) {

  /** Bytes of the control word. */
  public static final int CONTROL_BYTES = 4;

  /** (M) the DDP segment length is there and valid. */
  private static final int SEGMENT_LENGTH = 0x8000;
  /** (D) the DDP header is included. */
  private static final int DDP_INCLUDED = 0x4000;
  /** (R) the RDMAP header is included. */
  private static final int RDMAP_INCLUDED = 0x2000;
  /** Header bits of a little-endian Linux siw: M, D, R as 0x01, 0x02, 0x04 of the third byte. */
  private static final int SWAPPED_BITS = 0x0700;

  /**
   * Reads a control word. Linux siw on a little-endian machine swaps the nibbles of the first byte
   * and the bits of the third. That is recognised where the third byte tells; where it is zero, the
   * order of the RFC is assumed unless only the other one gives an error that there is: siw says that
   * a CRC does not match by 02020000, which is no error of RDMAP.
   *
   * @param word the first 32 bits of the Terminate header
   * @return what it says
   */
  public static TerminateMessage parse(int word) {
    int code = word >>> 16 & 0xFF;
    TerminateMessage plain = new TerminateMessage(word >>> 28, word >>> 24 & 0xF, code);
    TerminateMessage swapped = new TerminateMessage(plain.type, plain.layer, code);
    if ((word & (SEGMENT_LENGTH | DDP_INCLUDED | RDMAP_INCLUDED)) != 0) {
      return plain;
    }
    boolean swappedOnly = plain.known().isEmpty() && swapped.known().isPresent();
    return (word & SWAPPED_BITS) != 0 || swappedOnly ? swapped : plain;
  }

  private Optional<TerminateCode> known() {
    return Arrays.stream(TerminateCode.values()).filter(known -> known.layer() == layer
        && known.type() == type && known.code() == code).findFirst();
  }

  /**
   * Appends a Terminate header.
   *
   * @param buffer where to, at its position
   * @param code why
   * @param segmentLength length of the offending DDP segment
   * @param headers the offending DDP header, followed by the Read Request header if it was one;
   *     empty if none is to be included
   */
  public static void put(ByteBuffer buffer, TerminateCode code, int segmentLength, byte[] headers) {
    int word = code.layer() << 28 | code.type() << 24 | code.code() << 16;
    if (headers.length > 0) {
      word |= SEGMENT_LENGTH | DDP_INCLUDED;
      if (headers.length == DdpHeader.UNTAGGED_BYTES + ReadRequestHeader.BYTES) {
        word |= RDMAP_INCLUDED;
      }
      buffer.putInt(word).putShort((short) segmentLength).put(headers);
    } else {
      buffer.putInt(word);
    }
  }

  /** What people want to read. */
  @Override
  public String toString() {
    return known().map(known -> known.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .orElse("layer " + layer + ", type " + type + ", code " + code);
  }
}
