// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/**
 * Opens regular files for what the caller has been found to be allowed to do. Who runs the server
 * may own a file whose mode denies them: then the mode is put aside while it is opened, since NFS
 * has no open files that would keep a permission (RFC 1813 §4.4). The tree's lock is held, alone while a
 * mode is put aside: else a caller would be told of that mode, or put it back in place of the file's own.
 */
final class DataFile {

  private static final int OWNER_READ = 0400;
  private static final int OWNER_WRITE = 0200;

  private DataFile() {}

  static FileChannel forReading(FileTree tree, Located file) throws NfsException, IOException {
    return open(tree, file, StandardOpenOption.READ, OWNER_READ);
  }

  static FileChannel forWriting(FileTree tree, Located file) throws NfsException, IOException {
    return open(tree, file, StandardOpenOption.WRITE, OWNER_WRITE);
  }

  private static FileChannel open(FileTree tree, Located file, StandardOpenOption option,
      int permission) throws NfsException, IOException {
    try {
      return confirmed(file, option);
    } catch (AccessDeniedException e) {
      int mode = file.attributes().mode();
      if ((mode & permission) != 0) {
        throw e;
      }
      tree.requireAlone();
      try {
        AttributeChanges.setMode(file.path(), FileType.REGULAR, mode | permission);
      } catch (IOException notOurs) {
        throw e;
      }
      try {
        return confirmed(file, option);
      } finally {
        AttributeChanges.setMode(file.path(), FileType.REGULAR, mode);
      }
    }
  }

  private static FileChannel confirmed(Located file, StandardOpenOption option)
      throws NfsException, IOException {
    FileChannel channel = FileChannel.open(file.path(), option, LinkOption.NOFOLLOW_LINKS);
    try {
      file.confirm();
      return channel;
    } catch (NfsException | IOException e) {
      channel.close();
      throw e;
    }
  }
}
