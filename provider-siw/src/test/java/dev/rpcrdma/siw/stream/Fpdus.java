// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Builds FPDUs by hand, right or wrong, without the code under test for what it frames. */
public final class Fpdus {

  private Fpdus() {}

  /** Frames a ULPDU with pad and CRC. */
  public static byte[] frame(byte[] ulpdu) {
    ByteBuffer out = ByteBuffer.allocate(Fpdu.bytes(ulpdu.length));
    out.putShort((short) ulpdu.length).put(ulpdu);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.capacity() - 4);
    int value = (int) crc.getValue();
    for (int i = 0; i < 4; i++) {
      out.put(out.capacity() - 4 + i, (byte) (value >>> 8 * i));
    }
    return out.array();
  }

  public static byte[] untagged(int ddp, int rdmap, int invalidate, int queue, int sequence,
      int offset, byte... payload) {
    ByteBuffer out = ByteBuffer.allocate(DdpHeader.UNTAGGED_BYTES + payload.length);
    out.put((byte) ddp).put((byte) rdmap).putInt(invalidate).putInt(queue).putInt(sequence)
        .putInt(offset).put(payload);
    return frame(out.array());
  }

  public static byte[] tagged(int ddp, int rdmap, int tag, long offset, byte... payload) {
    ByteBuffer out = ByteBuffer.allocate(DdpHeader.TAGGED_BYTES + payload.length);
    out.put((byte) ddp).put((byte) rdmap).putInt(tag).putLong(offset).put(payload);
    return frame(out.array());
  }

  public static byte[] send(int sequence, byte... payload) {
    return untagged(0x41, 0x43, 0, 0, sequence, 0, payload);
  }

  public static byte[] write(int tag, long offset, byte... payload) {
    return tagged(0xC1, 0x40, tag, offset, payload);
  }

  public static byte[] readRequest(int sequence, int sinkTag, int size, int tag, long offset) {
    ByteBuffer request = ByteBuffer.allocate(ReadRequestHeader.BYTES);
    ReadRequestHeader.put(request, sinkTag, 0, size, tag, offset);
    return untagged(0x41, 0x40 | RdmapOpcode.READ_REQUEST, 0, 1, sequence, 0, request.array());
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
