// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.Found;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.tools.command.NfsSecurity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The procedures (RFC 1813 §5.2). A client may mount the export, by the path "/" or by its path
 * here, and any directory in it. Thread-safe.
 */
final class MountProgram {

  static final int PROGRAM = 100_005;
  static final int VERSION = 3;

  /** MNTPATHLEN. */
  private static final int MAX_PATH = 1024;
  /**
   * How long the answer to DUMP gets. Older mounts are forgotten: the list tells people something, and
   * decides nothing.
   */
  static final int MAX_DUMP = 32 << 10;
  private static final List<String> NAMES =
      List.of("NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT");

  /** NULL, DUMP and EXPORT. */
  private static final Set<Integer> LOOKING = Set.of(0, 2, 5);

  static final UpperLayerBinding BINDING = binding();

  /** What is left to do when the arguments are read; may block. */
  interface Work {
    XdrEncoder run();
  }

  /** A directory of the tree that a host has mounted, however the host has spelled it. */
  private record Mount(String host, String directory) {

    /** Bytes of an entry of DUMP's list: a flag and two strings. */
    int length() {
      return 12 + Xdr.pad(host.getBytes(StandardCharsets.UTF_8).length)
          + Xdr.pad(directory.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  private final FileTree tree;
  /** Those that may be used. */
  private final List<Integer> flavors;
  /** Guarded by itself; the oldest first. */
  private final Set<Mount> mounts = new LinkedHashSet<>();
  /** Of all mounts; guarded by them. */
  private int dumpLength = 4;

  MountProgram(FileTree tree, Set<NfsSecurity> security) {
    this.tree = tree;
    // The first one counts with clients that ask for none.
    this.flavors = EnumSet.copyOf(security).stream().map(NfsSecurity::flavor).toList();
  }

  private static UpperLayerBinding binding() {
    Map<Integer, ProcedureBinding> all = new HashMap<>();
    for (int number = 0; number < NAMES.size(); number++) {
      ProcedureBinding each =
          new ProcedureBinding(NAMES.get(number), 0, 0, ReplyBound.UNPREDICTABLE);
      all.put(number, LOOKING.contains(number) ? each.asReadOnly() : each);
    }
    return new UpperLayerBinding("MOUNT", PROGRAM, VERSION, OptionalInt.empty(), all);
  }

  /** Reads the arguments of a call from a host. */
  Work read(int procedure, String host, XdrReader arguments) {
    switch (procedure) {
      case 1, 3 -> {
        String path = new String(arguments.opaque(MAX_PATH), StandardCharsets.UTF_8);
        arguments.end();
        return procedure == 1 ? () -> mount(host, path) : () -> forget(host, path);
      }
      default -> {
        arguments.end();
        return switch (procedure) {
          case 2 -> this::dump;
          case 4 -> () -> forgetAll(host);
          case 5 -> MountProgram::exports;
          default -> () -> XdrEncoder.VOID;
        };
      }
    }
  }

  private XdrEncoder mount(String host, String path) {
    FileHandle handle;
    try {
      handle = tree.handle(find(path).node());
    } catch (NfsException e) {
      return writer -> writer.int32(MountStatus.of(e.status()).code());
    }
    remember(new Mount(host, directory(path)));
    return writer -> {
      writer.int32(MountStatus.OK.code());
      handle.encode(writer);
      writer.int32(flavors.size());
      flavors.forEach(writer::int32);
    };
  }

  /** Goes down from the export, as a client with the rights of the server would. */
  private Found find(String path) throws NfsException {
    Caller server = new Caller(0, 0, Set.of());
    Found at = tree.lookUp(server, tree.root(), FileName.of("."));
    for (String name : names(path)) {
      if (name.equals("..")) {
        throw new NfsException(NfsStatus.ACCES, "a path that goes up");
      }
      at = tree.lookUp(server, at.node(), FileName.of(name));
    }
    if (at.attributes().type() != FileType.DIRECTORY) {
      throw new NfsException(NfsStatus.NOTDIR, "not a directory");
    }
    return at;
  }

  /** The export's own path here stands for the export, too. */
  private String inside(String path) {
    String root = tree.path().toString();
    return (path + "/").startsWith(root + "/") ? path.substring(root.length()) : path;
  }

  /** The names of a path, without those that lead nowhere. */
  private List<String> names(String path) {
    return Arrays.stream(inside(path).split("/"))
        .filter(name -> !name.isEmpty() && !name.equals(".")).toList();
  }

  private String directory(String path) {
    return "/" + String.join("/", names(path));
  }

  private void remember(Mount mount) {
    synchronized (mounts) {
      if (mounts.add(mount)) {
        dumpLength += mount.length();
      }
      Iterator<Mount> oldest = mounts.iterator();
      while (dumpLength > MAX_DUMP) {
        dumpLength -= oldest.next().length();
        oldest.remove();
      }
    }
  }

  private XdrEncoder forget(String host, String path) {
    return forget(new Mount(host, directory(path))::equals);
  }

  private XdrEncoder forgetAll(String host) {
    return forget(mount -> mount.host().equals(host));
  }

  private XdrEncoder forget(Predicate<Mount> which) {
    synchronized (mounts) {
      mounts.removeIf(which);
      dumpLength = 4 + mounts.stream().mapToInt(Mount::length).sum();
    }
    return XdrEncoder.VOID;
  }

  private XdrEncoder dump() {
    List<Mount> all;
    synchronized (mounts) {
      all = List.copyOf(mounts);
    }
    return writer -> {
      all.forEach(mount -> writer.bool(true).string(mount.host()).string(mount.directory()));
      writer.bool(false);
    };
  }

  /** One export, for everybody. */
  private static XdrEncoder exports() {
    return writer -> writer.bool(true).string("/").bool(false).bool(false);
  }
}
