// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

/**
 * Sizes of a Framed PDU (RFC 5044 §4.1).
 *
 * <pre>
 *   ULPDU_Length (2) | ULPDU | PAD (0..3 zero bytes) | CRC (4)
 * </pre>
 */
public final class Fpdu {

  /** Bytes of the ULPDU_Length field. */
  public static final int LENGTH_BYTES = 2;

  /** Bytes of the CRC field, which is there even when it is not used. */
  public static final int CRC_BYTES = 4;

  /** The longest ULPDU that its length field can tell; each receiver accepts it (§4.1). */
  public static final int MAX_ULPDU = 0xFFFF;

  /** The longest FPDU: 2 + 65535 + 3 bytes of pad + 4. */
  public static final int MAX_BYTES = LENGTH_BYTES + MAX_ULPDU + 3 + CRC_BYTES;

  private Fpdu() {}

  /**
   * How many zero bytes follow a ULPDU, so that the FPDU is a multiple of four bytes.
   *
   * @param ulpduLength bytes of the ULPDU
   * @return 0 to 3
   */
  public static int pad(int ulpduLength) {
    return -(LENGTH_BYTES + ulpduLength) & 3;
  }

  /**
   * The size of the whole FPDU.
   *
   * @param ulpduLength bytes of the ULPDU
   * @return a multiple of four
   */
  public static int bytes(int ulpduLength) {
    return LENGTH_BYTES + ulpduLength + pad(ulpduLength) + CRC_BYTES;
  }

  /**
   * The longest ULPDU whose FPDU fits into one TCP segment (RFC 5044 §4.5).
   *
   * @param emss effective maximum segment size of the TCP connection, in bytes, at most 65535
   * @param markers whether there are markers, whose pointer cannot tell of longer FPDUs either
   * @return MULPDU, at least 128 and at most {@link #MAX_ULPDU}
   */
  public static int mulpdu(int emss, boolean markers) {
    int ofMarkers = markers ? 4 * ((emss + 511) / 512) : 0;
    return Math.max(128, emss - (6 + ofMarkers + emss % 4));
  }
}
