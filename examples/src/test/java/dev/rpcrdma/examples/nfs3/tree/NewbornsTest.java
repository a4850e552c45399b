// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects that were made within the present tick of the file system's clock: the next object could share it. */
@Timeout(60)
class NewbornsTest {

  /** More than the numbers that ext4 gives before it comes back to one that is free. */
  private static final int MANY = 50;

  @TempDir
  private Path export;
  private Path file;
  private Instant now;
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final Newborns newborns = new Newborns(() -> now, later::add);

  @AfterEach
  void closeAll() {
    while (!later.isEmpty()) {
      later.remove().run();
    }
  }

  @BeforeEach
  void make() throws IOException {
    file = Files.writeString(export.resolve("file"), "x");
    now = bornAt(file).plusMillis(1);
  }

  private static Instant bornAt(Path path) throws IOException {
    return Stat.of(path).inode().born();
  }

  @Test
  @DisplayName("a young file or directory keeps its number, even if it is removed, until it has grown up")
  void numbersAreNotGivenAgain() throws Exception {
    Path directory = Files.createDirectory(export.resolve("directory"));
    List<Object> numbers = List.of(number(file), number(directory));
    Stat stat = Stat.of(file);
    assertThat(newborns.raise(file, stat)).isEqualTo(stat);
    now = bornAt(directory).plusMillis(1);
    newborns.raise(directory, Stat.of(directory));
    assertThat(openInExport()).containsExactlyInAnyOrder(real(file), real(directory));
    Files.delete(file);
    Files.delete(directory);
    for (int i = 0; i < MANY; i++) {
      assertThat(number(Files.createFile(export.resolve("f" + i)))).isNotIn(numbers);
      assertThat(number(Files.createDirectory(export.resolve("d" + i)))).isNotIn(numbers);
    }
    assertThat(later).as("one task for all").hasSize(1);
    later.remove().run();
    assertThat(openInExport()).as("may be open for no time yet").hasSize(2);
    later.remove().run();
    assertThat(openInExport()).isEmpty();
    assertThat(later).isEmpty();
    now = bornAt(export.resolve("f0"));
    newborns.raise(export.resolve("f0"), Stat.of(export.resolve("f0")));
    assertThat(later).as("begun anew").hasSize(1);
  }

  private static Object number(Path path) throws IOException {
    return Stat.of(path).inode().number();
  }

  private static String real(Path path) throws IOException {
    return path.toRealPath().toString();
  }

