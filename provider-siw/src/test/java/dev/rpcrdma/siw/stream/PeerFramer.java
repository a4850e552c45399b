// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.Fpdu;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Frames what a peer sends, octet by octet as RFC 5044 §4 tells it and without the code under test:
 * length, ULPDU, pad, CRC, and with markers every 512th octet of the stream.
 */
final class PeerFramer {

  private final boolean markers;
  private long position;

  PeerFramer(boolean markers) {
    this.markers = markers;
  }

  byte[] frame(byte[] ulpdu) {
    byte[] plain = new byte[Fpdu.bytes(ulpdu.length)];
    ByteBuffer.wrap(plain).putShort((short) ulpdu.length).put(ulpdu);
    ByteBuffer out = ByteBuffer.allocate(plain.length + 4 * (plain.length / 508 + 1));
    long start = -1;
    for (byte octet : plain) {
      if (markers && position % 512 == 0) {
        out.putInt((int) (start < 0 ? 0 : position - start));
        position += 4;
      }
      start = start < 0 ? position : start;
      out.put(octet);
      position++;
    }
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position() - 4);
    out.putInt(out.position() - 4, Integer.reverseBytes((int) crc.getValue()));
    byte[] framed = new byte[out.position()];
    out.get(0, framed);
    return framed;
  }
}
