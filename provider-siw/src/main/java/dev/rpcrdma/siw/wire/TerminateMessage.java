// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Terminate header as received (RFC 5040 §4.8).
 *
 * <pre>
 *   layer (4 bits) | type (4) | code (8) | M D R | zero (13)
 *   DDP segment length (2) | DDP header (14 or 18) if D | Read Request header (28) if R
 * </pre>
 *
 * @param layer 0 RDMAP, 1 DDP, 2 MPA
 * @param type error type within the layer
 * @param code error code within the type
 * @param steeringTag the tag in the offending headers, if they are there and of a tagged segment, or the
 *     source tag if they are of a Read Request
 */
public record TerminateMessage(int layer, int type, int code, OptionalInt steeringTag) {

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
  private static final int SWAPPED_DDP_INCLUDED = 0x0200;
  private static final int SWAPPED_RDMAP_INCLUDED = 0x0400;
  /** The segment length is there if the DDP header is (RFC 5040 §4.8). */
  private static final int HEADERS_AT = CONTROL_BYTES + 2;

  /**
   * A Terminate without the offending headers.
   *
   * @param layer 0 RDMAP, 1 DDP, 2 MPA
   * @param type error type within the layer
   * @param code error code within the type
   */
  public TerminateMessage(int layer, int type, int code) {
    this(layer, type, code, OptionalInt.empty());
  }

  /**
   * Reads a Terminate header. Offending headers that are cut off, or are none, are left out: the error is
   * told all the same.
   *
   * @param in holds the header
   * @param at index of its first byte
   * @param length its bytes, at least {@link #CONTROL_BYTES}
   * @return what it says
   */
  public static TerminateMessage parse(ByteBuffer in, int at, int length) {
    int word = in.getInt(at);
    TerminateMessage plain = parse(word);
    boolean ordered = (word & (SEGMENT_LENGTH | DDP_INCLUDED | RDMAP_INCLUDED)) != 0;
    boolean ddp = (word & (ordered ? DDP_INCLUDED : SWAPPED_DDP_INCLUDED)) != 0;
    boolean rdmap = (word & (ordered ? RDMAP_INCLUDED : SWAPPED_RDMAP_INCLUDED)) != 0;
    OptionalInt tag = ddp
        ? refusedTag(in, at + HEADERS_AT, length - HEADERS_AT, rdmap) : OptionalInt.empty();
    return new TerminateMessage(plain.layer, plain.type, plain.code, tag);
  }

  private static OptionalInt refusedTag(ByteBuffer in, int at, int length, boolean rdmap) {
    if (length >= DdpHeader.TAGGED_BYTES && DdpHeader.isTagged(in, at)) {
      return OptionalInt.of(DdpHeader.steeringTag(in, at));
    }
    boolean readRequest = rdmap && length >= DdpHeader.UNTAGGED_BYTES + ReadRequestHeader.BYTES
        && DdpHeader.opcode(in, at) == RdmapOpcode.READ_REQUEST;
    return readRequest
        ? OptionalInt.of(ReadRequestHeader.sourceTag(in, at + DdpHeader.UNTAGGED_BYTES))
        : OptionalInt.empty();
  }

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
