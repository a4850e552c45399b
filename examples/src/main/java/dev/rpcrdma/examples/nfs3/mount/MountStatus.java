// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import dev.rpcrdma.examples.nfs3.model.NfsStatus;

/** How MNT fared (RFC 1813 §5.1.5, mountstat3). */
enum MountStatus {
  OK(0),
  NOENT(2),
  IO(5),
  ACCES(13),
  NOTDIR(20),
  INVAL(22),
  NAMETOOLONG(63);

  private final int code;

  MountStatus(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static MountStatus of(NfsStatus status) {
    return switch (status) {
      case OK -> OK;
      case NOENT, STALE -> NOENT;
      case ACCES, PERM -> ACCES;
      case NOTDIR -> NOTDIR;
      case INVAL -> INVAL;
      case NAMETOOLONG -> NAMETOOLONG;
      default -> IO;
    };
  }
}
