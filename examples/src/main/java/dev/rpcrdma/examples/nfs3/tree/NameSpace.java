// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Gives, changes and takes names of what is there (RFC 1813 §3.3.12 to §3.3.15), and reads links.
 */
public final class NameSpace {

  /**
   * How a renaming went, for both directories.
   *
   * @param from the change of the one that had it
   * @param to what has become of the one that has it
   */
  public record Renaming(Change<Boolean> from, WeakCacheConsistency to) {}

  private final FileTree tree;

  /**
   * Creates it.
   *
   * @param tree whose directories
   */
  public NameSpace(FileTree tree) {
    this.tree = tree;
  }

  /**
   * Where a symbolic link leads.
   *
   * @param node the link
   * @return its text, whatever that means
   * @throws NfsException with INVAL if it is none
   */
  public byte[] readLink(Node node) throws NfsException {
    return tree.looking(node, at -> {
      if (at.attributes().type() != FileType.LINK) {
        throw new NfsException(NfsStatus.INVAL, "not a link");
      }
      return text(at);
    });
  }

  static byte[] text(Located link) throws NfsException, IOException {
    Path text = Files.readSymbolicLink(link.path());
    link.confirm();
    return LinkText.bytes(text);
  }

  /**
   * Gives an object another name.
   *
   * @param caller who asks
   * @param file the object
   * @param directory where
   * @param name the other name
   * @return what has become of the directory
   */
  public Change<Boolean> link(Caller caller, Node file, Node directory, FileName name) {
    return tree.changingNames(directory, at -> {
      Located object = tree.locate(file);
      if (object.attributes().type() == FileType.DIRECTORY) {
        throw new NfsException(NfsStatus.INVAL, "a directory has one name");
      }
      Path path = at.vacant(name);
      caller.require(at.attributes(), Caller.WRITE | Caller.EXECUTE);
      Stat linked = link(object, path);
      tree.settle(at.path());
      tree.nodes().seen(at.node(), name.entry(), linked);
      return true;
    });
  }

  static Stat link(Located object, Path path) throws NfsException, IOException {
    Files.createLink(path, object.path());
    Stat linked = Stat.of(path);
    if (!linked.inode().equals(object.node().inode())) {
      // Another process of this machine has put another object in place of this one, or of the new name. In place of
      // the new name it is that process's own.
      if (linked.inode().equals(Stat.of(object.path()).inode())) {
        Files.delete(path);
      }
      throw Locator.gone();
    }
    return linked;
  }

  /**
   * Removes anything but a directory.
   *
   * @param caller who asks
   * @param directory where
   * @param name of what
   * @return what has become of the directory
   */
  public Change<Boolean> remove(Caller caller, Node directory, FileName name) {
    return tree.changingNames(directory, at -> {
      if (name.isDots()) {
        throw new NfsException(NfsStatus.ISDIR, "a directory");
      }
      Path path = at.entry(name.entry());
      Stat stat = Stat.of(path);
      if (stat.attributes().type() == FileType.DIRECTORY) {
        throw new NfsException(NfsStatus.ISDIR, "a directory");
      }
      return delete(caller, at, name.entry(), path, stat);
    });
  }

  /**
   * Removes an empty directory.
   *
   * @param caller who asks
   * @param directory where
   * @param name of what
   * @return what has become of the directory
   */
  public Change<Boolean> removeDirectory(Caller caller, Node directory, FileName name) {
    return tree.changingNames(directory, at -> {
      // RFC 1813 §3.3.13 names both.
      if (name.isDots()) {
        throw new NfsException(name.isSelf() ? NfsStatus.INVAL : NfsStatus.EXIST, "in use");
      }
      Path path = at.entry(name.entry());
      Stat stat = Stat.of(path);
      if (stat.attributes().type() != FileType.DIRECTORY) {
        throw new NfsException(NfsStatus.NOTDIR, "not a directory");
      }
      return delete(caller, at, name.entry(), path, stat);
    });
  }

  private boolean delete(Caller caller, Located at, String name, Path path, Stat stat)
      throws NfsException, IOException {
    caller.requireRemoval(at.attributes(), stat.attributes());
    Files.delete(path);
    tree.nodes().lost(at.node(), name, stat);
    tree.settle(at.path());
    return true;
  }

  /**
   * Renames, in place of what may be there already.
   *
   * @param caller who asks
   * @param from where it is
   * @param oldName its name
   * @param to where it shall be
   * @param newName its name there
   * @return how it went
   */
  public Renaming rename(Caller caller, Node from, FileName oldName, Node to, FileName newName) {
    AtomicReference<WeakCacheConsistency> consistency =
        new AtomicReference<>(WeakCacheConsistency.NONE);
    Change<Boolean> change = tree.changingNames(from, source -> {
      Located target = tree.locate(to).directory();
      try {
        if (oldName.isDots() || newName.isDots()) {
          throw new NfsException(NfsStatus.INVAL, "every directory has that");
        }
        return rename(caller, source, oldName.entry(), target, newName.entry());
      } finally {
        consistency.set(tree.since(Optional.of(target.attributes()), to));
      }
    });
    return new Renaming(change, consistency.get());
  }

  private boolean rename(Caller caller, Located source, String oldName, Located target,
      String newName) throws NfsException, IOException {
    Path oldPath = source.entry(oldName);
    Path newPath = target.entry(newName);
    Stat moved = Stat.of(oldPath);
    Optional<Stat> replaced = FileTree.stat(newPath);
    caller.requireRemoval(source.attributes(), moved.attributes());
    caller.require(target.attributes(), Caller.WRITE | Caller.EXECUTE);
    if (replaced.isPresent()) {
      // RFC 1813 §3.3.14: "RENAME should perform no action and return NFS3_OK".
      if (replaced.get().inode().equals(moved.inode())) {
        return true;
      }
      caller.requireRemoval(target.attributes(), replaced.get().attributes());
      boolean directory = moved.attributes().type() == FileType.DIRECTORY;
      if (directory != (replaced.get().attributes().type() == FileType.DIRECTORY)) {
        throw new NfsException(NfsStatus.EXIST, "is there already, and of another kind");
      }
    }
    if (moved.attributes().type() == FileType.DIRECTORY && source.node() != target.node()) {
      // RFC 1813 §4.4 expects the usual checks. By POSIX.1 the caller writes a new ".." into the directory itself.
      caller.require(moved.attributes(), Caller.WRITE);
    }
    try {
      Files.move(oldPath, newPath, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      throw new NfsException(NfsStatus.NOTEMPTY, "not empty");
    }
    replaced.ifPresent(stat -> tree.nodes().lost(target.node(), newName, stat));
    tree.nodes().moved(source.node(), oldName, target.node(), newName, moved);
    tree.settle(target.path());
    if (source.node() != target.node()) {
      tree.settle(source.path());
    }
    return true;
  }
}
