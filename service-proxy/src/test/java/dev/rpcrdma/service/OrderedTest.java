// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.service.fixture.Color;
import dev.rpcrdma.service.fixture.Ordered;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Collections by their more general and their more special interfaces. */
class OrderedTest extends TypeFamilyTest<Ordered> {

  OrderedTest() {
    super(Ordered.class, family());
  }

  private static TypeFamily<Ordered> family() {
    return new TypeFamily<Ordered>()
        .good(1, Ordered::ofCollection, List.of("b", ""), "00000002 00000001 62000000 00000000")
        .good(2, Ordered::ofSortedSet, new TreeSet<>(List.of("b", "")), "00000002 00000000 00000001 62000000")
        .good(3, Ordered::ofNavigableSet, new TreeSet<>(List.of(new Ordered.Rank(1), new Ordered.Rank(-1))),
            "00000002 ffffffff 00000001")
        .good(4, Ordered::ofSortedMap, new TreeMap<>(Map.of(2, "b", 1, "")),
            "00000002 00000001 00000000 00000002 00000001 62000000")
        .good(5, Ordered::ofNavigableMap, new TreeMap<Ordered.Rank, Optional<Collection<Color>>>(
            Map.of(new Ordered.Rank(7), Optional.of(List.of(Color.BLUE)))),
            "00000001 00000007 00000001 00000001 00000002")
        .bad(1, "00000004 00000000 00000000 00000000 00000000", "exceeds its bound of 3")
        .bad(2, "00000002 00000000 00000000", "Element 1 of a set repeats another")
        .bad(3, "00000003 00000001 00000002 00000001", "Element 2 of a set repeats another")
        .bad(4, "00000002 00000001 00000000 00000001 00000001 62000000", "Entry 1 of a map repeats the key")
        .bad(5, "40000000 00000000 00000000", "does not fit");
  }

  @Test
  void onlyTheNaturalOrderCrosses() throws Throwable {
    TreeSet<String> natural = new TreeSet<>(Comparator.naturalOrder());
    natural.add("a");
    assertThat(onVertx.await(() -> program.ofSortedSet(natural))).containsExactly("a");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofSortedSet(new TreeSet<>(Comparator.reverseOrder()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value has a comparator: only the natural order crosses");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofSortedMap(new TreeMap<>(Comparator.reverseOrder()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value has a comparator: only the natural order crosses");
  }

  @Test
  void foreignOrderIsAccepted() throws Exception {
    Ordered canned = new CannedCaller(new byte[] {0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 4})
        .proxy(Ordered.class);
    assertThat(canned.ofNavigableSet(new TreeSet<>()).result())
        .containsExactly(new Ordered.Rank(4), new Ordered.Rank(5));
  }

  @Test
  void anyCollectionArrivesAsAList() throws Throwable {
    Collection<String> arrived = onVertx.await(() -> program.ofCollection(new ArrayDeque<>(List.of("a"))));
    assertThat(arrived).isInstanceOf(List.class);
    arrived.add("b");
    SortedSet<String> set = onVertx.await(() -> program.ofSortedSet(new TreeSet<>()));
    set.add("c");
    assertThat(set).containsExactly("c");
  }
}
