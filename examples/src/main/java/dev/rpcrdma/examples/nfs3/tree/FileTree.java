// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import dev.rpcrdma.verbs.base.Causes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/** A directory and all below it: finds objects by handle and by name. */
public final class FileTree {

  /**
   * How deep the tree is served. Each operation looks at every directory on its way, and the system does the
   * same for each of them: the longest path of Linux would cost two million looks.
   */
  static final int MAX_DEPTH = 256;

  private static final String CAPABILITIES = "CapEff:";
  private static final long DAC_OVERRIDE = 1 << 1;

  /** What is done with an object that was found. */
  interface Action<T> {

    T run(Located object) throws NfsException, IOException;
  }

  private final Path root;
  private final TreeOptions options;
  private final NodeTable nodes;
  private final Locator locator;
  private final Newborns newborns;
  private final HandleKey handles = new HandleKey();
  private final boolean subjectToModes;
  /** Exclusive for what changes names: nobody else's path changes under them. */
  private final ReentrantReadWriteLock names = new ReentrantReadWriteLock();

  private FileTree(Path root, Stat stat, TreeOptions options, Newborns newborns) {
    this.root = root;
    this.options = options;
    this.subjectToModes = !overridesModes();
    this.nodes = new NodeTable(stat, options.maxHandles());
    this.locator = new Locator(root, nodes, stat.attributes().fileSystem());
    this.newborns = newborns;
  }

  /**
   * Takes a directory.
   *
   * @param directory its path; links in it are followed now, and never again
   * @param options how to serve it
   * @return the tree
   * @throws IOException if it is no directory, or the file system has no POSIX attributes, or no times of birth
   */
  public static FileTree of(Path directory, TreeOptions options) throws IOException {
    return of(directory, options, new Newborns());
  }

  static FileTree of(Path directory, TreeOptions options, Newborns newborns) throws IOException {
    Path root = directory.toRealPath();
    if (!root.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      throw new IOException("The files of this system have no POSIX attributes");
    }
    Stat stat = Stat.of(root);
    if (stat.attributes().type() != FileType.DIRECTORY) {
      throw new IOException("Not a directory: " + directory);
    }
    if (!options.readOnly()) {
      BirthTimes.require(root, Stat::of);
    }
    return new FileTree(root, stat, options, newborns);
  }

  /** Whether this process has CAP_DAC_OVERRIDE, as that of root has. */
  private static boolean overridesModes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines.filter(line -> line.startsWith(CAPABILITIES)).anyMatch(line ->
          (Long.parseUnsignedLong(line.substring(CAPABILITIES.length()).strip(), 16)
              & DAC_OVERRIDE) != 0);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether modes of files keep this process from anything. */
  boolean isSubjectToModes() {
    return subjectToModes;
  }

  /**
   * Where it begins.
   *
   * @return a path without links
   */
  public Path path() {
    return root;
  }

  /**
   * The directory where it begins.
   *
   * @return always the same
   */
  public Node root() {
    return nodes.root();
  }

  TreeOptions options() {
    return options;
  }

  NodeTable nodes() {
    return nodes;
  }

  /**
   * Whether nothing may be changed.
   *
   * @return true if so
   */
  public boolean readOnly() {
    return options.readOnly();
  }

  /**
   * Room for files.
   *
   * @param total bytes in all
   * @param free bytes that are free
   * @param usable bytes that are free for those who are not privileged
   */
  public record Space(long total, long free, long usable) {}

  /**
   * How much room there is.
   *
   * @return what the file system says
   * @throws NfsException if it says nothing
   */
  public Space space() throws NfsException {
    try {
      FileStore store = Files.getFileStore(root);
      return new Space(store.getTotalSpace(), store.getUnallocatedSpace(), store.getUsableSpace());
    } catch (IOException e) {
      throw new NfsException(IoFailures.status(e), Causes.message(e));
    }
  }

  /**
   * The handle of an object.
   *
   * @param node the object
   * @return always the same
   */
  public FileHandle handle(Node node) {
    return handles.of(node.number());
  }

  /**
   * The object of a handle.
   *
   * @param handle of a client
   * @return the object, which may be gone
   * @throws NfsException with BADHANDLE, or STALE
   */
  public Node node(FileHandle.Unchecked handle) throws NfsException {
    long object = handles.object(handle.check());
    return nodes.find(object).orElseThrow(() -> new NfsException(NfsStatus.STALE,
        "object " + object + " is not known any more"));
  }

  /**
   * What is known of an object now.
   *
   * @param node the object
   * @return its attributes
   * @throws NfsException with STALE if it is gone
   */
  public Attributes attributes(Node node) throws NfsException {
    return looking(node, Located::attributes);
  }

  /**
   * The same, where it does not matter if the object is gone.
   *
   * @param node the object
   * @return empty if it is gone
   */
  public Optional<Attributes> attributesIfThere(Node node) {
    try {
      return Optional.of(attributes(node));
    } catch (NfsException e) {
      return Optional.empty();
    }
  }

