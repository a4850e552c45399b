// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.xdr.Xdr;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Length and checksum of a call's message as it is with all items inline, without credential and verifier:
 * what tells calls apart that have the same XID, however they are cut into chunks.
 */
public final class Fingerprint {

  private static final byte[] ZEROS = new byte[3];

  private final CRC32C crc = new CRC32C();
  private long length;

  Fingerprint() {}

  /** Adds what remains of a buffer, and takes it from there. */
  Fingerprint add(ByteBuffer bytes) {
    length += bytes.remaining();
    crc.update(bytes);
    return this;
  }

  /** Adds an item that may or may not bring its padding. */
  void addPadded(ByteBuffer item) {
    int size = item.remaining();
    add(item);
    add(ByteBuffer.wrap(ZEROS, 0, Xdr.pad(size) - size));
  }

  /**
   * The length.
   *
   * @return bytes
   */
  public long length() {
    return length;
  }

  /**
   * The checksum.
   *
   * @return a CRC-32C
   */
  public int checksum() {
    return (int) crc.getValue();
  }
}
