package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NewTime;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Makes, renames and removes entries of directories (RFC 1813 §3.3.8 to §3.3.15). */
public final class NameSpace {

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

  /**
   * How a renaming went, for both directories.
   *
   * @param from the change of the one that had it
   * @param to what has become of the one that has it
   */
  public record Renaming(Change<Boolean> from, WeakCacheConsistency to) {}

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
  public NameSpace(FileTree tree) {
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
      Found found = make(caller, at, name, all, DEFAULT_FILE_MODE, NameSpace::makeFile);
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
    AttributeChanges.resize(caller, tree.locate(found.node()), wanted.size().getAsLong());
    return tree.entry(at, name.entry());
  }

  /**
   * RFC 1813 §3.3.8: the verifier is kept where a crash does not reach it. The client sets the times
   * when it has the answer. Half of it in each, without the bit that not all file systems keep.
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
      NewAttributes wanted, String target) {
    return tree.changingNames(directory, at -> make(caller, at, name, wanted.withoutSize(), 0777,
        path -> {
          try {
            Files.createSymbolicLink(path, path.getFileSystem().getPath(target));
          } catch (InvalidPathException e) {
            throw new NfsException(NfsStatus.INVAL, "no path");
          }
        }));
  }

  /**
   * Where a symbolic link leads.
   *
   * @param node the link
   * @return its text, whatever that means
   * @throws NfsException with INVAL if it is none
   */
  public String readLink(Node node) throws NfsException {
    return tree.looking(node, at -> {
      if (at.attributes().type() != FileType.LINK) {
        throw new NfsException(NfsStatus.INVAL, "not a link");
      }
      return Files.readSymbolicLink(at.path()).toString();
    });
  }

  private Found make(Caller caller, Located at, FileName name, NewAttributes wanted, int mode,
      Maker maker) throws NfsException, IOException {
    if (name.isDots()) {
      throw new NfsException(NfsStatus.EXIST, "every directory has that");
    }
    Path path = at.entry(name.entry());
    if (FileTree.stat(path).isPresent()) {
      throw new NfsException(NfsStatus.EXIST, "is there already");
    }
    caller.require(at.attributes(), Caller.WRITE | Caller.EXECUTE);
    maker.make(path);
    try {
      dress(caller, at.attributes(), path, wanted, mode);
    } catch (IOException | NfsException e) {
      Files.deleteIfExists(path);
      throw e;
    }
    tree.settle(at.path());
    return tree.entry(at, name.entry());
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
    int mode = wanted.mode().orElse(defaultMode);
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
      if (name.isDots()) {
        throw new NfsException(NfsStatus.EXIST, "every directory has that");
      }
      Path path = at.entry(name.entry());
      if (FileTree.stat(path).isPresent()) {
        throw new NfsException(NfsStatus.EXIST, "is there already");
      }
      caller.require(at.attributes(), Caller.WRITE | Caller.EXECUTE);
      Files.createLink(path, object.path());
      tree.settle(at.path());
      tree.entry(at, name.entry());
      return true;
    });
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
    tree.nodes().lost(at.node(), name, stat.key());
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
      if (replaced.get().key().equals(moved.key())) {
        return true;
      }
      caller.requireRemoval(target.attributes(), replaced.get().attributes());
      boolean directory = moved.attributes().type() == FileType.DIRECTORY;
      if (directory != (replaced.get().attributes().type() == FileType.DIRECTORY)) {
        throw new NfsException(NfsStatus.EXIST, "is there already, and of another kind");
      }
    }
    try {
      Files.move(oldPath, newPath, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      throw new NfsException(NfsStatus.NOTEMPTY, "not empty");
    }
    replaced.ifPresent(stat -> tree.nodes().lost(target.node(), newName, stat.key()));
    tree.nodes().moved(source.node(), oldName, target.node(), newName, moved);
    tree.settle(target.path());
    if (source.node() != target.node()) {
      tree.settle(source.path());
    }
    return true;
  }
}
