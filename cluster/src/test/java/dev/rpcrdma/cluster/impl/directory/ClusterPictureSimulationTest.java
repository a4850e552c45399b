// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers that advertise, die, drain, pause and come back, by a seed, while puts arrive late, twice, out of order or
 * never, entries are lost, and readings fail.
 */
@Tag("seeded")
class ClusterPictureSimulationTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.seeds", 3_000);
  private static final int STEPS = 400;
  private static final long TTL = 9;
  private static final int MOST_LATE = 12;

  @Test
  @DisplayName("A live server is listed in the end, a dead one is not, and nobody is listed again who has drained")
  void seeded() {
    int drainedInTime = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      World world = new World(seed);
      world.run();
      drainedInTime += world.readDraining.size();
    }
    assertThat(drainedInTime).as("readings of servers that drain").isGreaterThan(SEEDS);
  }

  private enum Life { ADVERTISES, PAUSES, DRAINS, DEAD }

  private static final class Node {

    private final String instance;
    private Life life = Life.ADVERTISES;
    private long sequence;
    private long nextPut;

    private Node(String instance, long now) {
      this.instance = instance;
      this.nextPut = now;
    }
  }

  private record Arrival(ServerEntry entry, long at) {}

  private record Stored(ServerEntry entry, long until) {}

  private static final class World {

    private final Random random;
    private final String seed;
    private final ClusterPicture picture = new ClusterPicture();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Arrival> underWay = new ArrayList<>();
    private final Map<String, Stored> map = new TreeMap<>();
    private final Set<String> readDraining = new HashSet<>();
    /** The highest that was read of each instance which has drained since. */
    private final Map<String, Long> highest = new HashMap<>();
    /** Whether the map lets go of what was not put again. */
    private final boolean expires;
    private long now;
    private boolean quiet;

    World(int seed) {
      this.seed = "seed " + seed;
      // The first numbers of seeds that follow each other are much the same.
      random = new Random(seed * 0x9e3779b97f4a7c15L);
      expires = random.nextInt(4) > 0;
      now = random.nextLong();
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      // All that may be late has come, and who is dead has had time to leave.
      quiet = true;
      for (int step = 0; step < MOST_LATE + 5 * TTL; step++) {
        step();
      }
      Set<String> alive = nodes.stream().filter(node -> node.life == Life.ADVERTISES).map(node -> node.instance)
          .collect(Collectors.toSet());
      assertThat(listed()).as(seed).isEqualTo(alive);
    }

    private void step() {
      now++;
      if (!quiet) {
        change();
      }
      nodes.forEach(this::put);
      underWay.removeIf(arrival -> {
        if (arrival.at() - now > 0) {
          return false;
        }
        map.put(arrival.entry().instance(), new Stored(arrival.entry(), now + TTL));
        return true;
      });
      if (expires) {
        map.values().removeIf(stored -> stored.until() - now <= 0);
      }
      if (quiet ? now % 3 == 0 : random.nextInt(3) == 0) {
        read();
      }
    }

    private void change() {
      int action = random.nextInt(60);
      Node any = nodes.isEmpty() ? null : nodes.get(random.nextInt(nodes.size()));
      if (any == null || action == 0 && nodes.size() < 20) {
        nodes.add(new Node("i" + random.nextInt(1 << 30), now));
      } else if (action == 1 && any.life == Life.ADVERTISES) {
        any.life = Life.PAUSES;
      } else if (action < 4 && any.life == Life.PAUSES) {
        any.life = Life.ADVERTISES;
        any.nextPut = now;
      } else if (action == 4) {
        any.life = Life.DEAD;
      } else if (action == 5 && any.life == Life.ADVERTISES) {
        any.life = Life.DRAINS;
        send(any, true);
      } else if (action == 6 && any.life == Life.DRAINS) {
        map.remove(any.instance);
      } else if (action == 7) {
        map.keySet().removeIf(lost -> random.nextBoolean());
      }
    }

    private void put(Node node) {
      if (node.life == Life.ADVERTISES && now - node.nextPut >= 0) {
        node.nextPut = now + TTL / 3;
        send(node, false);
      }
    }

    private void send(Node node, boolean draining) {
      ServerEntry entry = ClusterPictureTest.entry(node.instance, ++node.sequence, draining, node.instance.hashCode(),
          TTL);
      int copies = quiet ? 1 : random.nextInt(10) == 0 ? random.nextInt(3) : 1;
      for (int i = 0; i < copies; i++) {
        boolean late = !quiet && random.nextInt(5) == 0;
        underWay.add(new Arrival(entry, now + (late ? 1 + random.nextInt(MOST_LATE) : 0)));
      }
    }

    private void read() {
      Set<String> before = listed();
      if (!quiet && random.nextInt(4) == 0) {
        picture.failed();
        assertThat(listed()).as("%s: a reading that fails", seed).isEqualTo(before);
        return;
      }
      Map<String, ServerEntry> read = new HashMap<>();
      map.forEach((instance, stored) -> read.put(instance, stored.entry()));
      ClusterPicture.Change change = picture.read(read, now);
      read.values().stream().filter(ServerEntry::draining).map(ServerEntry::instance).forEach(readDraining::add);
      Set<String> after = listed();
      assertThat(after).as("%s: who has drained", seed).noneMatch(readDraining::contains);
      nodes.stream().filter(node -> node.life == Life.DRAINS).forEach(node -> removed(node, read, before, after));
      Set<String> changed = new HashSet<>(before);
      changed.addAll(change.came());
      change.left().forEach(changed::remove);
      assertThat(after).as("%s: what is told of changes", seed).isEqualTo(changed);
      assertThat(change.came()).as(seed).noneMatch(before::contains);
    }

    /** Whoever is gone from the map and has drained comes back with nothing that was read before. */
    private void removed(Node node, Map<String, ServerEntry> read, Set<String> before, Set<String> after) {
      ServerEntry entry = read.get(node.instance);
      if (entry != null && !before.contains(node.instance) && entry.sequence() <= highest.getOrDefault(
          node.instance, 0L)) {
        assertThat(after).as("%s: who was removed", seed).doesNotContain(node.instance);
      }
      if (entry != null) {
        highest.merge(node.instance, entry.sequence(), Math::max);
      }
    }

    private Set<String> listed() {
      return picture.listing().of(0x20060001, 1).stream().map(ListedServer::key).collect(Collectors.toSet());
    }
  }
}
