// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.tree.NewObjects.HowToCreate;
import dev.rpcrdma.examples.nfs3.tree.NewObjects.HowToCreate.Kind;
import dev.rpcrdma.testkit.lab.NeedsTools;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Making, renaming and removing. */
class NameSpaceTest {

  @TempDir
  private Path export;
  private TreeBed bed;
  private Node root;

  @BeforeEach
  void open() {
    bed = new TreeBed(export);
    root = bed.tree.root();
  }

  private Change<Found> create(String name, Kind kind, long verifier, NewAttributes wanted) {
    return bed.objects.create(ROOT, root, FileName.of(name), new HowToCreate(kind, verifier),
        wanted);
  }

  private NfsStatus rename(String oldName, String newName) {
    return bed.names.rename(ROOT, root, FileName.of(oldName), root, FileName.of(newName)).from()
        .status();
  }

  @Test
  @DisplayName("RFC 1813 §3.3.8: the three ways to create")
  void creating() throws Exception {
    Change<Found> made = create("file", Kind.GUARDED, 0, NewAttributes.NONE.withMode(0640));
    assertThat(made.status()).isEqualTo(NfsStatus.OK);
    assertThat(made.value().orElseThrow().attributes().mode()).isEqualTo(0640);
    Attributes before = made.consistency().before().orElseThrow();
    Attributes after = made.consistency().after().orElseThrow();
    assertThat(after.modified()).isAfterOrEqualTo(before.modified());
    assertThat(create("file", Kind.GUARDED, 0, NewAttributes.NONE).status())
        .isEqualTo(NfsStatus.EXIST);

    Files.writeString(export.resolve("file"), "content");
    assertThat(create("file", Kind.UNCHECKED, 0, NewAttributes.NONE).value().orElseThrow()
        .attributes().size()).isEqualTo(7);
    assertThat(create("file", Kind.UNCHECKED, 0, NewAttributes.NONE.withSize(0)).value()
        .orElseThrow().attributes().size()).isZero();
    assertThat(create("long", Kind.UNCHECKED, 0, NewAttributes.NONE.withSize(5)).value()
        .orElseThrow().attributes().size()).isEqualTo(5);
    Files.createDirectory(export.resolve("directory"));
    assertThat(create("directory", Kind.UNCHECKED, 0, NewAttributes.NONE).status())
        .isEqualTo(NfsStatus.EXIST);
  }

  @Test
  @DisplayName("RFC 1813 §3.3.8: an exclusive request may be repeated, and no other may follow")
  void exclusive() {
    long verifier = 0xfedcba9876543210L;
    Change<Found> made = create("file", Kind.EXCLUSIVE, verifier, NewAttributes.NONE);
    assertThat(made.status()).isEqualTo(NfsStatus.OK);
    Change<Found> again = create("file", Kind.EXCLUSIVE, verifier, NewAttributes.NONE);
    assertThat(again.status()).isEqualTo(NfsStatus.OK);
    assertThat(again.value().orElseThrow().node()).isSameAs(made.value().orElseThrow().node());
    assertThat(create("file", Kind.EXCLUSIVE, verifier + 1, NewAttributes.NONE).status())
        .isEqualTo(NfsStatus.EXIST);
  }

  @Test
  void renaming() throws Exception {
    Files.writeString(export.resolve("a"), "a");
    Files.writeString(export.resolve("b"), "b");
    Node a = bed.lookUp("a");
    Node b = bed.lookUp("b");
    assertThat(rename("a", "b")).isEqualTo(NfsStatus.OK);
    assertThat(export.resolve("b")).hasContent("a");
    assertThat(bed.lookUp("b")).isSameAs(a);
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(b));
    assertThat(rename("a", "c")).isEqualTo(NfsStatus.NOENT);

