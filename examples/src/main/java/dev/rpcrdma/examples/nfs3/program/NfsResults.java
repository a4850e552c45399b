// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import dev.rpcrdma.examples.nfs3.tree.Change;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.Found;
import dev.rpcrdma.examples.nfs3.tree.Node;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What results of several procedures have in common: a status, and then one of two forms. */
final class NfsResults {

  /** What to do with an object. */
  interface Use {
    XdrEncoder of(Node node) throws NfsException;
  }

  /** What to do with an object in order to change it. */
  interface Attempt<T> {
    Change<T> of(Node node);
  }

  private final FileTree tree;

  NfsResults(FileTree tree) {
    this.tree = tree;
  }

  /** Results that say no more when they say no. */
  XdrEncoder plain(FileHandle.Unchecked handle, Use use) {
    try {
      return use.of(tree.node(handle));
    } catch (NfsException e) {
      return writer -> writer.int32(e.status().code());
    }
  }

  /** Results that tell of the object even when they say no. */
  XdrEncoder withAttributes(FileHandle.Unchecked handle, Use use) {
    Node node;
    try {
      node = tree.node(handle);
    } catch (NfsException e) {
      return refusal(e.status(), Optional.empty());
    }
    try {
      return use.of(node);
    } catch (NfsException e) {
      return refusal(e.status(), tree.attributesIfThere(node));
    }
  }

  private static XdrEncoder refusal(NfsStatus status, Optional<Attributes> object) {
    return writer -> {
      writer.int32(status.code());
      Attributes.encode(object, writer);
    };
  }

  /** Results of a change: in both forms what has become of the object. */
  <T> XdrEncoder ofChange(FileHandle.Unchecked handle, Attempt<T> attempt,
      BiConsumer<Change<T>, XdrWriter> success) {
    Change<T> change = change(handle, attempt);
    return writer -> {
      writer.int32(change.status().code());
      if (change.status() == NfsStatus.OK) {
        success.accept(change, writer);
      } else {
        change.consistency().encode(writer);
      }
    };
  }

  /** Results of making something in a directory. */
  XdrEncoder ofMaking(FileHandle.Unchecked directory, Attempt<Found> attempt) {
    return ofChange(directory, attempt, (change, writer) -> {
      Found made = change.value().orElseThrow();
      writer.bool(true);
      tree.handle(made.node()).encode(writer);
      writer.bool(true);
      made.attributes().encode(writer);
      change.consistency().encode(writer);
    });
  }

  /** Results of a change that yields nothing. */
  XdrEncoder ofChange(FileHandle.Unchecked handle, Attempt<Boolean> attempt) {
    return ofChange(handle, attempt, (change, writer) -> change.consistency().encode(writer));
  }

  /** Tries a change. */
  <T> Change<T> change(FileHandle.Unchecked handle, Attempt<T> attempt) {
    try {
      return attempt.of(tree.node(handle));
    } catch (NfsException e) {
      return new Change<>(e.status(), WeakCacheConsistency.NONE, Optional.empty());
    }
  }
}
