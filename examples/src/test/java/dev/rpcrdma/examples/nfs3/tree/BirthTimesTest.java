// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.examples.nfs3.model.FileType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees with and without times of birth. */
class BirthTimesTest {

  private static final FileTime BORN = FileTime.fromMillis(1_000);
  private static final FileTime MODIFIED = FileTime.fromMillis(2_000);

  @TempDir
  private Path folder;

  private static Stat withoutBirth(Path path) throws IOException {
    Stat real = Stat.of(path);
    return new Stat(real.attributes(), new Inode(real.inode().type(), real.inode().number(),
        real.attributes().modified()));
  }

  @Test
  void aDirectoryWithoutThemIsNotServedForWriting() {
    assertThatThrownBy(() -> BirthTimes.require(folder, BirthTimesTest::withoutBirth))
        .isInstanceOf(IOException.class).hasMessageContaining("17.0.11").hasMessageContaining("--read-only");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFreshDirectoryThatHasThemIsServed() throws Exception {
    FileTime now = Files.getLastModifiedTime(folder);
    // The directory itself says nothing: it has not changed since its birth.
    BirthTimes.Reader fresh = path -> path.equals(folder) ? withoutBirth(path) : Stat.of(path);
    assertThatCode(() -> BirthTimes.require(folder, fresh)).doesNotThrowAnyException();
    assertThat(folder).isEmptyDirectory();
    assertThat(Files.getLastModifiedTime(folder)).isGreaterThanOrEqualTo(now);
  }

  @Test
  void anObjectIsToldByItsBirthAndElseByItsLastChange() {
    Inode born = Inode.of(FileType.REGULAR, "1", BORN, MODIFIED);
    assertThat(born).isEqualTo(Inode.of(FileType.REGULAR, "1", BORN, FileTime.fromMillis(3_000)));
    assertThat(born).isNotEqualTo(Inode.of(FileType.REGULAR, "1", MODIFIED, MODIFIED));
    assertThat(born).isNotEqualTo(Inode.of(FileType.REGULAR, "2", BORN, MODIFIED));
    assertThat(born).isNotEqualTo(Inode.of(FileType.PIPE, "1", BORN, MODIFIED));
    FileTime epoch = FileTime.fromMillis(0);
    assertThat(Inode.of(FileType.REGULAR, "1", epoch, MODIFIED))
        .isNotEqualTo(Inode.of(FileType.REGULAR, "1", epoch, BORN));
  }
}