  /** Reads from Linux which paths of the export this process has open. */
  private Set<String> openInExport() throws IOException {
    Set<String> all = new HashSet<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors) {
        String target = target(each);
        if (target.startsWith(export.toRealPath() + "/")) {
          all.add(target);
        }
      }
    }
    return all;
  }

  /** Empty if other threads of this process have closed it since it was listed. */
  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  @Test
  void anOldObjectIsNotOpened() throws Exception {
    Stat stat = Stat.of(file);
    Instant born = stat.inode().born();
    for (Duration age : List.of(Newborns.YOUTH, Duration.ofDays(1), Duration.ofNanos(-1))) {
      now = born.plus(age);
      assertThat(newborns.raise(file, stat)).isSameAs(stat);
    }
    assertThat(openInExport()).isEmpty();
    now = born.plus(Newborns.YOUTH).minusNanos(1);
    newborns.raise(file, stat);
    assertThat(openInExport()).hasSize(1);
  }

  @Test
  void aLinkGetsNoHandleBeforeItHasGrownUp() throws Exception {
    Path link = Files.createSymbolicLink(export.resolve("link"), Path.of("file"));
    Stat stat = Stat.of(link);
    now = stat.inode().born();
    assertThatThrownBy(() -> newborns.raise(link, stat)).isInstanceOf(Newborns.TooYoung.class);
    assertThat(openInExport()).isEmpty();
    now = now.plus(Newborns.YOUTH);
    assertThat(newborns.raise(link, stat)).isSameAs(stat);
  }

  @Test
  void anObjectInPlaceOfAnotherIsLookedAtAnew() throws Exception {
    Stat stat = Stat.of(file);
    Files.createFile(export.resolve("other"));
    Files.move(export.resolve("other"), file, StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> newborns.raise(file, stat)).isInstanceOf(Newborns.TooYoung.class);
    assertThat(later).as("still to be closed").hasSize(1);
  }

  @Test
  @DisplayName("an operation begins anew when an object has grown up, and RFC 1813 §2.6: JUKEBOX if none ever does")
  void patience() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    assertThat(newborns.patiently(() -> {
      if (attempts.incrementAndGet() < 3) {
        throw new Newborns.TooYoung(now);
      }
      return "done";
    })).isEqualTo("done");
    assertThat(attempts).hasValue(3);
    assertStatus(NfsStatus.JUKEBOX, () -> newborns.patiently(() -> {
      throw new Newborns.TooYoung(now);
    }));
    assertStatus(NfsStatus.PERM, () -> newborns.patiently(() -> {
      throw new NfsException(NfsStatus.PERM, "is not tried again");
    }));
  }

  private TreeBed bed(Newborns with) throws IOException {
    return new TreeBed(FileTree.of(export, new TreeOptions(false, false, TreeOptions.LEAST_HANDLES), with));
  }

  @Test
  @DisplayName("a tree gives no handle of an object that is young and not held open")
  void handles() throws Exception {
    TreeBed bed = bed(newborns);
    Node node = bed.lookUp("file");
    assertThat(openInExport()).hasSize(1);
    assertThat(bed.lookUp("file")).isSameAs(node);
    Path link = Files.createSymbolicLink(export.resolve("link"), Path.of("file"));
    now = bornAt(link);
    assertStatus(NfsStatus.JUKEBOX, () -> bed.lookUp("link"));
    now = now.plus(Newborns.YOUTH);
    assertThat(bed.lookUp("link").inode()).isEqualTo(Stat.of(link).inode());
  }

  /** Returns the birth of the youngest object, as the time of a clock. */
  private Instant youngest() {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(export)) {
      Instant youngest = Instant.EPOCH;
      for (Path each : all) {
        Instant born = bornAt(each);
        youngest = born.isAfter(youngest) ? born : youngest;
      }
      return youngest;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("an object that a client makes is held open before it gets its mode")
  void objectsThatClientsMake() throws Exception {
    TreeBed bed = bed(new Newborns(this::youngest, later::add));
    NewAttributes closed = NewAttributes.NONE.withMode(0);
    assertThat(bed.objects.makeDirectory(ROOT, bed.tree.root(), FileName.of("d"), closed).status())
        .isEqualTo(NfsStatus.OK);
    assertThat(openInExport()).containsExactly(real(export.resolve("d")));
    assertThat(bed.objects.create(ROOT, bed.tree.root(), FileName.of("f"),
        new NewObjects.HowToCreate(NewObjects.HowToCreate.Kind.GUARDED, 0), closed).status())
        .isEqualTo(NfsStatus.OK);
    assertThat(openInExport()).containsExactlyInAnyOrder(real(export.resolve("d")), real(export.resolve("f")));
  }

  @Test
  @DisplayName("a link that a client makes grows up before the client gets its handle")
  void linksThatClientsMake() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    TreeBed bed = bed(new Newborns(
        () -> asked.incrementAndGet() < 5 ? youngest() : youngest().plus(Newborns.YOUTH), later::add));
    Change<Found> made = bed.objects.makeLink(ROOT, bed.tree.root(), FileName.of("link"), NewAttributes.NONE,
        new byte[] {'x'});
    assertThat(made.status()).isEqualTo(NfsStatus.OK);
    assertThat(made.consistency().before()).isPresent();
    assertThat(made.value().orElseThrow().node().inode())
        .isEqualTo(Stat.of(export.resolve("link")).inode());
    assertThat(asked).hasValueGreaterThanOrEqualTo(5);
  }
}
