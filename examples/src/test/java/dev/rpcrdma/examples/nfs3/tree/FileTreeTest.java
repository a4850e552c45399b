// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles, names, and the border of the tree. */
class FileTreeTest {

  @TempDir
  private Path folder;
  private Path export;
  private TreeBed bed;

  @BeforeEach
  void open() throws IOException {
    export = Files.createDirectories(folder.resolve("export"));
    Files.writeString(folder.resolve("secret"), "not for clients");
    bed = new TreeBed(export);
  }

  private static FileHandle.Unchecked handle(byte[] bytes) {
    return FileHandle.decode(new XdrReader(ByteBuffer.wrap(
        new XdrWriter().opaque(bytes).toByteArray())));
  }

  private Node again(Node node) throws NfsException {
    return bed.tree.node(handle(bed.tree.handle(node).bytes()));
  }

  @Test
  void aHandleIsTheObjectWhateverItIsCalled() throws Exception {
    Files.createDirectories(export.resolve("a/b"));
    Files.writeString(export.resolve("a/b/file"), "x");
    Node directory = bed.lookUp("a");
    Node file = bed.lookUp(bed.lookUp(directory, "b"), "file");
    assertThat(again(file)).isSameAs(file);
    assertThat(again(bed.tree.root())).isSameAs(bed.tree.root());

    assertThat(bed.names.rename(ROOT, bed.tree.root(), FileName.of("a"), bed.tree.root(),
        FileName.of("c")).from().status()).isEqualTo(NfsStatus.OK);
    assertThat(bed.tree.attributes(file).size()).isEqualTo(1);
    assertThat(bed.lookUp("c")).isSameAs(directory);

    // Somebody else renames it: it is found again when it is looked up.
    Files.move(export.resolve("c"), export.resolve("d"));
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
    assertThat(bed.lookUp("d")).isSameAs(directory);
    assertThat(bed.tree.attributes(file).size()).isEqualTo(1);
  }

  @Test
  void aHardLinkKeepsItsObjectReachable() throws Exception {
    Files.writeString(export.resolve("one"), "x");
    Node file = bed.lookUp("one");
    assertThat(bed.names.link(ROOT, file, bed.tree.root(), FileName.of("two")).status())
        .isEqualTo(NfsStatus.OK);
    assertThat(bed.tree.attributes(file).links()).isEqualTo(2);
    bed.names.remove(ROOT, bed.tree.root(), FileName.of("two"));
    assertThat(bed.tree.attributes(file).links()).isEqualTo(1);
    bed.names.remove(ROOT, bed.tree.root(), FileName.of("one"));
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
  }

  @Test
  void handlesOfOthersAreBadAndOldOnesAreStale() throws Exception {
    byte[] good = bed.tree.handle(bed.tree.root()).bytes();
    assertStatus(NfsStatus.BADHANDLE, () -> bed.tree.node(handle(new byte[0])));
    assertStatus(NfsStatus.BADHANDLE, () -> bed.tree.node(handle(new byte[64])));
    assertStatus(NfsStatus.BADHANDLE,
        () -> bed.tree.node(handle(ByteBuffer.allocate(good.length + 1).put(good).array())));
    byte[] foreign = good.clone();
    foreign[0] ^= 1;
    assertStatus(NfsStatus.BADHANDLE, () -> bed.tree.node(handle(foreign)));
    byte[] old = good.clone();
    old[8] ^= 1;
    assertStatus(NfsStatus.STALE, () -> bed.tree.node(handle(old)));
    Files.createFile(export.resolve("gone"));
    byte[] gone = bed.tree.handle(bed.lookUp("gone")).bytes();
    bed.names.remove(ROOT, bed.tree.root(), FileName.of("gone"));
    assertStatus(NfsStatus.STALE, () -> bed.tree.node(handle(gone)));
    assertThatThrownBy(() -> handle(new byte[65]))
        .isInstanceOf(XdrException.class);
  }

