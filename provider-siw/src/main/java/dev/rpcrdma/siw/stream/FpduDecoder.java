// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.TerminateCode;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Finds FPDUs in the byte stream and verifies their CRC before anyone sees what is in them (RFC
 * 5044 §4, §6). Relies on nothing but the byte stream: how TCP cut it does not matter.
 */
final class FpduDecoder {

  private final boolean checkCrc;
  private final Markers markers;
  private final CRC32C crc = new CRC32C();
  private int ulpduLength;

  FpduDecoder(boolean checkCrc, boolean markers) {
    this.checkCrc = checkCrc;
    this.markers = markers ? new Markers() : null;
  }

  /**
   * The size of the FPDU that starts at an index, if all of it is there.
   *
   * @return its bytes, markers included, or -1 if more must arrive
   */
  int complete(ByteBuffer in, int from, int to) {
    int lengthAt = markers != null && markers.isDue() ? from + Markers.BYTES : from;
    if (to - lengthAt < Fpdu.LENGTH_BYTES) {
      return -1;
    }
    int bytes = Fpdu.bytes(in.getShort(lengthAt) & 0xFFFF);
    if (markers != null) {
      bytes += markers.count(bytes) * Markers.BYTES;
    }
    return to - from < bytes ? -1 : bytes;
  }

  /**
   * Checks a complete FPDU and takes its markers out.
   *
   * @return the index of its ULPDU
   * @throws StreamFault if the CRC or a marker is wrong
   */
  int open(ByteBuffer in, int from, int bytes) {
    verify(in, from, bytes);
    if (markers != null) {
      int lengthAt = markers.isDue() ? from + Markers.BYTES : from;
      markers.remove(in, from, Fpdu.bytes(in.getShort(lengthAt) & 0xFFFF));
      markers.advance(bytes);
    }
    ulpduLength = in.getShort(from) & 0xFFFF;
    return from + Fpdu.LENGTH_BYTES;
  }

  /** Bytes of the ULPDU that was opened last. */
  int ulpduLength() {
    return ulpduLength;
  }

  private void verify(ByteBuffer in, int from, int bytes) {
    if (!checkCrc) {
      return;
    }
    int end = from + bytes - Fpdu.CRC_BYTES;
    in.limit(end).position(from);
    crc.reset();
    crc.update(in);
    in.clear();
    if ((int) crc.getValue() != Integer.reverseBytes(in.getInt(end))) {
      throw new StreamFault(TerminateCode.CRC_MISMATCH, "An FPDU whose CRC does not match");
    }
  }
}
