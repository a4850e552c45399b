// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Finds objects where they were seen, and checks that they are still the same. The tree's lock is held. */
final class Locator {

  private final Path root;
  private final NodeTable nodes;
  private final long device;

  Locator(Path root, NodeTable nodes, long device) {
    this.root = root;
    this.nodes = nodes;
    this.device = device;
  }

  /**
   * Finds an object.
   *
   * @throws NfsException with STALE if it is at none of its places
   */
  Located locate(Node node) throws NfsException {
    if (node == nodes.root()) {
      return located(node, root).orElseThrow(Locator::gone);
    }
    Optional<Located> found = Optional.ofNullable(node.latest()).flatMap(place -> located(node, place));
    return found.isPresent() ? found.get() : elsewhere(node);
  }

  private Located elsewhere(Node node) throws NfsException {
    for (Node.Place place : nodes.places(node)) {
      Optional<Located> found = located(node, place);
      if (found.isPresent()) {
        nodes.found(node, place);
        return found.get();
      }
    }
    throw gone();
  }

  private Optional<Located> located(Node node, Node.Place place) {
    return directory(place.parent(), FileTree.MAX_DEPTH)
        .flatMap(directory -> located(node, directory.resolve(place.name())));
  }

  static NfsException gone() {
    return new NfsException(NfsStatus.STALE, "the object is not where it was");
  }

  private Optional<Located> located(Node node, Path path) {
    try {
      Stat stat = Stat.of(path);
      return stat.inode().equals(node.inode())
          ? Optional.of(new Located(node, path, path.getNameCount() - root.getNameCount(),
              adapted(stat.attributes()))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the path of a directory. Each directory on it was checked to be the one that was seen there. */
  private Optional<Path> directory(Node node, int depth) {
    if (node == nodes.root()) {
      return checked(root, node);
    }
    Node.Place place = node.latest();
    if (place == null || depth == 0) {
      return Optional.empty();
    }
    return directory(place.parent(), depth - 1)
        .flatMap(parent -> checked(parent.resolve(place.name()), node));
  }

  private static Optional<Path> checked(Path path, Node directory) {
    try {
      BasicFileAttributes found =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isDirectory() && directory.inode().equals(Inode.of(FileType.DIRECTORY,
          found.fileKey(), found.creationTime(), found.lastModifiedTime()))
          ? Optional.of(path) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Makes all one file system to clients: else they would mount each file system below the export. */
  Attributes adapted(Attributes a) {
    if (a.fileSystem() == device) {
      return a;
    }
    return new Attributes(a.type(), a.mode(), a.links(), a.uid(), a.gid(), a.size(),
        a.deviceMajor(), a.deviceMinor(), device, a.fileId() ^ Long.rotateRight(a.fileSystem(), 16),
        a.accessed(), a.modified(), a.changed());
  }
}