  @Test
  void handlesCannotBeForged() throws Exception {
    Files.createDirectory(export.resolve("closed"));
    Node closed = bed.lookUp("closed");
    byte[] handle = bed.tree.handle(closed).bytes();
    assertThat(handle).isEqualTo(bed.tree.handle(closed).bytes());
    // Whoever has one handle knows where the number of the next object is, and may guess it.
    byte[] root = bed.tree.handle(bed.tree.root()).bytes();
    byte[] guessed = root.clone();
    System.arraycopy(handle, 16, guessed, 16, 8);
    assertStatus(NfsStatus.BADHANDLE, () -> bed.tree.node(handle(guessed)));
    for (int bit = 16 * 8; bit < handle.length * 8; bit++) {
      byte[] changed = handle.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertStatus(NfsStatus.BADHANDLE, () -> bed.tree.node(handle(changed)));
    }
    // Another run has another key.
    TreeBed other = new TreeBed(export);
    byte[] mixed = other.tree.handle(other.tree.root()).bytes();
    System.arraycopy(root, 16, mixed, 16, root.length - 16);
    assertStatus(NfsStatus.BADHANDLE, () -> other.tree.node(handle(mixed)));
  }

  @Test
  void aHandleEndsWithItsObjectEvenIfAnotherTakesItsPlace() throws Exception {
    Files.writeString(export.resolve("file"), "x");
    Node file = bed.lookUp("file");
    Files.writeString(export.resolve("other"), "y");
    Files.move(export.resolve("other"), export.resolve("file"),
        StandardCopyOption.REPLACE_EXISTING);
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
    assertThat(bed.lookUp("file")).isNotSameAs(file);
  }

  @Test
  @DisplayName("above the root there is only the root")
  void dots() throws Exception {
    Files.createDirectory(export.resolve("a"));
    Node root = bed.tree.root();
    assertThat(bed.lookUp("..")).isSameAs(root);
    assertThat(bed.lookUp(".")).isSameAs(root);
    assertThat(bed.lookUp(bed.lookUp("a"), "..")).isSameAs(root);
    for (String name : new String[] {"../secret", "a/../../secret", "/", "a/", "", "a\0b"}) {
      assertStatus(NfsStatus.ACCES, () -> bed.lookUp(name));
      assertThat(bed.create(ROOT, root, name).status()).isEqualTo(NfsStatus.ACCES);
    }
    assertStatus(NfsStatus.NAMETOOLONG, () -> bed.lookUp("x".repeat(256)));
    assertStatus(NfsStatus.NOENT, () -> bed.lookUp("x".repeat(255)));
    for (String name : new String[] {".", ".."}) {
      FileName dots = FileName.of(name);
      assertThat(bed.create(ROOT, root, name).status()).isEqualTo(NfsStatus.EXIST);
      assertThat(bed.names.remove(ROOT, root, dots).status()).isEqualTo(NfsStatus.ISDIR);
      assertThat(bed.names.removeDirectory(ROOT, root, dots).status())
          .isEqualTo(name.equals(".") ? NfsStatus.INVAL : NfsStatus.EXIST);
      assertThat(bed.names.rename(ROOT, root, FileName.of("a"), root, dots).from().status())
          .isEqualTo(NfsStatus.INVAL);
    }
  }

  @Test
  @DisplayName("no link is followed, neither as an object nor on the way to one")
  void links() throws Exception {
    Files.createSymbolicLink(export.resolve("link"), folder.resolve("secret"));
    Files.createSymbolicLink(export.resolve("up"), folder);
    Node link = bed.lookUp("link");
    assertThat(bed.tree.attributes(link).type()).isEqualTo(FileType.LINK);
    assertStatus(NfsStatus.INVAL, () -> bed.data.read(ROOT, link, 0, ByteBuffer.allocate(10)));
    assertThat(bed.data.write(ROOT, link, 0, ByteBuffer.wrap(new byte[1]), Stability.UNSTABLE)
        .status()).isEqualTo(NfsStatus.INVAL);
    assertStatus(NfsStatus.NOTDIR, () -> bed.lookUp(bed.lookUp("up"), "secret"));
    assertThat(bed.create(ROOT, bed.lookUp("up"), "x").status()).isEqualTo(NfsStatus.NOTDIR);
    assertThat(bed.create(ROOT, bed.tree.root(), "link").status()).isEqualTo(NfsStatus.EXIST);

    // Somebody puts a link in the place of a directory that has a handle.
    Files.createDirectory(export.resolve("directory"));
    Files.writeString(export.resolve("directory/secret"), "for clients");
    Node directory = bed.lookUp("directory");
    Node file = bed.lookUp(directory, "secret");
    Files.move(export.resolve("directory"), export.resolve("elsewhere"));
    Files.createSymbolicLink(export.resolve("directory"), folder);
    assertStatus(NfsStatus.STALE, () -> bed.lookUp(directory, "secret"));
    assertStatus(NfsStatus.STALE, () -> bed.data.read(ROOT, file, 0, ByteBuffer.allocate(10)));
    assertThat(bed.names.remove(ROOT, directory, FileName.of("secret")).status())
        .isEqualTo(NfsStatus.STALE);
    assertThat(folder.resolve("secret")).hasContent("not for clients");
  }

