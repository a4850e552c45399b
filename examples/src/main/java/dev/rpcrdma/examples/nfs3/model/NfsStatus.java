// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

/** How a procedure fared (RFC 1813 §2.6, nfsstat3). */
public enum NfsStatus {
  /** It was done. */
  OK(0),
  /** Only the owner, or a privileged user, may do that. */
  PERM(1),
  /** No such file or directory. */
  NOENT(2),
  /** A hard error while the disk was used. */
  IO(5),
  /** The caller may not do that. */
  ACCES(13),
  /** There is such a name already. */
  EXIST(17),
  /** A link or a name would lead to another file system. */
  XDEV(18),
  /** Not a directory. */
  NOTDIR(20),
  /** A directory. */
  ISDIR(21),
  /** An argument that makes no sense for the object. */
  INVAL(22),
  /** The file would be too large. */
  FBIG(27),
  /** No space left. */
  NOSPC(28),
  /** Nothing may be changed here. */
  ROFS(30),
  /** Too many hard links. */
  MLINK(31),
  /** The name is too long. */
  NAMETOOLONG(63),
  /** The directory is not empty. */
  NOTEMPTY(66),
  /** The quota is used up. */
  DQUOT(69),
  /** The handle was good once; its object is gone. */
  STALE(70),
  /** Not a handle of this server. */
  BADHANDLE(10001),
  /** The object has changed since its guard was read. */
  NOT_SYNC(10002),
  /** Not supported here. */
  NOTSUPP(10004),
  /** The buffer is too small for what must go into it. */
  TOOSMALL(10005),
  /** Objects of that type cannot be made so. */
  BADTYPE(10007),
  /** Not at once; the client should wait and ask again. */
  JUKEBOX(10008);

  private final int code;

  NfsStatus(int code) {
    this.code = code;
  }

  /**
   * The wire's value.
   *
   * @return nfsstat3
   */
  public int code() {
    return code;
  }
}
