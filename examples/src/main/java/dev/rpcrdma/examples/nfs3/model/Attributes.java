// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of an object (RFC 1813 §2.5, fattr3).
 *
 * @param type what it is
 * @param mode permissions, the lower twelve bits of a POSIX mode
 * @param links how many names it has
 * @param uid whose it is
 * @param gid which group's it is
 * @param size in bytes
 * @param deviceMajor of a device
 * @param deviceMinor of a device
 * @param fileSystem tells one file system from another
 * @param fileId tells one object of the file system from another
 * @param accessed when it was last read
 * @param modified when its content last changed
 * @param changed when its attributes last changed
 */
public record Attributes(FileType type, int mode, int links, int uid, int gid, long size,
    int deviceMajor, int deviceMinor, long fileSystem, long fileId, Instant accessed,
    Instant modified, Instant changed) {

  /** How long it is on the wire. */
  public static final int LENGTH = 84;

  /**
   * Writes it.
   *
   * @param writer where to
   */
  public void encode(XdrWriter writer) {
    writer.int32(type.code()).int32(mode).int32(links).int32(uid).int32(gid).int64(size)
        // Java does not tell how much of the disk it takes.
        .int64(size)
        .int32(deviceMajor).int32(deviceMinor).int64(fileSystem).int64(fileId);
    NfsTime.encode(accessed, writer);
    NfsTime.encode(modified, writer);
    NfsTime.encode(changed, writer);
  }

  /**
   * Writes post_op_attr.
   *
   * @param attributes if they are known
   * @param writer where to
   */
  public static void encode(Optional<Attributes> attributes, XdrWriter writer) {
    writer.bool(attributes.isPresent());
    attributes.ifPresent(known -> known.encode(writer));
  }
}
