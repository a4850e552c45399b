// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NewTime;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** Changes attributes of objects (RFC 1813 §3.3.2). */
public final class AttributeChanges {

  private static final int PERMISSIONS = 07777;
  private static final int OWNER_READ_WRITE = 0600;

  private final FileTree tree;

  /**
   * Creates it.
   *
   * @param tree whose objects
   */
  public AttributeChanges(FileTree tree) {
    this.tree = tree;
  }

  /**
   * Changes attributes.
   *
   * @param caller who asks
   * @param node of what
   * @param wanted the new ones
   * @param guard when the object must have changed last; empty for whenever
   * @return how it went
   */
  public Change<Boolean> set(Caller caller, Node node, NewAttributes wanted,
      Optional<Instant> guard) {
    return tree.changingAttributes(node, at -> {
      if (guard.isPresent() && !guard.get().equals(at.attributes().changed())) {
        throw new NfsException(NfsStatus.NOT_SYNC, "changed at " + at.attributes().changed());
      }
      check(caller, at.attributes(), wanted);
      if (tree.isSubjectToModes() && (isInTheWay(at.attributes().mode())
          || wanted.mode().isPresent() && isInTheWay(wanted.mode().getAsInt()))) {
        tree.requireAlone();
      }
      if (wanted.size().isPresent()) {
        resize(tree, caller, at, wanted.size().getAsLong());
      }
      // As late as can be: Java changes attributes by path.
      Located now = tree.locate(node);
      apply(now.path(), now.attributes(), granted(caller, now.attributes(), wanted));
      // With its new mode, which may be in the way of opening it.
      settle(tree.locate(node));
      return true;
    });
  }

  /** Whether the mode must be put aside to change attributes; see {@link DataFile}. */
  private static boolean isInTheWay(int mode) {
    return (mode & OWNER_READ_WRITE) != OWNER_READ_WRITE;
  }

  private static NewAttributes granted(Caller caller, Attributes object, NewAttributes wanted) {
    return wanted.mode().isEmpty() ? wanted
        : wanted.withMode(caller.grantable(wanted.mode().getAsInt(),
            wanted.uid().orElse(object.uid()), wanted.gid().orElse(object.gid())));
  }

  private void settle(Located at) throws NfsException, IOException {
    if (at.attributes().type() == FileType.DIRECTORY) {
      tree.settle(at.path());
    } else if (at.attributes().type() == FileType.REGULAR && tree.options().durable()) {
      try (FileChannel channel = DataFile.forReading(tree, at)) {
        channel.force(true);
      }
    }
  }

  /** Gives a file another size, if the caller may; the lock is held. */
  static void resize(FileTree tree, Caller caller, Located file, long size)
      throws NfsException, IOException {
    caller.requireData(file.regular().attributes(), Caller.WRITE);
    if (size < 0) {
      throw new NfsException(NfsStatus.FBIG, "a size of " + Long.toUnsignedString(size));
    }
    try (FileChannel channel = DataFile.forWriting(tree, file)) {
      dropPrivileges(caller, file);
      long length = channel.size();
      channel.truncate(size);
      if (size > length) {
        // Java lengthens a file by writing to its end.
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    }
  }

  /**
   * Takes the bits that give an executable its owner's rights from a file whose content the caller is about
   * to change, as the kernel would if the caller were its user; the lock is held.
   */
  static void dropPrivileges(Caller caller, Located file) throws IOException {
    int mode = file.attributes().mode();
    int left = caller.afterWriting(mode);
    if (left != mode) {
      setMode(file.path(), FileType.REGULAR, left);
    }
  }

  private static void check(Caller caller, Attributes object, NewAttributes wanted)
      throws NfsException {
    if (wanted.size().isPresent()) {
      caller.requireData(object, Caller.WRITE);
    }
    boolean owner = caller.owns(object);
    if (wanted.mode().isPresent() && !owner
        || wanted.uid().isPresent() && wanted.uid().getAsInt() != object.uid()
            && !caller.privileged()
        || wanted.gid().isPresent() && wanted.gid().getAsInt() != object.gid()
            && !(owner && (caller.privileged() || caller.isIn(wanted.gid().getAsInt())))
        || isClient(wanted.accessed(), wanted.modified()) && !owner) {
      throw new NfsException(NfsStatus.PERM, "only for the owner");
    }
    if (wanted.accessed().kind() == NewTime.Kind.SERVER
        || wanted.modified().kind() == NewTime.Kind.SERVER) {
      caller.requireData(object, Caller.WRITE);
    }
  }

  private static boolean isClient(NewTime accessed, NewTime modified) {
    return accessed.kind() == NewTime.Kind.CLIENT || modified.kind() == NewTime.Kind.CLIENT;
  }

  /** Applies all but the size, in an order in which none undoes another. */
  static void apply(Path path, Attributes object, NewAttributes wanted)
      throws NfsException, IOException {
    own(path, "unix:uid", wanted.uid(), object.uid());
    own(path, "unix:gid", wanted.gid(), object.gid());
    if (object.type() == FileType.LINK) {
      // Its mode means nothing, and older versions of Java cannot set its times.
      setTimesOfLink(path, wanted);
      return;
    }
    if (wanted.mode().isPresent()) {
      setMode(path, object.type(), wanted.mode().getAsInt() & PERMISSIONS);
    }
    setTimes(path, object, wanted);
  }

  private static void own(Path path, String attribute, OptionalInt wanted, int is)
      throws IOException {
    if (wanted.isPresent() && wanted.getAsInt() != is) {
      Files.setAttribute(path, attribute, wanted.getAsInt(), LinkOption.NOFOLLOW_LINKS);
    }
  }

  /**
   * Sets the mode of what is no link. Without following links Java opens the object: that it may
   * not be allowed to, or it may wait for a peer if it is a pipe. Then the path is used as it was
   * found.
   */
  static void setMode(Path path, FileType type, int mode) throws IOException {
    if (type == FileType.REGULAR || type == FileType.DIRECTORY) {
      try {
        Files.setAttribute(path, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
        return;
      } catch (AccessDeniedException e) {
        // Goes on below.
      }
    }
    Files.setAttribute(path, "unix:mode", mode);
  }

  private static void setTimes(Path path, Attributes object, NewAttributes wanted)
      throws NfsException, IOException {
    if (wanted.accessed().kind() == NewTime.Kind.KEEP
        && wanted.modified().kind() == NewTime.Kind.KEEP) {
      return;
    }
    if (object.type() != FileType.REGULAR && object.type() != FileType.DIRECTORY) {
      throw new NfsException(NfsStatus.NOTSUPP, "Java would open it to set its times");
    }
    try {
      writeTimes(path, wanted);
    } catch (AccessDeniedException e) {
      // Java opens the file for reading, which its owner need not be allowed to.
      setMode(path, object.type(), object.mode() | 0400);
      try {
        writeTimes(path, wanted);
      } finally {
        setMode(path, object.type(), wanted.mode().orElse(object.mode()) & PERMISSIONS);
      }
    }
  }

  private static void setTimesOfLink(Path path, NewAttributes wanted) {
    try {
      writeTimes(path, wanted);
    } catch (IOException e) {
      return;
    }
  }

  private static void writeTimes(Path path, NewAttributes wanted) throws IOException {
    Instant now = Instant.now();
    Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(wanted.modified().at(now).map(FileTime::from).orElse(null),
            wanted.accessed().at(now).map(FileTime::from).orElse(null), null);
  }
}
