// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileType;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The names that a table of handles keeps, and the limit for them. */
class NodeTableTest {

  private static final int LIMIT = 8;

  private final NodeTable table = new NodeTable(stat(FileType.DIRECTORY, 0, 2), LIMIT);
  private final Node root = table.root();

  private static Stat stat(FileType type, int number, int links) {
    return new Stat(new Attributes(type, 0755, links, 0, 0, 0, 0, 0, 0, number, Instant.EPOCH, Instant.EPOCH,
        Instant.EPOCH), new Inode(type, number, Instant.EPOCH));
  }

  private static Stat file(int number) {
    return stat(FileType.REGULAR, number, 1);
  }

  private boolean isKnown(Node node) {
    return table.find(node.number()).isPresent();
  }

  @Test
  void eachNameCountsAndTheObjectThatWasUsedLeastIsForgotten() {
    Node first = table.seen(root, "first", file(1));
    Node linked = table.seen(root, "linked", file(2));
    for (int name = 1; name < LIMIT - 1; name++) {
      assertThat(isKnown(first)).isTrue();
      assertThat(table.seen(root, "linked" + name, file(2))).isSameAs(linked);
    }
    assertThat(table.size()).isEqualTo(LIMIT);
    table.find(first.number());
    table.seen(root, "last", file(3));
    assertThat(isKnown(linked)).as("used before the first").isFalse();
    assertThat(isKnown(first)).isTrue();
    assertThat(table.size()).isEqualTo(2);
    assertThat(root.entries()).isEqualTo(2);
  }

  @Test
  void anObjectWithMoreNamesThanThereIsRoomForKeepsTheLatest() {
    Node linked = table.seen(root, "0", file(1));
    for (int name = 1; name < 3 * LIMIT; name++) {
      table.seen(root, Integer.toString(name), file(1));
    }
    assertThat(isKnown(linked)).isTrue();
    assertThat(table.size()).isEqualTo(LIMIT);
    assertThat(table.places(linked)).extracting(Node.Place::name)
        .startsWith(Integer.toString(3 * LIMIT - 1)).contains(Integer.toString(2 * LIMIT)).hasSize(LIMIT);
    assertThat(root.entries()).isEqualTo(LIMIT);
  }

  @Test
  void aNameThatIsSeenAgainIsTheLatestAndCountsOnce() {
    Node linked = table.seen(root, "a", file(1));
    table.seen(root, "b", file(1));
    table.seen(root, "a", file(1));
    assertThat(linked.latest()).isEqualTo(new Node.Place(root, "a"));
    assertThat(table.size()).isEqualTo(2);
    assertThat(root.entries()).isEqualTo(2);
    table.lost(root, "a", stat(FileType.REGULAR, 1, 2));
    assertThat(linked.latest()).isEqualTo(new Node.Place(root, "b"));
    assertThat(root.entries()).isEqualTo(1);
    table.lost(root, "b", file(1));
    assertThat(isKnown(linked)).isFalse();
    assertThat(root.entries()).isZero();
    assertThat(table.size()).isZero();
  }

  @Test
  void anObjectWithoutAKnownNameCountsToo() {
    for (int number = 1; number <= 2 * LIMIT; number++) {
      table.seen(root, "name", stat(FileType.REGULAR, number, 2));
      table.lost(root, "name", stat(FileType.REGULAR, number, 2));
    }
    assertThat(table.size()).isEqualTo(LIMIT);
    assertThat(root.entries()).isZero();
  }

  @Test
  void aDirectoryHasOneName() {
    Node directory = table.seen(root, "a", stat(FileType.DIRECTORY, 1, 3));
    Node inner = table.seen(directory, "inner", file(2));
    table.seen(root, "b", stat(FileType.DIRECTORY, 1, 3));
    assertThat(table.places(directory)).containsExactly(new Node.Place(root, "b"));
    assertThat(directory.entries()).isEqualTo(1);
    for (int number = 10; number < 10 + LIMIT; number++) {
      table.seen(root, "f" + number, file(number));
    }
    assertThat(isKnown(inner)).isFalse();
    table.lost(root, "b", stat(FileType.DIRECTORY, 1, 2));
    assertThat(isKnown(directory)).isFalse();
  }
}
