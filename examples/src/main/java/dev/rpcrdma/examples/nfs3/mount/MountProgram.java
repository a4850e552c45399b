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
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The procedures (RFC 1813 §5.2). A client may mount the export, by the path "/" or by its path
 * here, and any directory in it. Thread-safe.
 */
final class MountProgram {

  static final int PROGRAM = 100_005;
  static final int VERSION = 3;

  /** MNTPATHLEN. */
  private static final int MAX_PATH = 1024;
  /** Older ones are forgotten: this list tells people something, and decides nothing. */
  private static final int MAX_MOUNTS = 1024;
  private static final List<String> NAMES =
      List.of("NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT");

  static final UpperLayerBinding BINDING = binding();

  /** What is left to do when the arguments are read; may block. */
  interface Work {
    XdrEncoder run();
  }

  private record Mount(String host, String path) {}

  private final FileTree tree;
  /** Guarded by itself; the oldest first. */
  private final Set<Mount> mounts = new LinkedHashSet<>();

  MountProgram(FileTree tree) {
    this.tree = tree;
  }

  private static UpperLayerBinding binding() {
    Map<Integer, ProcedureBinding> all = new HashMap<>();
    for (int number = 0; number < NAMES.size(); number++) {
      all.put(number, new ProcedureBinding(NAMES.get(number), 0, 0, ReplyBound.UNPREDICTABLE));
    }
    return new UpperLayerBinding(PROGRAM, VERSION, OptionalInt.empty(), all);
  }

  /** Reads the arguments of a call from a host. */
  Work read(int procedure, String host, XdrReader arguments) {
    switch (procedure) {
      case 1, 3 -> {
        String path = new String(arguments.opaque(MAX_PATH), StandardCharsets.UTF_8);
        arguments.end();
        return procedure == 1 ? () -> mount(host, path) : () -> forget(new Mount(host, path));
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
    remember(new Mount(host, path));
    return writer -> {
      writer.int32(MountStatus.OK.code());
      handle.encode(writer);
      // The flavors that may be used, best first.
      writer.int32(1).int32(AuthFlavor.SYS);
    };
  }

  /** Goes down from the export, as a client with the rights of the server would. */
  private Found find(String path) throws NfsException {
    Caller server = new Caller(0, 0, Set.of());
    Found at = tree.lookUp(server, tree.root(), FileName.of("."));
    for (String name : inside(path).split("/")) {
      if (name.equals("..")) {
        throw new NfsException(NfsStatus.ACCES, "a path that goes up");
      }
      if (!name.isEmpty()) {
        at = tree.lookUp(server, at.node(), FileName.of(name));
      }
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

  private void remember(Mount mount) {
    synchronized (mounts) {
      mounts.add(mount);
      if (mounts.size() > MAX_MOUNTS) {
        Iterator<Mount> oldest = mounts.iterator();
        oldest.next();
        oldest.remove();
      }
    }
  }

  private XdrEncoder forget(Mount mount) {
    synchronized (mounts) {
      mounts.remove(mount);
    }
    return XdrEncoder.VOID;
  }

  private XdrEncoder forgetAll(String host) {
    synchronized (mounts) {
      mounts.removeIf(mount -> mount.host().equals(host));
    }
    return XdrEncoder.VOID;
  }

  private XdrEncoder dump() {
    List<Mount> all;
    synchronized (mounts) {
      all = List.copyOf(mounts);
    }
    return writer -> {
      all.forEach(mount -> writer.bool(true).string(mount.host()).string(mount.path()));
      writer.bool(false);
    };
  }

  /** One export, for everybody. */
  private static XdrEncoder exports() {
    return writer -> writer.bool(true).string("/").bool(false).bool(false);
  }
}