  /**
   * Finds an entry of a directory.
   *
   * @param caller who asks
   * @param directory where
   * @param name of the entry, or one of the dots; above the root there is only the root
   * @return the object
   * @throws NfsException with NOENT if there is none
   */
  public Found lookUp(Caller caller, Node directory, FileName name) throws NfsException {
    return looking(directory, at -> {
      caller.require(at.directory().attributes(), Caller.EXECUTE);
      if (name.isSelf()) {
        return new Found(directory, at.attributes());
      }
      return name.isParent() ? above(at) : entry(at, name.entry());
    });
  }

  /** The directory above; the lock is held. Above the root there is only the root. */
  Found above(Located directory) throws NfsException {
    if (directory.node() == root()) {
      return new Found(root(), directory.attributes());
    }
    // It may be forgotten at any time: there is a limit for handles.
    Node parent = Optional.ofNullable(directory.node().latest()).orElseThrow(Locator::gone).parent();
    return new Found(parent, locate(parent).attributes());
  }

  /** Finds an entry of a directory; the lock is held. Begins the operation anew if the object is too young. */
  Found entry(Located directory, String name) throws NfsException, IOException {
    Path path = directory.entry(name);
    Stat stat = Stat.of(path);
    if (!nodes.knows(stat.inode())) {
      stat = newborns.raise(path, stat);
    }
    return new Found(nodes.seen(directory.node(), name, stat), locator.adapted(stat.attributes()));
  }

  /** What a name stands for, if for anything; the lock is held. */
  static Optional<Stat> stat(Path path) throws IOException {
    try {
      return Optional.of(Stat.of(path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  // Under the lock

  /** Does something that changes no names. */
  <T> T looking(Node node, Action<T> action) throws NfsException {
    return newborns.patiently(() -> {
      try {
        return locked(names.readLock(), node, action);
      } catch (NotAlone e) {
        return locked(names.writeLock(), node, action);
      }
    });
  }

  /** Thrown by an action before it changes anything: it must begin anew, with nobody else in the tree. */
  private static final class NotAlone extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotAlone() {
      super(null, null, false, false);
    }
  }

  /** Begins the action anew unless nobody else is in the tree. */
  void requireAlone() {
    if (!names.isWriteLockedByCurrentThread()) {
      throw new NotAlone();
    }
  }

  private <T> T locked(Lock lock, Node node, Action<T> action) throws NfsException {
    lock.lock();
    try {
      return action.run(locate(node));
    } catch (IOException e) {
      throw new NfsException(IoFailures.status(e), Causes.message(e));
    } finally {
      lock.unlock();
    }
  }

  /** Changes names in a directory. */
  <T> Change<T> changingNames(Node directory, Action<T> action) {
    try {
      return newborns.patiently(() -> changing(names.writeLock(), directory, at -> action.run(at.directory())));
    } catch (NfsException e) {
      return new Change<>(e.status(), WeakCacheConsistency.NONE, Optional.empty());
    }
  }

  /** Changes attributes of an object. */
  <T> Change<T> changingAttributes(Node node, Action<T> action) {
    synchronized (node) {
      try {
        return changing(names.readLock(), node, action);
      } catch (NotAlone e) {
        return changing(names.writeLock(), node, action);
      }
    }
  }

  private <T> Change<T> changing(Lock lock, Node node, Action<T> action) {
    Optional<Attributes> before = Optional.empty();
    lock.lock();
    try {
      Located at = locate(node);
      before = Optional.of(at.attributes());
      requireWritable();
      T value = action.run(at);
      return new Change<>(NfsStatus.OK, since(before, node), Optional.of(value));
    } catch (NfsException e) {
      return new Change<>(e.status(), since(before, node), Optional.empty());
    } catch (IOException e) {
      return new Change<>(IoFailures.status(e), since(before, node), Optional.empty());
    } finally {
      lock.unlock();
    }
  }

  void requireWritable() throws NfsException {
    if (options.readOnly()) {
      throw new NfsException(NfsStatus.ROFS, "served for reading only");
    }
  }

  /** What has become of an object, if it is known what it was. */
  WeakCacheConsistency since(Optional<Attributes> before, Node node) {
    return new WeakCacheConsistency(before,
        before.isEmpty() ? Optional.empty() : attributesIfThere(node));
  }

  /** Puts what was changed in a directory, or of an object, on the disk. */
  void settle(Path path) throws IOException {
    if (options.durable()) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ,
          LinkOption.NOFOLLOW_LINKS)) {
        channel.force(true);
      } catch (AccessDeniedException e) {
        // Java would have to read it, which the server's user need not be allowed to: it stays with
        // what the file system does by itself.
        return;
      }
    }
  }

  /** Finds an object where it was seen, and checks that it is still that; the lock is held. */
  Located locate(Node node) throws NfsException {
    return locator.locate(node);
  }
}
