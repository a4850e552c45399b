// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

/** What an object is (RFC 1813 §2.5, ftype3); the wire's value is the ordinal plus one. */
public enum FileType {
  /** A regular file. */
  REGULAR(0100000),
  /** A directory. */
  DIRECTORY(0040000),
  /** A block device. */
  BLOCK(0060000),
  /** A character device. */
  CHARACTER(0020000),
  /** A symbolic link. */
  LINK(0120000),
  /** A socket. */
  SOCKET(0140000),
  /** A named pipe. */
  PIPE(0010000);

  private static final int TYPE_BITS = 0170000;
  private static final FileType[] VALUES = values();

  private final int modeBits;

  FileType(int modeBits) {
    this.modeBits = modeBits;
  }

  /**
   * The wire's value.
   *
   * @return ftype3
   */
  public int code() {
    return ordinal() + 1;
  }

  /**
   * The type that a POSIX mode tells.
   *
   * @param mode as {@code stat} has it
   * @return the type; a regular file for what POSIX does not know
   */
  public static FileType of(int mode) {
    for (FileType type : VALUES) {
      if ((mode & TYPE_BITS) == type.modeBits) {
        return type;
      }
    }
    return REGULAR;
  }
}
