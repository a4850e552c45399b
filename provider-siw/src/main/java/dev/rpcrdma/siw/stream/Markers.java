// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.TerminateCode;
import java.nio.ByteBuffer;

/**
 * The markers of one direction (RFC 5044 §4.3): one before the first FPDU, and then one every 512
 * octets of the TCP stream, markers included. FPDUs have a multiple of four octets, so a marker
 * never cuts a length field or a CRC in two.
 *
 * <pre>
 *   zero (2) | FPDUPTR (2): octets from the length field of its FPDU to the marker,
 *                           0 before the length field
 * </pre>
 */
final class Markers {

  static final int BYTES = 4;

  private static final int INTERVAL = 512;

  /** Octets of FPDUs between two markers. */
  private static final int STRIDE = INTERVAL - BYTES;

  /** The lowest two bits of a FPDUPTR count as zero. */
  private static final int POINTER_MASK = 0xFFFC;

  /** Octets since the first octet of the last marker; at 0 one is due. */
  private int phase;

  /** How many markers an FPDU that comes now contains. */
  int count(int fpduBytes) {
    int first = first();
    return first >= fpduBytes ? 0 : 1 + (fpduBytes - 1 - first) / STRIDE;
  }

  /** Whether one is due before the length field. */
  boolean isDue() {
    return phase == 0;
  }

  /** Octets of the FPDU before its first marker. */
  private int first() {
    return phase == 0 ? 0 : INTERVAL - phase;
  }

  /** What the marker of that number in the FPDU must say, its place being known by its number. */
  private int pointer(int number) {
    int place = first() + number * INTERVAL;
    return phase == 0 ? Math.max(0, place - BYTES) : place;
  }

  /**
   * Makes room for the markers of an FPDU, from its end to its start, and writes them.
   *
   * @param out holds the FPDU at {@code start}, with room behind it
   * @return its size with markers
   */
  int insert(ByteBuffer out, int start, int fpduBytes) {
    int count = count(fpduBytes);
    int end = fpduBytes;
    for (int number = count - 1; number >= 0; number--) {
      int from = first() + number * STRIDE;
      out.put(start + from + (number + 1) * BYTES, out, start + from, end - from);
      out.putInt(start + from + number * BYTES, pointer(number));
      end = from;
    }
    return fpduBytes + count * BYTES;
  }

  /**
   * Checks the markers of an FPDU and closes the gaps they leave.
   *
   * @param in holds the FPDU with its markers at {@code start}, and without them afterwards
   * @throws StreamFault if a marker does not point to the FPDU's length field
   */
  void remove(ByteBuffer in, int start, int fpduBytes) {
    int count = count(fpduBytes);
    for (int number = 0; number < count; number++) {
      int from = first() + number * STRIDE;
      int place = start + from + number * BYTES;
      // RFC 5044 §8: a marker and a length that disagree.
      if ((in.getInt(place) & POINTER_MASK) != pointer(number)) {
        throw new StreamFault(TerminateCode.MARKER_MISMATCH, "A marker of "
            + (in.getInt(place) & POINTER_MASK) + " where the FPDU began " + pointer(number)
            + " bytes before it");
      }
      int next = number + 1 < count ? from + STRIDE : fpduBytes;
      in.put(start + from, in, place + BYTES, next - from);
    }
  }

  /** The FPDU has gone by. */
  void advance(int bytesWithMarkers) {
    phase = (phase + bytesWithMarkers) % INTERVAL;
  }
}
