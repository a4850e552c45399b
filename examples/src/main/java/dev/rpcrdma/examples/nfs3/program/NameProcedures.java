// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import dev.rpcrdma.examples.nfs3.tree.Change;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.NameSpace;
import dev.rpcrdma.examples.nfs3.tree.NewObjects;
import dev.rpcrdma.examples.nfs3.tree.NewObjects.HowToCreate;
import dev.rpcrdma.examples.nfs3.tree.Node;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Map;
import java.util.Optional;

/** What has which name: CREATE to LINK, and READLINK (RFC 1813 §3.3.5, §3.3.8 to §3.3.15). */
final class NameProcedures {

  /** Longer paths than any system takes. */
  private static final int MAX_PATH = 64 << 10;

  private final FileTree tree;
  private final NameSpace names;
  private final NewObjects objects;
  private final NfsResults results;

  NameProcedures(FileTree tree) {
    this.tree = tree;
    this.names = new NameSpace(tree);
    this.objects = new NewObjects(tree);
    this.results = new NfsResults(tree);
  }

  void addTo(Map<Integer, NfsProcedure> all, NfsProcedure.Workers workers) {
    all.put(NfsBinding.READLINK, NfsProcedure.of(workers, this::readLink));
    all.put(NfsBinding.CREATE, NfsProcedure.of(workers, this::create));
    all.put(NfsBinding.MKDIR, NfsProcedure.of(workers, this::makeDirectory));
    all.put(NfsBinding.SYMLINK, NfsProcedure.of(workers, this::symbolicLink));
    all.put(NfsBinding.MKNOD, NfsProcedure.of(workers, this::makeNode));
    all.put(NfsBinding.REMOVE, NfsProcedure.of(workers, this::remove));
    all.put(NfsBinding.RMDIR, NfsProcedure.of(workers, this::removeDirectory));
    all.put(NfsBinding.RENAME, NfsProcedure.of(workers, this::rename));
    all.put(NfsBinding.LINK, NfsProcedure.of(workers, this::link));
  }

  private NfsProcedure.Work readLink(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    return caller -> results.withAttributes(handle, node -> {
      DataItem path = DataItem.of(names.readLink(node));
      Optional<Attributes> attributes = tree.attributesIfThere(node);
      return writer -> {
        writer.int32(NfsStatus.OK.code());
        Attributes.encode(attributes, writer);
        // RFC 8267 §4: DDP-eligible.
        writer.dataItem(path);
      };
    });
  }

  private NfsProcedure.Work create(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    int kind = arguments.int32();
    if (kind < 0 || kind >= HowToCreate.Kind.values().length) {
      throw new XdrException("No such createmode3: " + Integer.toUnsignedString(kind));
    }
    boolean exclusive = kind == HowToCreate.Kind.EXCLUSIVE.ordinal();
    NewAttributes wanted = exclusive ? NewAttributes.NONE : NewAttributes.decode(arguments);
    HowToCreate how = new HowToCreate(HowToCreate.Kind.values()[kind],
        exclusive ? arguments.int64() : 0);
    return caller -> results.ofMaking(directory,
        node -> objects.create(caller, node, name, how, wanted));
  }

  private NfsProcedure.Work makeDirectory(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    NewAttributes wanted = NewAttributes.decode(arguments);
    return caller -> results.ofMaking(directory,
        node -> objects.makeDirectory(caller, node, name, wanted));
  }

  private NfsProcedure.Work symbolicLink(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    NewAttributes wanted = NewAttributes.decode(arguments);
    // RFC 8267 §4: DDP-eligible.
    byte[] target = arguments.dataItem(MAX_PATH).toByteArray();
    return caller -> results.ofMaking(directory, node -> objects.makeLink(caller, node, name,
        wanted, target));
  }

  /** Java cannot make devices, sockets in the file system, or pipes. */
  private NfsProcedure.Work makeNode(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName.decode(arguments);
    int type = arguments.int32();
    boolean device = type == FileType.CHARACTER.code() || type == FileType.BLOCK.code();
    boolean known = device || type == FileType.SOCKET.code() || type == FileType.PIPE.code();
    if (known) {
      NewAttributes.decode(arguments);
      if (device) {
        arguments.int64();
      }
    }
    return caller -> results.ofMaking(directory, node -> new Change<>(
        known ? NfsStatus.NOTSUPP : NfsStatus.BADTYPE,
        new WeakCacheConsistency(Optional.empty(), tree.attributesIfThere(node)),
        Optional.empty()));
  }

  private NfsProcedure.Work remove(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    return caller -> results.ofChange(directory, node -> names.remove(caller, node, name));
  }

  private NfsProcedure.Work removeDirectory(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    return caller -> results.ofChange(directory,
        node -> names.removeDirectory(caller, node, name));
  }

  private NfsProcedure.Work rename(XdrReader arguments) {
    FileHandle.Unchecked from = FileHandle.decode(arguments);
    FileName oldName = FileName.decode(arguments);
    FileHandle.Unchecked to = FileHandle.decode(arguments);
    FileName newName = FileName.decode(arguments);
    return caller -> {
      NameSpace.Renaming renaming = rename(from, to,
          (source, target) -> names.rename(caller, source, oldName, target, newName));
      return writer -> {
        writer.int32(renaming.from().status().code());
        renaming.from().consistency().encode(writer);
        renaming.to().encode(writer);
      };
    };
  }

  private interface RenamingAttempt {
    NameSpace.Renaming of(Node from, Node to);
  }

  private NameSpace.Renaming rename(FileHandle.Unchecked from, FileHandle.Unchecked to,
      RenamingAttempt attempt) {
    try {
      return attempt.of(tree.node(from), tree.node(to));
    } catch (NfsException e) {
      return new NameSpace.Renaming(new Change<>(e.status(), WeakCacheConsistency.NONE,
          Optional.empty()), WeakCacheConsistency.NONE);
    }
  }

  private NfsProcedure.Work link(XdrReader arguments) {
    FileHandle.Unchecked object = FileHandle.decode(arguments);
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    return caller -> {
      Optional<Node> file = Optional.empty();
      Change<Boolean> change;
      try {
        Node found = tree.node(object);
        file = Optional.of(found);
        change = results.change(directory, node -> names.link(caller, found, node, name));
      } catch (NfsException e) {
        change = new Change<>(e.status(), WeakCacheConsistency.NONE, Optional.empty());
      }
      Optional<Attributes> attributes = file.flatMap(tree::attributesIfThere);
      Change<Boolean> result = change;
      return writer -> {
        writer.int32(result.status().code());
        Attributes.encode(attributes, writer);
        result.consistency().encode(writer);
      };
    };
  }
}
