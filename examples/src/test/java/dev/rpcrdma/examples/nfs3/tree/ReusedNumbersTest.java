// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system gives the inode number of an object that is gone to another one, ext4 at once. */
@Timeout(60)
class ReusedNumbersTest {

  private static final Path NEW = Path.of("new");

  @TempDir
  private Path export;
  private TreeBed bed;

  @BeforeEach
  void open() throws IOException {
    // All objects are old by this clock: none is held open, so a number is free as soon as its object is removed.
    InstantSource ahead = () -> Instant.now().plus(Newborns.YOUTH);
    bed = new TreeBed(FileTree.of(export, new TreeOptions(false, false, TreeOptions.LEAST_HANDLES),
        new Newborns(ahead, Runnable::run)));
  }

  private Path path(String name) {
    return export.resolve(name);
  }

  @Test
  @DisplayName("RFC 1813 §2.6: the handle of a file that was deleted on the server is stale")
  void aFileInPlaceOfADeletedOne() throws Exception {
    Files.writeString(path("file"), "old");
    Node old = bed.lookUp("file");
    ReusedNumber.replace(path("file"), file -> Files.writeString(file, "new"));
    assertNoneUses(old);
    assertThat(path("file")).hasContent("new");
    Node young = bed.lookUp("file");
    assertThat(young).isNotSameAs(old);
    assertThat(bed.tree.attributes(young).size()).isEqualTo(3);
    assertNoneUses(old);
    assertThat(path("file")).hasContent("new");
  }

  @Test
  @DisplayName("RFC 1813 §2.6: the handle of a file that another one was renamed over is stale")
  void aFileRenamedOverAnother() throws Exception {
    Files.writeString(path("file"), "old");
    Node old = bed.lookUp("file");
    Inode inode = Stat.of(path("file")).inode();
    Files.writeString(path("file~"), "between");
    Files.move(path("file~"), path("file"), StandardCopyOption.REPLACE_EXISTING);
    ReusedNumber.make(path("file~"), inode, file -> Files.writeString(file, "new"));
    Files.move(path("file~"), path("file"), StandardCopyOption.REPLACE_EXISTING);
    assertNoneUses(old);
    assertThat(path("file")).hasContent("new");
  }

  @Test
  @DisplayName("RFC 1813 §2.6: the number may be found under another name first")
  void aFileOfAnotherName() throws Exception {
    Files.writeString(path("file"), "old");
    Node old = bed.lookUp("file");
    Inode inode = Stat.of(path("file")).inode();
    Files.delete(path("file"));
    ReusedNumber.make(path("other"), inode, file -> Files.writeString(file, "new"));
    assertThat(bed.lookUp("other")).isNotSameAs(old);
    assertNoneUses(old);
    assertThat(path("other")).hasContent("new");
    // Fails if the removal is noted for the object that had the number before.
    assertThat(bed.names.remove(ROOT, bed.tree.root(), FileName.of("other")).status())
        .isEqualTo(NfsStatus.OK);
  }

  /** Tries each procedure that takes the handle of a file. */
  private void assertNoneUses(Node file) {
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
    assertStatus(NfsStatus.STALE, () -> bed.data.read(ROOT, file, 0, ByteBuffer.allocate(1)));
    for (Stability stability : Stability.values()) {
      assertThat(bed.data.write(ROOT, file, 0, ByteBuffer.allocate(1), stability).status())
          .isEqualTo(NfsStatus.STALE);
    }
    assertThat(bed.data.commit(ROOT, file).status()).isEqualTo(NfsStatus.STALE);
    assertThat(set(file, NewAttributes.NONE.withSize(0))).isEqualTo(NfsStatus.STALE);
    assertThat(set(file, NewAttributes.NONE.withMode(0))).isEqualTo(NfsStatus.STALE);
    assertThat(bed.names.link(ROOT, file, bed.tree.root(), FileName.of("link")).status())
        .isEqualTo(NfsStatus.STALE);
    assertThat(path("link")).doesNotExist();
  }

  private NfsStatus set(Node node, NewAttributes wanted) {
    return bed.changes.set(ROOT, node, wanted, Optional.empty()).status();
  }

