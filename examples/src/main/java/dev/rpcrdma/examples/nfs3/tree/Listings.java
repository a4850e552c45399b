// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.NfsException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Lists directories (RFC 1813 §3.3.16, §3.3.17), in the order of their cookies.
 *
 * <p>The cookie of an entry is a hash of its name. So it means the same at any time and needs no
 * memory here: what was removed is missing, what was added shows up or has been passed, and all
 * that stays is listed once. The dots come first.
 *
 * <p>A listing is kept for the next replies of the same; whoever begins anew gets a new one.
 */
public final class Listings {

  /** Cookie of the directory itself. */
  public static final long SELF = 1;
  /** Cookie of the directory above. */
  public static final long PARENT = 2;

  private static final int MAX_LISTINGS = 64;
  private static final long MAX_NAMES = 1 << 20;

  /**
   * An entry that has not been looked at yet.
   *
   * @param cookie where to go on behind it
   * @param name its name
   */
  public record Entry(long cookie, String name) {}

  private final FileTree tree;
  /** Guarded by itself; least recently used first. */
  private final LinkedHashMap<Node, List<Entry>> kept = new LinkedHashMap<>(16, 0.75f, true);
  /** Guarded by {@link #kept}. */
  private long names;

  /**
   * Creates it.
   *
   * @param tree whose directories
   */
  public Listings(FileTree tree) {
    this.tree = tree;
  }

  /**
   * The entries behind a cookie.
   *
   * @param caller who asks
   * @param directory of what
   * @param cookie of the last entry that is known; 0 to begin
   * @return entries in the order of their cookies; some may be gone already
   * @throws NfsException if it cannot be listed
   */
  public List<Entry> after(Caller caller, Node directory, long cookie) throws NfsException {
    return tree.looking(directory, at -> {
      caller.require(at.directory().attributes(), Caller.READ);
      List<Entry> all = cookie == 0 ? list(at) : kept(directory).orElseGet(List::of);
      if (all.isEmpty()) {
        all = list(at);
      }
      keep(directory, all);
      return all.subList(firstBehind(all, cookie), all.size());
    });
  }

  private Optional<List<Entry>> kept(Node directory) {
    synchronized (kept) {
      return Optional.ofNullable(kept.get(directory));
    }
  }

  private void keep(Node directory, List<Entry> entries) {
    synchronized (kept) {
      List<Entry> old = kept.put(directory, entries);
      names += entries.size() - (old == null ? 0 : old.size());
      Iterator<List<Entry>> eldest = kept.values().iterator();
      while (kept.size() > 1 && (kept.size() > MAX_LISTINGS || names > MAX_NAMES)) {
        names -= eldest.next().size();
        eldest.remove();
      }
    }
  }

  static List<Entry> list(Located directory) throws NfsException, IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory.path())) {
      directory.confirm();
      for (Path path : stream) {
        String name = path.getFileName().toString();
        // A name that cannot be told cannot be used either, nor can one that has too many directories above.
        if (directory.depth() < FileTree.MAX_DEPTH && directory.path().resolve(name).equals(path)) {
          found.add(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return sorted(found);
  }

  /**
   * Gives names their cookies. Equal hashes would need luck, or malice; they get one after the
   * other.
   */
  static List<Entry> sorted(List<String> found) {
    Entry[] entries = new Entry[found.size() + 2];
    entries[0] = new Entry(SELF, ".");
    entries[1] = new Entry(PARENT, "..");
    for (int i = 0; i < found.size(); i++) {
      entries[i + 2] = new Entry(hash(found.get(i)), found.get(i));
    }
    Arrays.sort(entries, (a, b) -> a.cookie() != b.cookie()
        ? Long.compare(a.cookie(), b.cookie()) : a.name().compareTo(b.name()));
    for (int i = 1; i < entries.length; i++) {
      if (entries[i].cookie() <= entries[i - 1].cookie()) {
        entries[i] = new Entry(entries[i - 1].cookie() + 1, entries[i].name());
      }
    }
    return List.of(entries);
  }

  /** FNV-1a, stirred; 62 bits, above the cookies of the dots. */
  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
    hash ^= hash >>> 32;
    return PARENT + 1 + (hash >>> 2);
  }

  private static int firstBehind(List<Entry> all, long cookie) {
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).cookie() <= cookie) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Whether a caller who may list a directory may also get handles and attributes of its entries. Whoever shows a handle
   * is let in where the handle leads, so a handle is for callers who may look it up by its name.
   *
   * @param caller who asks
   * @param directory of what
   * @return true if so
   * @throws NfsException with STALE if the directory is gone
   */
  public boolean maySearch(Caller caller, Node directory) throws NfsException {
    return tree.looking(directory, at -> caller.may(at.attributes(), Caller.EXECUTE));
  }

  /**
   * Looks at an entry.
   *
   * @param directory where it is
   * @param entry of a listing
   * @return the object; empty if it is gone
   * @throws NfsException with STALE if the directory is gone
   */
  public Optional<Found> look(Node directory, Entry entry) throws NfsException {
    return tree.looking(directory, at -> {
      if (entry.cookie() == SELF) {
        return Optional.of(new Found(directory, at.attributes()));
      }
      if (entry.cookie() == PARENT) {
        return Optional.of(tree.above(at));
      }
      if (at.depth() >= FileTree.MAX_DEPTH) {
        // The listing is from before the directory, or one above it, was moved.
        return Optional.empty();
      }
      try {
        return Optional.of(tree.entry(at, entry.name()));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    });
  }
}
