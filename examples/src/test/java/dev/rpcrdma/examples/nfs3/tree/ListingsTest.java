// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static dev.rpcrdma.examples.nfs3.tree.TreeBed.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listing in pieces, while the directory changes. */
class ListingsTest {

  @TempDir
  private Path export;
  private TreeBed bed;

  @BeforeEach
  void open() throws Exception {
    bed = new TreeBed(export);
    for (int i = 0; i < 500; i++) {
      Files.createFile(export.resolve("file-" + i));
    }
  }

  private List<Listings.Entry> after(long cookie) throws Exception {
    return bed.listings.after(ROOT, bed.tree.root(), cookie);
  }

  @Test
  void eachCookieLeadsToTheNextEntry() throws Exception {
    List<Listings.Entry> all = after(0);
    assertThat(all).hasSize(502);
    assertThat(all.get(0)).isEqualTo(new Listings.Entry(Listings.SELF, "."));
    assertThat(all.get(1)).isEqualTo(new Listings.Entry(Listings.PARENT, ".."));
    for (int i = 0; i < all.size(); i++) {
      assertThat(after(all.get(i).cookie())).isEqualTo(all.subList(i + 1, all.size()));
    }
    assertThat(after(Long.MAX_VALUE)).isEmpty();
  }

  /** Fails if {@code Listings.keep} counts the names of a listing once more with each reply of it. */
  @Test
  @DisplayName("a listing that goes on for long pushes out no other")
  void goesOnForLong() throws Exception {
    Path other = Files.createDirectory(export.resolve("other"));
    Files.createFile(other.resolve("removed"));
    Node directory = bed.lookUp("other");
    assertThat(bed.listings.after(ROOT, directory, 0)).hasSize(3);
    Files.delete(other.resolve("removed"));
    after(0);
    for (int i = 0; i < (1 << 20) / 500; i++) {
      after(Listings.PARENT);
    }
    assertThat(bed.listings.after(ROOT, directory, Listings.PARENT)).as("as it was first").hasSize(1);
  }

  /** Fails if {@code Listings.keep} goes on counting the names of a listing that it has forgotten. */
  @Test
  @DisplayName("listings that were forgotten leave room for others")
  void forgottenListings() throws Exception {
    Path large = Files.createDirectory(export.resolve("large"));
    for (int i = 0; i < 20_000; i++) {
      Files.createFile(large.resolve("file-" + i));
    }
    List<Node> small = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Files.createDirectory(export.resolve("small-" + i));
      small.add(bed.lookUp("small-" + i));
    }
    Path changed = Files.createFile(export.resolve("small-1").resolve("removed"));
    for (int i = 0; i <= (1 << 20) / 20_000; i++) {
      bed.listings.after(ROOT, bed.lookUp("large"), 0);
      for (Node directory : small) {
        bed.listings.after(ROOT, directory, 0);
      }
    }
    Files.delete(changed);
    bed.listings.after(ROOT, small.get(2), 0);
    assertThat(bed.listings.after(ROOT, small.get(1), Listings.PARENT)).as("as it was before").hasSize(1);
  }

  @Test
  @DisplayName("what stays is listed once, whatever is removed and added meanwhile, by any server")
  void whileItChanges() throws Exception {
    List<String> seen = new ArrayList<>();
    long cookie = 0;
    for (int round = 0; round < 50; round++) {
      // A listing that was forgotten, or of a server that was started anew, goes on the same way.
      TreeBed other = round % 2 == 0 ? bed : new TreeBed(export);
      List<Listings.Entry> page = other.listings.after(ROOT, other.tree.root(), cookie);
      for (Listings.Entry entry : page.subList(0, Math.min(10, page.size()))) {
        seen.add(entry.name());
        cookie = entry.cookie();
      }
      Files.deleteIfExists(export.resolve(seen.get(seen.size() - 1)));
      Files.createFile(export.resolve("new-" + round));
    }
    while (!after(cookie).isEmpty()) {
      seen.add(after(cookie).get(0).name());
      cookie = after(cookie).get(0).cookie();
    }
    assertThat(seen).doesNotHaveDuplicates()
        .containsAll(IntStream.range(0, 500).mapToObj(i -> "file-" + i).toList());
  }

  @Test
  void entriesThatAreGoneAreEmpty() throws Exception {
    Listings.Entry entry = after(0).get(2);
    assertThat(bed.listings.look(bed.tree.root(), entry)).isPresent();
    Files.delete(export.resolve(entry.name()));
    assertThat(bed.listings.look(bed.tree.root(), entry)).isEmpty();
    assertThat(bed.listings.look(bed.tree.root(), after(0).get(1)).orElseThrow().node())
        .isSameAs(bed.tree.root());
  }

  @Test
  void namesWithTheSameHashGetCookiesInARow() {
    List<Listings.Entry> same = Listings.sorted(List.of("a", "a"));
    assertThat(same.get(3).cookie()).isEqualTo(same.get(2).cookie() + 1);
  }

  @Test
  void onlyDirectoriesAndOnlyReadableOnes() throws Exception {
    Node file = bed.lookUp("file-1");
    assertStatus(NfsStatus.NOTDIR, () -> bed.listings.after(ROOT, file, 0));
    Files.setAttribute(export, "unix:mode", 0700);
    assertStatus(NfsStatus.ACCES, () -> bed.listings.after(new Caller(4711, 1, Set.of()),
        bed.tree.root(), 0));
  }
}
