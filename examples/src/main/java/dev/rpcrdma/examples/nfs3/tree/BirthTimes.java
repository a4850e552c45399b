// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * Finds out whether Java and the file system tell the time of birth of objects. Otherwise the time of the last change
 * stands for it ({@link Inode}), and each write ends the handle of its file.
 */
final class BirthTimes {

  /** Reads the attributes of an object. */
  interface Reader {

    Stat read(Path path) throws IOException;
  }

  private BirthTimes() {}

  /**
   * Requires that a directory to be served for writing has times of birth. If the directory has not changed since its
   * own birth, makes a file there for a moment.
   *
   * @throws IOException if it has none
   */
  static void require(Path directory, Reader reader) throws IOException {
    if (isBornBeforeItsChange(reader.read(directory))) {
      return;
    }
    Path probe;
    try {
      probe = Files.createTempFile(directory, ".nfs3-", null);
    } catch (IOException e) {
      // The server cannot write here. Without times of birth, handles of files below end with each write: safe.
      return;
    }
    try {
      Files.setLastModifiedTime(probe, FileTime.fromMillis(1));
      if (!isBornBeforeItsChange(reader.read(probe))) {
        throw new IOException("Java or the file system of " + directory + " does not tell when files were made, so a"
            + " handle could not be told from that of an earlier file. Use Java 17.0.11, 21.0.2 or newer, and a file"
            + " system with birth times, such as ext4, XFS or Btrfs; or serve it --read-only");
      }
    } finally {
      Files.delete(probe);
    }
  }

  private static boolean isBornBeforeItsChange(Stat stat) {
    return !stat.inode().born().equals(stat.attributes().modified());
  }
}
