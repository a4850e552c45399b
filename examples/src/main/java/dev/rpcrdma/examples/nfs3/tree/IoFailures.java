// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;

/**
 * The status of a failed file operation. Java has classes for some; of all others it passes on the
 * system's message alone, which is English in the locales this expects.
 */
final class IoFailures {

  private static final System.Logger LOG = System.getLogger(IoFailures.class.getName());

  private static final Map<Class<? extends IOException>, NfsStatus> CLASSES = Map.of(
      NoSuchFileException.class, NfsStatus.NOENT,
      FileAlreadyExistsException.class, NfsStatus.EXIST,
      DirectoryNotEmptyException.class, NfsStatus.NOTEMPTY,
      NotDirectoryException.class, NfsStatus.NOTDIR,
      AccessDeniedException.class, NfsStatus.ACCES,
      AtomicMoveNotSupportedException.class, NfsStatus.XDEV);

  private static final Map<String, NfsStatus> MESSAGES = Map.ofEntries(
      Map.entry("Operation not permitted", NfsStatus.PERM),
      Map.entry("Permission denied", NfsStatus.ACCES),
      Map.entry("File exists", NfsStatus.EXIST),
      Map.entry("Invalid cross-device link", NfsStatus.XDEV),
      Map.entry("Not a directory", NfsStatus.NOTDIR),
      Map.entry("Is a directory", NfsStatus.ISDIR),
      Map.entry("Invalid argument", NfsStatus.INVAL),
      Map.entry("File too large", NfsStatus.FBIG),
      Map.entry("No space left on device", NfsStatus.NOSPC),
      Map.entry("Read-only file system", NfsStatus.ROFS),
      Map.entry("Too many links", NfsStatus.MLINK),
      Map.entry("File name too long", NfsStatus.NAMETOOLONG),
      Map.entry("Directory not empty", NfsStatus.NOTEMPTY),
      Map.entry("Disk quota exceeded", NfsStatus.DQUOT),
      Map.entry("Operation not supported", NfsStatus.NOTSUPP),
      // A link where there was none before: what the handle stood for is gone.
      Map.entry("Too many levels of symbolic links", NfsStatus.STALE));

  private IoFailures() {}

  static NfsStatus status(IOException failure) {
    NfsStatus status = CLASSES.get(failure.getClass());
    if (status == null) {
      String reason = failure instanceof FileSystemException file ? file.getReason()
          : failure.getMessage();
      status = reason == null ? null : MESSAGES.get(reason);
    }
    if (status == null) {
      LOG.log(System.Logger.Level.WARNING, "A file operation failed; its caller gets NFS3ERR_IO",
          failure);
      return NfsStatus.IO;
    }
    return status;
  }
}
