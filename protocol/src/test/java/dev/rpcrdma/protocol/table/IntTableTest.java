// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class IntTableTest {

  private final IntTable<String> table = new IntTable<>();

  /** Few low bits and few high ones, so that XIDs push each other on, also around the end. */
  @RepeatedTest(50)
  void doesWhatAMapDoes(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    Map<Integer, String> map = new HashMap<>();
    for (int step = 0; step < 2000; step++) {
      int xid = random.nextInt(24) - 8 + (random.nextInt(3) << 20);
      if (map.containsKey(xid)) {
        assertThat(table.remove(xid)).isEqualTo(map.remove(xid));
      } else if (map.size() < repetition.getCurrentRepetition()) {
        table.put(xid, "call " + step);
        map.put(xid, "call " + step);
      }
      assertThat(table.get(xid)).isEqualTo(map.get(xid));
      assertThat(table.contains(xid)).isEqualTo(map.containsKey(xid));
      assertThat(table.size()).isEqualTo(map.size());
    }
    assertThat(table.all()).containsExactlyInAnyOrderElementsOf(map.values());
    map.forEach((xid, call) -> assertThat(table.get(xid)).isEqualTo(call));
  }

  @Test
  void knowsNothingAtFirstAndAfterClear() {
    assertThat(table.get(0)).isNull();
    assertThat(table.remove(0)).isNull();
    table.put(0, "zero");
    table.clear();
    assertThat(table.contains(0)).isFalse();
    assertThat(table.size()).isZero();
    assertThat(table.all()).isEmpty();
  }

  @Test
  void holdsOneForEachXid() {
    table.put(-1, "first");
    table.put(-1, "second");
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.isEmpty()).isFalse();
    assertThat(table.remove(-1, "first")).isFalse();
    assertThat(table.get(-1)).isEqualTo("second");
    assertThat(table.remove(-1, "second")).isTrue();
    assertThat(table.isEmpty()).isTrue();
  }
}
