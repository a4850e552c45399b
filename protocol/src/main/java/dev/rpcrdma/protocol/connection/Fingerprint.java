package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.xdr.Xdr;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A checksum over the first bytes of a message, with its length. Not over all of them: a call may bring a
 * gigabyte, and head, credentials and first arguments tell calls apart that have the same XID anyway.
 */
final class Fingerprint {

  private static final int BYTES = 512;
  private static final byte[] ZEROS = new byte[3];

  private final CRC32C crc = new CRC32C();
  private long length;

  long length() {
    return length;
  }

  /** Adds what remains of a buffer, and takes it from there. */
  Fingerprint add(ByteBuffer bytes) {
    int take = (int) Math.min(bytes.remaining(), Math.max(0, BYTES - length));
    length += bytes.remaining();
    int end = bytes.limit();
    crc.update(bytes.limit(bytes.position() + take));
    bytes.limit(end).position(end);
    return this;
  }

  /** Adds an item that may or may not bring its padding. */
  void addPadded(ByteBuffer item) {
    int size = item.remaining();
    add(item);
    add(ByteBuffer.wrap(ZEROS, 0, Xdr.pad(size) - size));
  }

  long value() {
    return length << 32 | crc.getValue();
  }
}
