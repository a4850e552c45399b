// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another process of the server's machine puts another object in place of one that was located just now. */
class SwappedObjectsTest {

  @TempDir
  private Path export;
  private TreeBed bed;

  interface Use {

    void of(Located at) throws Throwable;
  }

  @BeforeEach
  void open() throws Exception {
    Files.writeString(export.resolve("file"), "the client's");
    Files.writeString(export.resolve("other file"), "another's");
    Files.createDirectory(export.resolve("directory"));
    Files.createDirectory(export.resolve("other directory"));
    Files.createSymbolicLink(export.resolve("link"), Path.of("the client's"));
    Files.createSymbolicLink(export.resolve("other link"), Path.of("another's"));
    bed = new TreeBed(export);
  }

  /** Swaps an object as soon as it is located, and requires that its use fails. */
  private void assertStale(String name, Use use) throws Exception {
    bed.tree.looking(bed.lookUp(name), at -> {
      Files.move(export.resolve("other " + name), at.path(), StandardCopyOption.REPLACE_EXISTING);
      ThrowingCallable used = () -> use.of(at);
      assertStatus(NfsStatus.STALE, used);
      return true;
    });
  }

  @Test
  @DisplayName("RFC 1813 §2.6: another file is not read")
  void reading() throws Exception {
    assertStale("file", at -> DataFile.forReading(bed.tree, at).close());
  }

  @Test
  @DisplayName("RFC 1813 §2.6: another file is not written to")
  void writing() throws Exception {
    assertStale("file", at -> DataFile.forWriting(bed.tree, at).close());
    assertThat(export.resolve("file")).hasContent("another's");
  }

  @Test
  @DisplayName("RFC 1813 §2.6: another directory is not listed")
  void listing() throws Exception {
    assertStale("directory", Listings::list);
  }

  @Test
  @DisplayName("RFC 1813 §2.6: another link is not read")
  void readingLinks() throws Exception {
    assertStale("link", NameSpace::text);
  }

  @Test
  @DisplayName("RFC 1813 §2.6: another file gets no name")
  void linking() throws Exception {
    Path name = export.resolve("name");
    assertStale("file", at -> NameSpace.link(at, name));
    assertThat(name).doesNotExist();
    bed.tree.looking(bed.lookUp("file"), at -> NameSpace.link(at, name));
    assertThat(name).hasContent("another's");
  }
}
