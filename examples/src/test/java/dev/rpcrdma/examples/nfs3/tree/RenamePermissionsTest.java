// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.testkit.lab.NeedsRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions for RENAME, as the kernel would ask for them if the caller were its user (rename of POSIX.1). */
@NeedsRoot
class RenamePermissionsTest {

  private static final int OWN = 1000;
  private static final int FOREIGN = 1001;
  private static final Caller CALLER = new Caller(OWN, OWN, Set.of());

  @TempDir
  private Path export;
  private TreeBed bed;

  @BeforeEach
  void open() throws Exception {
    bed = new TreeBed(export);
    Files.setAttribute(export, "unix:mode", 0755);
    directory("from", FOREIGN, 0777);
    directory("to", FOREIGN, 0777);
  }

  private void directory(String name, int owner, int mode) throws Exception {
    Files.createDirectory(export.resolve(name));
    change(name, owner, mode);
  }

  private void file(String name, int owner) throws Exception {
    Files.createFile(export.resolve(name));
    change(name, owner, 0444);
  }

  private void change(String name, int owner, int mode) throws Exception {
    Files.setAttribute(export.resolve(name), "unix:uid", owner);
    Files.setAttribute(export.resolve(name), "unix:gid", owner);
    Files.setAttribute(export.resolve(name), "unix:mode", mode);
  }

  private NfsStatus rename(Caller caller, String from, String oldName, String to, String newName)
      throws Exception {
    return bed.names.rename(caller, bed.lookUp(from), FileName.of(oldName), bed.lookUp(to),
        FileName.of(newName)).from().status();
  }

  @Test
  @DisplayName("a directory gets another parent from a caller who may write to the directory itself")
  void aDirectoryIntoAnotherOne() throws Exception {
    directory("from/closed", FOREIGN, 0775);
    // The owner of a directory without permission to write has none either.
    directory("from/own closed", OWN, 0575);
    directory("from/own", OWN, 0700);
    directory("from/open", FOREIGN, 0772);
    assertThat(rename(CALLER, "from", "closed", "to", "x")).isEqualTo(NfsStatus.ACCES);
    assertThat(rename(CALLER, "from", "own closed", "to", "x")).isEqualTo(NfsStatus.ACCES);
    assertThat(export.resolve("to")).isEmptyDirectory();
    assertThat(rename(CALLER, "from", "own", "to", "own")).isEqualTo(NfsStatus.OK);
    assertThat(rename(CALLER, "from", "open", "to", "open")).isEqualTo(NfsStatus.OK);
    assertThat(rename(ROOT, "from", "closed", "to", "closed")).isEqualTo(NfsStatus.OK);
    directory("from/empty", FOREIGN, 0775);
    directory("to/empty", FOREIGN, 0777);
    assertThat(rename(CALLER, "from", "empty", "to", "empty")).as("in place of another")
        .isEqualTo(NfsStatus.ACCES);
  }

  @Test
  @DisplayName("a directory keeps its parent, or a file gets another one: neither is written to")
  void nothingToWriteTo() throws Exception {
    directory("from/closed", FOREIGN, 0555);
    file("from/file", FOREIGN);
    assertThat(rename(CALLER, "from", "closed", "from", "renamed")).isEqualTo(NfsStatus.OK);
    assertThat(rename(CALLER, "from", "file", "to", "file")).isEqualTo(NfsStatus.OK);
  }

  @Test
  @DisplayName("both parents must be open for the caller to write to and to search")
  void parents() throws Exception {
    file("from/file", OWN);
    for (int mode : new int[] {0775, 0776, 0771}) {
      change("from", FOREIGN, mode);
      change("to", FOREIGN, 0777);
      assertThat(rename(CALLER, "from", "file", "to", "file")).isEqualTo(NfsStatus.ACCES);
      change("from", FOREIGN, 0777);
      change("to", FOREIGN, mode);
      assertThat(rename(CALLER, "from", "file", "to", "file")).isEqualTo(NfsStatus.ACCES);
    }
    assertThat(export.resolve("from/file")).exists();
  }

  @Test
  @DisplayName("from a sticky directory a caller takes what belongs to the caller, or if the directory does")
  void aStickySource() throws Exception {
    file("from/foreign", FOREIGN);
    file("from/own", OWN);
    directory("from/foreign directory", FOREIGN, 0777);
    change("from", FOREIGN, 01777);
    for (String target : new String[] {"from", "to"}) {
      assertThat(rename(CALLER, "from", "foreign", target, "x")).isEqualTo(NfsStatus.PERM);
      assertThat(rename(CALLER, "from", "foreign directory", target, "x")).isEqualTo(NfsStatus.PERM);
    }
    assertThat(rename(CALLER, "from", "own", "to", "own")).isEqualTo(NfsStatus.OK);
    change("from", OWN, 01777);
    assertThat(rename(CALLER, "from", "foreign", "to", "foreign")).isEqualTo(NfsStatus.OK);
  }

  @Test
  @DisplayName("in a sticky directory a caller replaces what belongs to the caller, or if the directory does")
  void aStickyTarget() throws Exception {
    for (String name : new String[] {"1", "2", "3"}) {
      file("from/" + name, OWN);
    }
    file("to/foreign", FOREIGN);
    file("to/own", OWN);
    directory("from/directory", OWN, 0777);
    directory("to/directory", FOREIGN, 0777);
    change("to", FOREIGN, 01777);
    assertThat(rename(CALLER, "from", "1", "to", "foreign")).isEqualTo(NfsStatus.PERM);
    assertThat(rename(CALLER, "from", "directory", "to", "directory")).isEqualTo(NfsStatus.PERM);
    assertThat(rename(CALLER, "from", "1", "to", "own")).isEqualTo(NfsStatus.OK);
    assertThat(rename(CALLER, "from", "2", "to", "new")).as("replaces nothing").isEqualTo(NfsStatus.OK);
    change("to", OWN, 01777);
    assertThat(rename(CALLER, "from", "3", "to", "foreign")).isEqualTo(NfsStatus.OK);
  }
}
