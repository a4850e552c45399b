// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.cluster.ClusterProgram;
import dev.rpcrdma.cluster.ClusterServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is made of entries, one rule after the other. */
class ClusterPictureTest {

  private static final long TTL = 9;
  private static final int PROGRAM = 0x20060001;

  private final ClusterPicture picture = new ClusterPicture();
  private long now = 100;

  static ServerEntry entry(String instance, long sequence, boolean draining, int port, long ttl) {
    return new ServerEntry(new ClusterServer(instance, "node", List.of("siw"), "10.0.0.7", port,
        List.of(new ClusterProgram("Ledger", PROGRAM, 1)), 0, OptionalInt.of(3), draining), sequence, ttl);
  }

  private static ServerEntry entry(String instance, long sequence) {
    return entry(instance, sequence, false, 20000 + instance.charAt(0), TTL);
  }

  private static ServerEntry draining(String instance, long sequence) {
    return entry(instance, sequence, true, 20000 + instance.charAt(0), TTL);
  }

  private ClusterPicture.Change read(ServerEntry... entries) {
    Map<String, ServerEntry> map = new LinkedHashMap<>();
    for (ServerEntry entry : entries) {
      map.put(entry.instance(), entry);
    }
    now += 3;
    return picture.read(map, now);
  }

  /** Reads until the time of those is over whose entries are not there. */
  private void readOn(ServerEntry... entries) {
    for (int i = 0; i < TTL / 3; i++) {
      assertThat(read(entries).left()).isEmpty();
    }
  }

  private List<String> listed() {
    return picture.listing().of(PROGRAM, 1).stream().map(ListedServer::key).toList();
  }

  @Test
  @DisplayName("Servers come and leave with their entries, in the order of their instances")
  void comeAndLeave() {
    assertThat(read(entry("b", 1), entry("a", 7))).isEqualTo(
        new ClusterPicture.Change(List.of("a", "b"), List.of()));
    assertThat(listed()).containsExactly("a", "b");
    assertThat(picture.listing().readAt()).isEqualTo(now);
    readOn(entry("a", 8));
    assertThat(listed()).containsExactly("a", "b");
    assertThat(read(entry("c", 1), entry("a", 9))).isEqualTo(
        new ClusterPicture.Change(List.of("c"), List.of("b")));
    assertThat(listed()).containsExactly("a", "c");
    assertThat(picture.listing().of(PROGRAM, 2)).isEmpty();
    assertThat(picture.listing().of(1, 1)).isEmpty();
  }

  /** Fails if {@code ClusterPicture.comes} heeds no sequence. */
  @Test
  @DisplayName("An entry that has gone comes back with a higher sequence alone")
  void comesBack() {
    read(entry("a", 3));
    readOn();
    assertThat(read().left()).containsExactly("a");
    assertThat(read(entry("a", 3)).came()).isEmpty();
    assertThat(read(entry("a", 2)).came()).isEmpty();
    assertThat(listed()).isEmpty();
    assertThat(read(entry("a", 4)).came()).containsExactly("a");
  }

  /** Fails if {@code ClusterPicture.read} has those leave at once that are missing. */
  @Test
  @DisplayName("A map that loses its entries before their time has nobody leave who puts them again")
  void lost() {
    read(entry("a", 3), entry("b", 1));
    assertThat(read().left()).isEmpty();
    assertThat(read(entry("a", 4)).left()).isEmpty();
    assertThat(listed()).containsExactly("a", "b");
    assertThat(read(entry("a", 5), entry("b", 2))).isEqualTo(new ClusterPicture.Change(List.of(), List.of()));
    readOn();
    assertThat(read().left()).containsExactly("a", "b");
  }

  /** Fails if an interruption has one begin anew that is missing already. */
  @Test
  @DisplayName("Who is missing leaves in its time, though the map cannot be read now and then")
  void missing() {
    read(entry("a", 3));
    picture.failed();
    readOn();
    picture.failed();
    assertThat(read().left()).isEmpty();
    picture.failed();
    assertThat(read().left()).containsExactly("a");
  }

  /** Fails if {@code ClusterPicture.comes} does not look whether it was draining. */
  @Test
  @DisplayName("Who was draining is never listed again, whatever comes late")
  void drained() {
    read(entry("a", 3));
    assertThat(read(draining("a", 5)).left()).containsExactly("a");
    assertThat(listed()).isEmpty();
    assertThat(picture.listing().servers()).singleElement().satisfies(server ->
        assertThat(server.draining()).isTrue());
    assertThat(read(entry("a", 4)).came()).isEmpty();
    assertThat(read(entry("a", 6)).came()).isEmpty();
    read();
    assertThat(picture.listing().servers()).isEmpty();
    assertThat(read(entry("a", 7)).came()).isEmpty();
    assertThat(read(draining("b", 1)).left()).as("who was not known").isEmpty();
    assertThat(read(entry("b", 2)).came()).isEmpty();
  }

