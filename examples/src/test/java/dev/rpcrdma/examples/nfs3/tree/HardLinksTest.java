// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The handle of a file with several names lasts as long as one of them. */
class HardLinksTest {

  private static final int MANY = 40;

  @TempDir
  private Path export;
  private TreeBed bed;
  private Node root;
  private Node file;

  @BeforeEach
  void open() throws Exception {
    bed = new TreeBed(export);
    root = bed.tree.root();
    Files.writeString(export.resolve("0"), "x");
    file = bed.lookUp("0");
  }

  private void link(int name) {
    assertThat(bed.names.link(ROOT, file, root, FileName.of(Integer.toString(name))).status())
        .isEqualTo(NfsStatus.OK);
  }

  private void remove(int name) {
    assertThat(bed.names.remove(ROOT, root, FileName.of(Integer.toString(name))).status())
        .isEqualTo(NfsStatus.OK);
  }

  @Test
  @DisplayName("a client removes names of many, the latest first")
  void latestFirst() throws Exception {
    for (int name = 1; name < MANY; name++) {
      link(name);
    }
    for (int name = MANY - 1; name > 0; name--) {
      remove(name);
      assertThat(bed.tree.attributes(file).links()).as("without %d", name).isEqualTo(name);
    }
    remove(0);
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
  }

  @Test
  @DisplayName("a client removes names of many, the oldest first")
  void oldestFirst() throws Exception {
    for (int name = 1; name < MANY; name++) {
      link(name);
    }
    for (int name = 0; name < MANY - 1; name++) {
      remove(name);
      assertThat(bed.tree.attributes(file).links()).isEqualTo(MANY - 1 - name);
    }
  }

  @Test
  @DisplayName("another process of the server's machine removes all names but the oldest")
  void removedOnTheServer() throws Exception {
    for (int name = 1; name < MANY; name++) {
      link(name);
    }
    for (int name = MANY - 1; name > 0; name--) {
      Files.delete(export.resolve(Integer.toString(name)));
    }
    assertThat(bed.tree.attributes(file).links()).isEqualTo(1);
    assertThat(bed.names.rename(ROOT, root, FileName.of("0"), root, FileName.of("renamed")).from().status())
        .isEqualTo(NfsStatus.OK);
    assertThat(bed.tree.attributes(file).links()).isEqualTo(1);
  }

  @Test
  @DisplayName("a file whose last known name is removed keeps its handle for the name that is looked up next")
  void aNameThatNoClientHasUsed() throws Exception {
    Files.createLink(export.resolve("unknown"), export.resolve("0"));
    remove(0);
    assertStatus(NfsStatus.STALE, () -> bed.tree.attributes(file));
    assertThat(bed.lookUp("unknown")).isSameAs(file);
    assertThat(bed.tree.attributes(file).links()).isEqualTo(1);
  }
}
