// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A tree over a folder, and short forms of what tests do with it. */
final class TreeBed {

  static final Caller ROOT = new Caller(0, 0, Set.of());

  final FileTree tree;
  final NameSpace names;
  final NewObjects objects;
  final AttributeChanges changes;
  final FileData data;
  final Listings listings;

  TreeBed(Path folder) {
    this(folder, new TreeOptions(false, false, TreeOptions.LEAST_HANDLES));
  }

  TreeBed(Path folder, TreeOptions options) {
    this(open(folder, options));
  }

  private static FileTree open(Path folder, TreeOptions options) {
    try {
      return FileTree.of(folder, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TreeBed(FileTree tree) {
    this.tree = tree;
    names = new NameSpace(tree);
    objects = new NewObjects(tree);
    changes = new AttributeChanges(tree);
    data = new FileData(tree);
    listings = new Listings(tree);
  }

  Node lookUp(Node directory, String name) throws NfsException {
    return tree.lookUp(ROOT, directory, FileName.of(name)).node();
  }

  Node lookUp(String name) throws NfsException {
    return lookUp(tree.root(), name);
  }

  Change<Found> create(Caller caller, Node directory, String name) {
    return objects.create(caller, directory, FileName.of(name),
        new NewObjects.HowToCreate(NewObjects.HowToCreate.Kind.GUARDED, 0), NewAttributes.NONE);
  }

  static void assertStatus(NfsStatus expected, ThrowingCallable action) {
    try {
      action.call();
    } catch (NfsException e) {
      assertThat(e.status()).isEqualTo(expected);
      return;
    } catch (Throwable e) {
      throw new AssertionError("Not an NfsException", e);
    }
    throw new AssertionError("Succeeded, in place of " + expected);
  }
}
