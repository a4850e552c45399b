// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileType;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * Identity of an object among all objects of all times. A file system gives the inode number of a removed object to
 * another one; the time of birth tells the two apart. So a handle never leads to the second object (RFC 1813 §2.6,
 * NFS3ERR_STALE). {@link Newborns} prevents that both have the same time of birth.
 *
 * @param type kind of object
 * @param number device and inode number, as Java's fileKey
 * @param born time of birth; where the file system records none, time of the last change of the content
 */
record Inode(FileType type, Object number, Instant born) {

  private static final FileTime EPOCH = FileTime.fromMillis(0);

  /**
   * Takes Java's attributes. Where there is no time of birth, some versions of Java say the epoch (17.0.11, 21.0.2), and
   * the others say the last modification. The epoch would be the same for all objects. The modification errs on the
   * safe side: a changed object is taken for another one.
   */
  static Inode of(FileType type, Object fileKey, FileTime created, FileTime modified) {
    return new Inode(type, fileKey, (created.equals(EPOCH) ? modified : created).toInstant());
  }
}
