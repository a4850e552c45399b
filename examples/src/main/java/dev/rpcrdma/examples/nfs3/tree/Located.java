// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an object is now. Good as long as the lock is held under which it was found.
 *
 * @param node the object
 * @param path leads to it without a link
 * @param depth how many directories are above it; 0 for the root
 * @param attributes its attributes
 */
record Located(Node node, Path path, int depth, Attributes attributes) {

  Located directory() throws NfsException {
    if (attributes.type() != FileType.DIRECTORY) {
      throw new NfsException(NfsStatus.NOTDIR, "not a directory");
    }
    return this;
  }

  Located regular() throws NfsException {
    if (attributes.type() != FileType.REGULAR) {
      // RFC 1813 §3.3.6 wants this for directories, too. What is no file must not even be opened:
      // that can wait for a peer forever, or do what devices do.
      throw new NfsException(NfsStatus.INVAL, "not a regular file");
    }
    return this;
  }

  /**
   * Requires that the path still leads to the object, after something was opened by the path. Java opens by path alone,
   * and other processes of this machine may have put another object there since the object was located.
   */
  void confirm() throws NfsException, IOException {
    if (!FileTree.stat(path).map(Stat::inode).equals(Optional.of(node.inode()))) {
      throw Locator.gone();
    }
  }

  /** The path of an entry, which need not exist. */
  Path entry(String name) throws NfsException {
    if (depth >= FileTree.MAX_DEPTH) {
      throw new NfsException(NfsStatus.NAMETOOLONG, "beneath " + depth + " directories");
    }
    try {
      return path.resolve(name);
    } catch (InvalidPathException e) {
      throw new NfsException(NfsStatus.INVAL, "a name that this machine's locale cannot express");
    }
  }

  /** The path of an entry that does not exist, to be made. */
  Path vacant(FileName name) throws NfsException, IOException {
    if (name.isDots()) {
      throw new NfsException(NfsStatus.EXIST, "every directory has that");
    }
    Path vacant = entry(name.entry());
    if (FileTree.stat(vacant).isPresent()) {
      throw new NfsException(NfsStatus.EXIST, "is there already");
    }
    return vacant;
  }
}
