// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NewTime;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Makes files, directories and links (RFC 1813 §3.3.8 to §3.3.10). */
public final class NewObjects {

  private static final int SET_GROUP_ID = 02000;
  private static final int DEFAULT_FILE_MODE = 0644;
  private static final int DEFAULT_DIRECTORY_MODE = 0755;

  /**
   * How to make a file if there is one already.
   *
   * @param kind which way
   * @param verifier for EXCLUSIVE, else 0
   */
  public record HowToCreate(Kind kind, long verifier) {

    /** createmode3; the ordinal is the wire's value. */
    public enum Kind {
      /** Take it. */
      UNCHECKED,
      /** Refuse. */
      GUARDED,
      /** Refuse, unless it was made by the same request, whose answer was lost. */
      EXCLUSIVE
    }
  }

  private interface Maker {

    /** Makes the object, for nobody but its owner to use yet. */
    void make(Path path) throws NfsException, IOException;
  }

  private final FileTree tree;

  /**
   * Creates it.
   *
   * @param tree whose directories
   */
  public NewObjects(FileTree tree) {
    this.tree = tree;
  }

  /**
   * Makes a regular file.
   *
   * @param caller who asks
   * @param directory where
   * @param name of the file
   * @param how if it is there already
   * @param wanted its attributes
   * @return the file
   */
  public Change<Found> create(Caller caller, Node directory, FileName name, HowToCreate how,
      NewAttributes wanted) {
    return tree.changingNames(directory, at -> {
      if (name.isDots()) {
        throw new NfsException(NfsStatus.EXIST, "every directory has that");
      }
      Path path = at.entry(name.entry());
      Optional<Stat> there = FileTree.stat(path);
      if (there.isPresent()) {
        caller.require(at.attributes(), Caller.EXECUTE);
        return existing(caller, at, name, there.get(), how, wanted);
      }
      NewAttributes all = how.kind() == HowToCreate.Kind.EXCLUSIVE ? ofExclusive(how) : wanted;
      Found found = make(caller, at, name, all, DEFAULT_FILE_MODE, NewObjects::makeFile);
      return resized(caller, at, name, found, wanted);
    });
  }

  private static void makeFile(Path path) throws IOException {
    FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------"))).close();
  }

  private Found existing(Caller caller, Located at, FileName name, Stat there, HowToCreate how,
      NewAttributes wanted) throws NfsException, IOException {
    Attributes attributes = there.attributes();
    boolean regular = attributes.type() == FileType.REGULAR;
    boolean same = switch (how.kind()) {
      case UNCHECKED -> regular;
      case GUARDED -> false;
      case EXCLUSIVE -> regular && attributes.size() == 0
          && attributes.accessed().equals(accessed(how)) && attributes.modified().equals(
              modified(how));
    };
    if (!same) {
      throw new NfsException(NfsStatus.EXIST, "is there already");
    }
    Found found = tree.entry(at, name.entry());
    return resized(caller, at, name, found, wanted);
  }

  private Found resized(Caller caller, Located at, FileName name, Found found,
      NewAttributes wanted) throws NfsException, IOException {
    if (wanted.size().isEmpty() || wanted.size().getAsLong() == found.attributes().size()) {
      return found;
    }
    AttributeChanges.resize(tree, caller, tree.locate(found.node()), wanted.size().getAsLong());
    return tree.entry(at, name.entry());
  }

  /**
   * RFC 1813 §3.3.8: the verifier is kept where a crash does not reach it. The client sets the
   * times when it has the answer. Half of it in each, without the bit that not all file systems
   * keep.
   */
  private static NewAttributes ofExclusive(HowToCreate how) {
    return new NewAttributes(OptionalInt.of(0600), OptionalInt.empty(), OptionalInt.empty(),
        OptionalLong.empty(), client(accessed(how)), client(modified(how)));
  }

  private static NewTime client(Instant time) {
    return new NewTime(NewTime.Kind.CLIENT, Optional.of(time));
  }

  private static Instant accessed(HowToCreate how) {
    return Instant.ofEpochSecond(how.verifier() >>> 32 & Integer.MAX_VALUE);
  }

  private static Instant modified(HowToCreate how) {
    return Instant.ofEpochSecond(how.verifier() & Integer.MAX_VALUE);
  }

