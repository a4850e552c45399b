// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;

/**
 * What a client calls an object by (RFC 1813 §2.5, nfs_fh3). To it these are opaque bytes:
 *
 * <pre>magic (8) | instance of the server (8) | number of the object (8) | authentication code (16)</pre>
 *
 * <p>Whoever shows a handle is let in where the handle leads, whatever directories are above it. So nobody
 * but the server can make one: without the code the numbers could be counted through.
 *
 * @param instance tells this run of the server from earlier ones
 * @param object which object, counted from 0 for the root
 * @param codeHigh first half of the authentication code of both, by a key of this run
 * @param codeLow second half
 */
public record FileHandle(long instance, long object, long codeHigh, long codeLow) {

  /** NFS3_FHSIZE, the longest handle of any server. */
  public static final int MAX_LENGTH = 64;
  /** The length of ours. */
  public static final int LENGTH = 40;

  /** "rpcrdma3" in ASCII. */
  private static final long MAGIC = 0x727063_72646d_6133L;

  /**
   * Reads a handle.
   *
   * @param reader where from
   * @return what was found there, of whichever server
   */
  public static Unchecked decode(XdrReader reader) {
    return new Unchecked(reader.opaque(MAX_LENGTH));
  }

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.int32(LENGTH).int64(MAGIC).int64(instance).int64(object).int64(codeHigh)
        .int64(codeLow);
  }

  /**
   * The handle's bytes.
   *
   * @return a copy
   */
  public byte[] bytes() {
    return ByteBuffer.allocate(LENGTH).putLong(MAGIC).putLong(instance).putLong(object)
        .putLong(codeHigh).putLong(codeLow).array();
  }

  /** A client's idea of a handle. */
  public static final class Unchecked {

    private final byte[] bytes;

    Unchecked(byte[] bytes) {
      this.bytes = bytes;
    }

    /**
     * The handle.
     *
     * @return of this kind of server; its code is yet to be checked
     * @throws NfsException with BADHANDLE if it is none
     */
    public FileHandle check() throws NfsException {
      if (bytes.length == LENGTH) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (buffer.getLong() == MAGIC) {
          return new FileHandle(buffer.getLong(), buffer.getLong(), buffer.getLong(),
              buffer.getLong());
        }
      }
      throw new NfsException(NfsStatus.BADHANDLE, "a handle of " + bytes.length
          + " bytes that this server never made");
    }
  }
}
