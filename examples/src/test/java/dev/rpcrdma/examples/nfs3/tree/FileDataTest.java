// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NewTime;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content and attributes of files. */
class FileDataTest {

  @TempDir
  private Path export;
  private TreeBed bed;
  private Node file;

  @BeforeEach
  void open() throws Exception {
    bed = new TreeBed(export);
    Files.writeString(export.resolve("file"), "0123456789");
    file = bed.lookUp("file");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private String read(long offset, int length, boolean end) throws Exception {
    ByteBuffer target = ByteBuffer.allocate(length);
    assertThat(bed.data.read(ROOT, file, offset, target).atEnd()).isEqualTo(end);
    return new String(target.array(), 0, target.position(), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("RFC 1813 §3.3.6: reading, and where it ends")
  void reading() throws Exception {
    assertThat(read(0, 4, false)).isEqualTo("0123");
    assertThat(read(4, 6, true)).isEqualTo("456789");
    assertThat(read(8, 100, true)).isEqualTo("89");
    assertThat(read(10, 1, true)).isEmpty();
    assertThat(read(Long.MAX_VALUE, 1, true)).isEmpty();
    assertThat(read(-1, 1, true)).isEmpty();
    assertThat(read(0, 0, false)).isEmpty();
    assertStatus(NfsStatus.INVAL,
        () -> bed.data.read(ROOT, bed.tree.root(), 0, ByteBuffer.allocate(1)));
  }

  @Test
  @DisplayName("RFC 1813 §3.3.7: writing, whatever is asked for")
  void writing() throws Exception {
    for (Stability stability : Stability.values()) {
      Change<Boolean> change = bed.data.write(ROOT, file, 3, bytes("abc"), stability);
      assertThat(change.status()).isEqualTo(NfsStatus.OK);
      assertThat(change.consistency().before()).map(Attributes::size).contains(10L);
      assertThat(change.consistency().after()).map(Attributes::size).contains(10L);
    }
    assertThat(export.resolve("file")).hasContent("012abc6789");
    bed.data.write(ROOT, file, 12, bytes("x"), Stability.UNSTABLE);
    assertThat(Files.readAllBytes(export.resolve("file"))).endsWith('9', 0, 0, 'x').hasSize(13);
    assertThat(bed.data.commit(ROOT, file).status()).isEqualTo(NfsStatus.OK);
    assertThat(bed.data.write(ROOT, file, Long.MAX_VALUE, bytes("xy"), Stability.UNSTABLE)
        .status()).isEqualTo(NfsStatus.FBIG);
    assertThat(bed.data.write(ROOT, file, -1, bytes("x"), Stability.UNSTABLE).status())
        .isEqualTo(NfsStatus.FBIG);
    assertThat(new TreeBed(export).data.verifier()).isNotEqualTo(bed.data.verifier());
  }

  @Test
  @DisplayName("RFC 1813 §3.3.2: sizes, modes and times")
  void attributes() throws Exception {
    Instant accessed = Instant.parse("2001-02-03T04:05:06.123456Z");
    Instant modified = Instant.parse("2002-03-04T05:06:07.654321Z");
    assertThat(bed.changes.set(ROOT, file, new NewAttributes(OptionalInt.of(0751),
        OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(20),
        new NewTime(NewTime.Kind.CLIENT, Optional.of(accessed)),
        new NewTime(NewTime.Kind.CLIENT, Optional.of(modified))), Optional.empty()).status())
        .isEqualTo(NfsStatus.OK);
    Attributes now = bed.tree.attributes(file);
    assertThat(now.mode()).isEqualTo(0751);
    assertThat(now.size()).isEqualTo(20);
    assertThat(now.accessed()).isEqualTo(accessed);
    assertThat(now.modified()).isEqualTo(modified);
    assertThat(Files.readAllBytes(export.resolve("file"))).startsWith('0').endsWith(0, 0, 0);

    assertThat(bed.changes.set(ROOT, file, NewAttributes.NONE.withSize(3), Optional.of(accessed))
        .status()).isEqualTo(NfsStatus.NOT_SYNC);
    assertThat(bed.changes.set(ROOT, file, NewAttributes.NONE.withSize(3),
        Optional.of(now.changed())).status()).isEqualTo(NfsStatus.OK);
    assertThat(export.resolve("file")).hasContent("012");
    assertThat(bed.changes.set(ROOT, file, NewAttributes.NONE.withSize(-1), Optional.empty())
        .status()).isEqualTo(NfsStatus.FBIG);
    assertThat(bed.changes.set(ROOT, bed.tree.root(), NewAttributes.NONE.withSize(0),
        Optional.empty()).status()).isEqualTo(NfsStatus.INVAL);
  }

  @Test
  @DisplayName("RFC 1813 §4.4: the owner may write what it has made read-only")
  void ownersAlwaysMay() throws Exception {
    // Whoever runs this owns the file; who is not root is kept from it by its mode alone.
    bed = new TreeBed(export, TreeOptions.DEFAULT);
    file = bed.lookUp("file");
    assertThat(bed.changes.set(ROOT, file, new NewAttributes(OptionalInt.of(0),
        OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(9), NewTime.SERVER,
        NewTime.SERVER), Optional.empty()).status()).isEqualTo(NfsStatus.OK);
    Caller owner = new Caller(bed.tree.attributes(file).uid(), 1, Set.of());
    Caller other = new Caller(4711, 4711, Set.of());
    assertThat(bed.data.write(owner, file, 0, bytes("x"), Stability.UNSTABLE).status())
        .isEqualTo(NfsStatus.OK);
    assertThat(bed.data.write(other, file, 0, bytes("y"), Stability.UNSTABLE).status())
        .isEqualTo(NfsStatus.ACCES);
    assertStatus(NfsStatus.ACCES, () -> bed.data.read(other, file, 0, ByteBuffer.allocate(1)));
    // RFC 1813 §4.4: who executes a file reads it.
    bed.changes.set(ROOT, file, NewAttributes.NONE.withMode(0711), Optional.empty());
    assertThat(bed.data.read(other, file, 0, ByteBuffer.allocate(1)).atEnd()).isFalse();
    assertThat(bed.tree.attributes(file).mode()).isEqualTo(0711);
  }
}