  /**
   * Makes a directory.
   *
   * @param caller who asks
   * @param directory where
   * @param name of the new one
   * @param wanted its attributes
   * @return the new one
   */
  public Change<Found> makeDirectory(Caller caller, Node directory, FileName name,
      NewAttributes wanted) {
    return tree.changingNames(directory, at -> make(caller, at, name, wanted.withoutSize(),
        DEFAULT_DIRECTORY_MODE, path -> Files.createDirectory(path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))));
  }

  /**
   * Makes a symbolic link. Nobody here will ever follow it, so it may lead wherever it likes.
   *
   * @param caller who asks
   * @param directory where
   * @param name of the link
   * @param wanted its attributes
   * @param target where it leads, seen from the client
   * @return the link
   */
  public Change<Found> makeLink(Caller caller, Node directory, FileName name,
      NewAttributes wanted, byte[] target) {
    Change<Inode> made = tree.changingNames(directory, at -> {
      Path path = vacant(caller, at, name);
      Files.createSymbolicLink(path, LinkText.path(target));
      finish(caller, at, path, wanted.withoutSize(), 0777);
      return Stat.of(path).inode();
    });
    return made.value().isEmpty() ? made.failure(made.status()) : found(made, directory, name);
  }

  /** Finds a new link outside the lock. A link cannot be held open, and others use the tree while it grows up. */
  private Change<Found> found(Change<Inode> made, Node directory, FileName name) {
    try {
      Found found = tree.looking(directory, at -> tree.entry(at, name.entry()));
      return made.value().equals(Optional.of(found.node().inode()))
          ? new Change<>(NfsStatus.OK, made.consistency(), Optional.of(found))
          : made.failure(NfsStatus.NOENT);
    } catch (NfsException e) {
      return made.failure(e.status());
    }
  }

  private Found make(Caller caller, Located at, FileName name, NewAttributes wanted, int mode,
      Maker maker) throws NfsException, IOException {
    Path path = vacant(caller, at, name);
    maker.make(path);
    try {
      // Holds the object open if need be, before its final mode may keep the server from opening it.
      tree.entry(at, name.entry());
    } catch (Newborns.TooYoung e) {
      Files.deleteIfExists(path);
      throw e;
    }
    finish(caller, at, path, wanted, mode);
    return tree.entry(at, name.entry());
  }

  private static Path vacant(Caller caller, Located at, FileName name) throws NfsException, IOException {
    Path path = at.vacant(name);
    caller.require(at.attributes(), Caller.WRITE | Caller.EXECUTE);
    return path;
  }

  private void finish(Caller caller, Located at, Path path, NewAttributes wanted, int mode)
      throws NfsException, IOException {
    try {
      dress(caller, at.attributes(), path, wanted, mode);
    } catch (IOException | NfsException e) {
      Files.deleteIfExists(path);
      throw e;
    }
    tree.settle(at.path());
  }

  /** Gives a new object its owner, its mode and its times. */
  private static void dress(Caller caller, Attributes directory, Path path, NewAttributes wanted,
      int defaultMode) throws NfsException, IOException {
    Attributes made = Stat.of(path).attributes();
    boolean groupOfDirectory = (directory.mode() & SET_GROUP_ID) != 0;
    int uid = caller.privileged() ? wanted.uid().orElse(caller.uid()) : caller.uid();
    int gid = groupOfDirectory ? made.gid()
        : wanted.gid().isPresent()
            && (caller.privileged() || caller.isIn(wanted.gid().getAsInt()))
            ? wanted.gid().getAsInt() : caller.gid();
    disown(path, "unix:uid", uid, made.uid());
    disown(path, "unix:gid", gid, made.gid());
    // Perhaps not whose it should be: see below.
    Attributes owned = Stat.of(path).attributes();
    int mode = caller.grantable(wanted.mode().orElse(defaultMode), owned.uid(), owned.gid());
    if (groupOfDirectory && made.type() == FileType.DIRECTORY) {
      mode |= SET_GROUP_ID;
    }
    AttributeChanges.apply(path, made, new NewAttributes(OptionalInt.of(mode),
        OptionalInt.empty(), OptionalInt.empty(), wanted.size(), wanted.accessed(),
        wanted.modified()));
  }

  /** Who is not privileged on this machine cannot give files away, and then keeps them. */
  private static void disown(Path path, String attribute, int wanted, int is) {
    if (wanted != is) {
      try {
        Files.setAttribute(path, attribute, wanted, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException e) {
        return;
      }
    }
  }
}