  private List<String> callable() {
    return picture.listing().callable(PROGRAM, 1).stream().map(ListedServer::key).toList();
  }

  /** Fails if {@code Listing.callable} does not look for who is listed, or {@code drains} remembers who it was. */
  @Test
  @DisplayName("Servers that have gone without a word are called as long as nobody else is there")
  void silent() {
    read(entry("a", 3), entry("b", 1), entry("c", 1));
    read(entry("a", 4), draining("b", 2), entry("c", 2));
    assertThat(callable()).containsExactly("a", "c");
    for (int i = 0; i < 4; i++) {
      read(entry("c", 3 + i));
    }
    assertThat(callable()).as("somebody else is there").containsExactly("c");
    for (int i = 0; i < 4; i++) {
      read();
    }
    assertThat(listed()).isEmpty();
    assertThat(callable()).containsExactly("a", "c");
    assertThat(picture.listing().servers()).isEmpty();
    read(entry("a", 5));
    assertThat(callable()).containsExactly("a");
    now += ClusterPicture.REMEMBERED_NANOS;
    read();
    assertThat(callable()).as("what was silent for too long is forgotten").containsExactly("a");
  }

  /** Fails if {@code ClusterPicture.goesOn} does not look at the time. */
  @Test
  @DisplayName("An entry that stays as it is leaves, though the map keeps it, and comes back when it moves")
  void stale() {
    read(entry("a", 3), entry("b", 1));
    for (int i = 0; i < 6; i++) {
      assertThat(read(entry("a", 3), entry("b", 2 + i)).left()).isEmpty();
    }
    assertThat(read(entry("a", 3), entry("b", 9)).left()).containsExactly("a");
    assertThat(read(entry("a", 3), entry("b", 10)).came()).isEmpty();
    assertThat(read(entry("a", 4), entry("b", 11)).came()).containsExactly("a");
  }

  /** Fails if {@code ClusterPicture.read} does not begin anew after an interruption, of either kind. */
  @Test
  @DisplayName("While the map is not read nothing changes, and nothing ages")
  void interrupted() {
    read(entry("a", 3));
    picture.failed();
    now += 1000;
    assertThat(listed()).containsExactly("a");
    assertThat(read(entry("a", 3)).left()).isEmpty();
    now += 1000;
    assertThat(read(entry("a", 3)).left()).as("nobody has tried to read").isEmpty();
    for (int i = 0; i < 3; i++) {
      read(entry("a", 3));
      picture.failed();
    }
    now += TTL - 3;
    read(entry("a", 3));
    picture.failed();
    now += TTL - 3;
    assertThat(read(entry("a", 3)).left()).isEmpty();
  }

  /** Fails if {@code ClusterPicture.read} takes readings a time to live apart for an interruption. */
  @Test
  @DisplayName("Readings a time to live apart are no interruption: an entry that stays as it is ages")
  void readInTime() {
    read(entry("a", 3));
    for (int i = 0; i < 2; i++) {
      now += TTL - 3;
      assertThat(read(entry("a", 3)).left()).isEmpty();
    }
    now += TTL - 3;
    assertThat(read(entry("a", 3)).left()).containsExactly("a");
  }

  /** Fails if {@code Listing.of} lists each server. */
  @Test
  @DisplayName("Servers behind one address are one; it is listed as long as one of them takes calls")
  void oneAddress() {
    read(entry("b", 1, false, 20049, TTL), entry("a", 1, false, 20049, TTL), entry("c", 1, false, 20050, TTL));
    assertThat(picture.listing().of(PROGRAM, 1)).containsExactly(
        new ListedServer("a", "10.0.0.7", 20049), new ListedServer("c", "10.0.0.7", 20050));
    read(entry("b", 2, false, 20049, TTL), entry("a", 2, true, 20049, TTL), entry("c", 2, true, 20050, TTL));
    assertThat(picture.listing().of(PROGRAM, 1)).containsExactly(new ListedServer("b", "10.0.0.7", 20049));
    assertThat(picture.listing().servers()).hasSize(3);
  }

  /** Fails if {@code ClusterPicture.read} removes nothing of what is gone. */
  @Test
  @DisplayName("What has gone is forgotten when it has not shown itself for long")
  void forgotten() {
    read(draining("a", 3));
    now += ClusterPicture.REMEMBERED_NANOS;
    read(draining("a", 3));
    now += ClusterPicture.REMEMBERED_NANOS - 3;
    read();
    assertThat(read(entry("a", 4)).came()).isEmpty();
    now += ClusterPicture.REMEMBERED_NANOS;
    read();
    assertThat(read(entry("a", 4)).came()).containsExactly("a");
  }
}