    Files.createDirectories(export.resolve("full/inner"));
    Files.createDirectory(export.resolve("empty"));
    assertThat(rename("empty", "full")).isEqualTo(NfsStatus.NOTEMPTY);
    assertThat(rename("full", "b")).isEqualTo(NfsStatus.EXIST);
    assertThat(rename("b", "full")).isEqualTo(NfsStatus.EXIST);
    assertThat(rename("full", "empty")).isEqualTo(NfsStatus.OK);
    Node empty = bed.lookUp("empty");
    NameSpace.Renaming into = bed.names.rename(ROOT, root, FileName.of("empty"),
        bed.lookUp(empty, "inner"), FileName.of("x"));
    assertThat(into.from().status()).isEqualTo(NfsStatus.INVAL);
    assertThat(into.to().after()).isPresent();
    // Two names of one object stay.
    Files.createLink(export.resolve("d"), export.resolve("b"));
    assertThat(rename("b", "d")).isEqualTo(NfsStatus.OK);
    assertThat(export.resolve("b")).exists();
  }

  @Test
  void removing() throws Exception {
    Files.createDirectories(export.resolve("full/inner"));
    Files.createFile(export.resolve("file"));
    assertThat(bed.names.remove(ROOT, root, FileName.of("full")).status())
        .isEqualTo(NfsStatus.ISDIR);
    assertThat(bed.names.removeDirectory(ROOT, root, FileName.of("full")).status())
        .isEqualTo(NfsStatus.NOTEMPTY);
    assertThat(bed.names.removeDirectory(ROOT, root, FileName.of("file")).status())
        .isEqualTo(NfsStatus.NOTDIR);
    assertThat(bed.names.remove(ROOT, root, FileName.of("none")).status())
        .isEqualTo(NfsStatus.NOENT);
    assertThat(bed.names.removeDirectory(ROOT, bed.lookUp("full"), FileName.of("inner")).status())
        .isEqualTo(NfsStatus.OK);
    assertThat(bed.names.removeDirectory(ROOT, root, FileName.of("full")).status())
        .isEqualTo(NfsStatus.OK);
  }

  @Test
  void links() throws Exception {
    assertThat(makeLink("l", "/a/../b".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(NfsStatus.OK);
    assertThat(bed.names.readLink(bed.lookUp("l"))).asString().isEqualTo("/a/../b");
    Files.createDirectory(export.resolve("d"));
    assertThat(bed.names.link(ROOT, bed.lookUp("d"), root, FileName.of("e")).status())
        .isEqualTo(NfsStatus.INVAL);
    assertThat(bed.names.link(ROOT, bed.lookUp("l"), root, FileName.of("d")).status())
        .isEqualTo(NfsStatus.EXIST);
    assertStatus(NfsStatus.INVAL, () -> bed.names.readLink(bed.lookUp("d")));
  }

  private NfsStatus makeLink(String name, byte[] target) {
    return bed.objects.makeLink(ROOT, root, FileName.of(name), NewAttributes.NONE, target).status();
  }

  @Test
  @NeedsTools(programs = "find", packages = "findutils")
  @DisplayName("RFC 1813 §3.3.10: the text of a link is bytes, which are stored as they are")
  void linksToAnyBytes() throws Exception {
    byte[] every = new byte[255];
    for (int i = 1; i <= every.length; i++) {
      every[i - 1] = (byte) i;
    }
    byte[][] all = {{(byte) 0xff}, {'/', (byte) 0xe4, '/', (byte) 0xfc}, {'.', '.', '/', (byte) 0x80},
        "/nowhere".getBytes(StandardCharsets.US_ASCII), {'a', '/'},
        "%41?b#c d".getBytes(StandardCharsets.US_ASCII), every,
        "grün/€".getBytes(StandardCharsets.UTF_8)};
    for (int i = 0; i < all.length; i++) {
      assertThat(makeLink("link" + i, all[i])).isEqualTo(NfsStatus.OK);
      assertThat(bed.names.readLink(bed.lookUp("link" + i))).isEqualTo(all[i]);
    }
    // What the system has stored: the name of each byte that is not ASCII.
    Process find = new ProcessBuilder("find", "link0", "link1", "-printf", "%l|")
        .directory(export.toFile()).start();
    assertThat(find.getInputStream().readAllBytes())
        .isEqualTo(new byte[] {(byte) 0xff, '|', '/', (byte) 0xe4, '/', (byte) 0xfc, '|'});
    assertThat(makeLink("none", new byte[] {'a', 0, 'b'})).isEqualTo(NfsStatus.INVAL);
    assertThat(makeLink("none", new byte[0])).isEqualTo(NfsStatus.INVAL);
    assertThat(export.resolve("none")).doesNotExist();
  }

  @Test
  @DisplayName("permissions are those of the caller's numbers")
  void permissions() throws Exception {
    Caller owner = new Caller(1000, 1000, Set.of(2000));
    Caller other = new Caller(1001, 1001, Set.of());
    Files.setAttribute(export, "unix:mode", 0755);
    assertThat(bed.create(other, root, "file").status()).isEqualTo(NfsStatus.ACCES);
    assertThat(bed.objects.makeDirectory(ROOT, root, FileName.of("shared"),
        NewAttributes.NONE.withMode(01777)).status()).isEqualTo(NfsStatus.OK);
    Node shared = bed.lookUp("shared");
    Node file = bed.create(owner, shared, "file").value().orElseThrow().node();
    int uid = bed.tree.attributes(file).uid();
    if (uid == 1000) {
      // This test runs as a user who can give files away, so they belong to whoever made them.
      assertThat(bed.names.remove(other, shared, FileName.of("file")).status())
          .isEqualTo(NfsStatus.PERM);
      assertThat(bed.changes.set(other, file, NewAttributes.NONE.withMode(0777),
          Optional.empty()).status()).isEqualTo(NfsStatus.PERM);
      assertThat(bed.names.remove(owner, shared, FileName.of("file")).status())
          .isEqualTo(NfsStatus.OK);
    }
  }

  @Test
  void nothingChangesInATreeForReading() throws Exception {
    Files.createFile(export.resolve("file"));
    TreeBed readOnly = new TreeBed(export,
        new TreeOptions(true, false, TreeOptions.LEAST_HANDLES));
    Node top = readOnly.tree.root();
    assertThat(readOnly.create(ROOT, top, "new").status()).isEqualTo(NfsStatus.ROFS);
    assertThat(readOnly.names.remove(ROOT, top, FileName.of("file")).status())
        .isEqualTo(NfsStatus.ROFS);
    assertThat(readOnly.data.write(ROOT, readOnly.lookUp("file"), 0,
        ByteBuffer.allocate(1), Stability.UNSTABLE).status()).isEqualTo(NfsStatus.ROFS);
    assertThat(readOnly.changes.set(ROOT, readOnly.lookUp("file"), NewAttributes.NONE.withMode(0),
        Optional.empty()).status()).isEqualTo(NfsStatus.ROFS);
  }
}