  @Test
  void theTreeIsServedToADepthThatBoundsTheWayOfEachOperation() throws Exception {
    Node at = bed.tree.root();
    Path path = export;
    for (int depth = 1; depth <= FileTree.MAX_DEPTH; depth++) {
      assertThat(bed.objects.makeDirectory(ROOT, at, FileName.of("d"), NewAttributes.NONE).status())
          .as("depth %d", depth).isEqualTo(NfsStatus.OK);
      at = bed.lookUp(at, "d");
      path = path.resolve("d");
    }
    Node deepest = at;
    Files.writeString(path.resolve("file"), "x");
    assertThat(bed.tree.attributes(deepest).type()).isEqualTo(FileType.DIRECTORY);
    assertStatus(NfsStatus.NAMETOOLONG, () -> bed.lookUp(deepest, "file"));
    // Fails if Listings.list has names that have no path: the whole listing would fail by them.
    for (Listings.Entry entry : bed.listings.after(ROOT, deepest, 0)) {
      assertThat(bed.listings.look(deepest, entry)).as(entry.name()).isPresent();
    }
    assertThat(bed.create(ROOT, deepest, "new").status()).isEqualTo(NfsStatus.NAMETOOLONG);
    assertThat(bed.names.remove(ROOT, deepest, FileName.of("file")).status())
        .isEqualTo(NfsStatus.NAMETOOLONG);
    Files.createDirectories(export.resolve("other/below"));
    assertThat(bed.names.rename(ROOT, bed.tree.root(), FileName.of("other"), deepest,
        FileName.of("other")).from().status()).isEqualTo(NfsStatus.NAMETOOLONG);
    assertThat(bed.lookUp(deepest, "..")).isNotSameAs(deepest);
  }

  /** Fails if {@code Listings.look} asks for a name that has no path any more. */
  @Test
  void aListingGoesOnBehindAMoveThatPutsItsDirectoryToTheGreatestDepth() throws Exception {
    Node at = bed.tree.root();
    Path path = export;
    for (int depth = 1; depth < FileTree.MAX_DEPTH; depth++) {
      bed.objects.makeDirectory(ROOT, at, FileName.of("d"), NewAttributes.NONE);
      at = bed.lookUp(at, "d");
      path = path.resolve("d");
    }
    Node moved = at;
    Files.writeString(path.resolve("file"), "x");
    assertThat(bed.listings.after(ROOT, moved, 0)).extracting(Listings.Entry::name).contains("file");
    Files.createDirectory(export.resolve("above"));
    assertThat(bed.names.rename(ROOT, bed.tree.root(), FileName.of("d"), bed.lookUp("above"), FileName.of("d"))
        .from().status()).isEqualTo(NfsStatus.OK);
    for (Listings.Entry entry : bed.listings.after(ROOT, moved, Listings.SELF)) {
      assertThat(bed.listings.look(moved, entry).isPresent()).as(entry.name()).isEqualTo(entry.name().equals(".."));
    }
  }

  @Test
  void theOldestHandlesAreForgottenFirstAndDirectoriesInUseAreNot() throws Exception {
    Files.createDirectory(export.resolve("a"));
    Node directory = bed.lookUp("a");
    Node first = bed.create(ROOT, directory, "first").value().orElseThrow().node();
    Node last = first;
    for (int i = 0; i < TreeOptions.LEAST_HANDLES; i++) {
      Files.createFile(export.resolve("a/" + i));
      last = bed.lookUp(directory, Integer.toString(i));
    }
    assertThat(bed.tree.nodes().size()).isLessThanOrEqualTo(TreeOptions.LEAST_HANDLES);
    assertStatus(NfsStatus.STALE, () -> again(first));
    assertThat(again(directory)).isSameAs(directory);
    assertThat(again(last)).isSameAs(last);
    assertThat(bed.lookUp(directory, "first")).isNotSameAs(first);
  }

  @Test
  void aFileIsNoTree() throws IOException {
    Path file = Files.createFile(export.resolve("file"));
    assertThatThrownBy(() -> FileTree.of(file, TreeOptions.DEFAULT))
        .isInstanceOf(IOException.class).hasMessageContaining("Not a directory");
    assertThatThrownBy(() -> FileTree.of(export.resolve("none"), TreeOptions.DEFAULT))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> new TreeOptions(false, false, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
