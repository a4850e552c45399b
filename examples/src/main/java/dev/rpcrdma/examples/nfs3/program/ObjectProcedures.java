// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.NfsTime;
import dev.rpcrdma.examples.nfs3.tree.AttributeChanges;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.Found;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What objects are and who may use them: GETATTR, SETATTR, LOOKUP, ACCESS (RFC 1813 §3.3.1 ff). */
final class ObjectProcedures {

  // RFC 1813 §3.3.4: what a client may ask about.
  private static final int READ = 0x01;
  private static final int LOOKUP = 0x02;
  private static final int MODIFY = 0x04;
  private static final int EXTEND = 0x08;
  private static final int DELETE = 0x10;
  private static final int EXECUTE = 0x20;

  private final FileTree tree;
  private final AttributeChanges changes;
  private final NfsResults results;

  ObjectProcedures(FileTree tree) {
    this.tree = tree;
    this.changes = new AttributeChanges(tree);
    this.results = new NfsResults(tree);
  }

  void addTo(Map<Integer, NfsProcedure> all, NfsProcedure.Workers workers) {
    all.put(NfsBinding.GETATTR, NfsProcedure.of(workers, this::getAttributes));
    all.put(NfsBinding.SETATTR, NfsProcedure.of(workers, this::setAttributes));
    all.put(NfsBinding.LOOKUP, NfsProcedure.of(workers, this::lookUp));
    all.put(NfsBinding.ACCESS, NfsProcedure.of(workers, this::access));
  }

  private NfsProcedure.Work getAttributes(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    return caller -> results.plain(handle, node -> {
      Attributes attributes = tree.attributes(node);
      return writer -> {
        writer.int32(NfsStatus.OK.code());
        attributes.encode(writer);
      };
    });
  }

  private NfsProcedure.Work setAttributes(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    NewAttributes wanted = NewAttributes.decode(arguments);
    Optional<Instant> guard = arguments.bool() ? Optional.of(NfsTime.decode(arguments))
        : Optional.empty();
    return caller -> results.ofChange(handle,
        node -> changes.set(caller, node, wanted, guard));
  }

  private NfsProcedure.Work lookUp(XdrReader arguments) {
    FileHandle.Unchecked directory = FileHandle.decode(arguments);
    FileName name = FileName.decode(arguments);
    return caller -> results.withAttributes(directory, node -> {
      Found found = tree.lookUp(caller, node, name);
      Optional<Attributes> attributes = tree.attributesIfThere(node);
      return writer -> {
        writer.int32(NfsStatus.OK.code());
        tree.handle(found.node()).encode(writer);
        writer.bool(true);
        found.attributes().encode(writer);
        Attributes.encode(attributes, writer);
      };
    });
  }

  private NfsProcedure.Work access(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    int asked = arguments.int32();
    return caller -> results.withAttributes(handle, node -> {
      Attributes attributes = tree.attributes(node);
      return writer -> {
        writer.int32(NfsStatus.OK.code()).bool(true);
        attributes.encode(writer);
        writer.int32(asked & allowed(caller, attributes));
      };
    });
  }

  private int allowed(Caller caller, Attributes object) {
    boolean directory = object.type() == FileType.DIRECTORY;
    int allowed = 0;
    if (caller.may(object, Caller.READ)) {
      allowed |= READ;
    }
    if (caller.may(object, Caller.WRITE) && !tree.readOnly()) {
      allowed |= MODIFY | EXTEND | (directory ? DELETE : 0);
    }
    if (caller.may(object, Caller.EXECUTE)) {
      allowed |= directory ? LOOKUP : EXECUTE;
    }
    return allowed;
  }
}
