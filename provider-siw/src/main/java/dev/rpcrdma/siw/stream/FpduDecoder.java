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
  private final CRC32C crc = new CRC32C();

  FpduDecoder(boolean checkCrc) {
    this.checkCrc = checkCrc;
  }

  /**
   * The size of the FPDU that starts at an index, if all of it is there.
   *
   * @return its bytes, or -1 if more must arrive
   */
  static int complete(ByteBuffer in, int from, int to) {
    if (to - from < Fpdu.LENGTH_BYTES) {
      return -1;
    }
    int bytes = Fpdu.bytes(ulpduLength(in, from));
    return to - from < bytes ? -1 : bytes;
  }

  static int ulpduLength(ByteBuffer in, int from) {
    return in.getShort(from) & 0xFFFF;
  }

  void verify(ByteBuffer in, int from, int bytes) {
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