  @Test
  @DisplayName("RFC 1813 §2.6: the handle of a link that was deleted on the server is stale")
  void aLinkInPlaceOfADeletedOne() throws Exception {
    Files.createSymbolicLink(path("link"), Path.of("old"));
    Node old = bed.lookUp("link");
    ReusedNumber.replace(path("link"), link -> Files.createSymbolicLink(link, NEW));
    assertStatus(NfsStatus.STALE, () -> bed.names.readLink(old));
    assertThat(bed.names.readLink(bed.lookUp("link"))).asString().isEqualTo("new");
    assertStatus(NfsStatus.STALE, () -> bed.names.readLink(old));
  }

  @Test
  @DisplayName("RFC 1813 §2.6: the handle of a directory that was deleted on the server is stale")
  void aDirectoryInPlaceOfADeletedOne() throws Exception {
    Files.createDirectory(path("directory"));
    Files.createDirectory(path("other"));
    Node other = bed.lookUp("other");
    Node old = bed.lookUp("directory");
    ReusedNumber.replace(path("directory"), Files::createDirectory);
    Path file = Files.writeString(path("directory/file"), "new");
    FileName name = FileName.of("file");
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(old));
    assertStatus(NfsStatus.STALE, () -> bed.lookUp(old, "file"));
    assertStatus(NfsStatus.STALE, () -> bed.lookUp(old, ".."));
    assertStatus(NfsStatus.STALE, () -> bed.listings.after(ROOT, old, 0));
    assertThat(bed.create(ROOT, old, "made").status()).isEqualTo(NfsStatus.STALE);
    assertThat(bed.objects.makeDirectory(ROOT, old, FileName.of("made"), NewAttributes.NONE).status())
        .isEqualTo(NfsStatus.STALE);
    assertThat(bed.objects.makeLink(ROOT, old, FileName.of("made"), NewAttributes.NONE,
        new byte[] {'x'}).status()).isEqualTo(NfsStatus.STALE);
    assertThat(bed.names.remove(ROOT, old, name).status()).isEqualTo(NfsStatus.STALE);
    assertThat(bed.names.rename(ROOT, old, name, other, name).from().status())
        .isEqualTo(NfsStatus.STALE);
    Files.createFile(path("other/file"));
    assertThat(bed.names.rename(ROOT, other, name, old, name).from().status())
        .isEqualTo(NfsStatus.STALE);
    assertThat(bed.names.link(ROOT, bed.lookUp(other, "file"), old, FileName.of("made")).status())
        .isEqualTo(NfsStatus.STALE);
    assertThat(set(old, NewAttributes.NONE.withMode(0))).isEqualTo(NfsStatus.STALE);
    assertThat(path("directory").toFile().list()).containsExactly("file");
    assertThat(file).hasContent("new");
  }

  @Test
  @DisplayName("RFC 1813 §2.6: no handle leads through a directory that has the number of another one")
  void aFileBelowAReplacedDirectory() throws Exception {
    Files.createDirectory(path("directory"));
    Files.writeString(path("directory/file"), "kept");
    Node file = bed.lookUp(bed.lookUp("directory"), "file");
    // The file goes on beneath a directory that no client has seen.
    Files.move(path("directory/file"), path("aside"));
    ReusedNumber.replace(path("directory"), Files::createDirectory);
    Files.move(path("aside"), path("directory/file"));
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
    assertThat(bed.lookUp(bed.lookUp("directory"), "file")).isSameAs(file);
    assertThat(bed.tree.attributes(file).size()).isEqualTo(4);
  }

  @Test
  @DisplayName("a file that is written, renamed or linked on the server stays what it is")
  void changesOnTheServerAreOfTheSameFile() throws Exception {
    Path made = Files.writeString(path("file"), "old");
    Node file = bed.lookUp("file");
    Files.writeString(made, "longer than before");
    Files.setAttribute(made, "unix:mode", 0640);
    Files.setLastModifiedTime(made, FileTime.fromMillis(0));
    assertThat(bed.tree.attributes(file).size()).isEqualTo(18);
    Files.move(made, path("moved"));
    assertThat(bed.lookUp("moved")).isSameAs(file);
    Files.createLink(path("linked"), path("moved"));
    assertThat(bed.lookUp("linked")).isSameAs(file);
    assertThat(bed.data.write(ROOT, file, 0, ByteBuffer.allocate(1), Stability.UNSTABLE).status())
        .isEqualTo(NfsStatus.OK);
    Caller owner = new Caller(bed.tree.attributes(file).uid(), 0, Set.of());
    assertThat(bed.data.commit(owner, file).status()).isEqualTo(NfsStatus.OK);
  }
}
