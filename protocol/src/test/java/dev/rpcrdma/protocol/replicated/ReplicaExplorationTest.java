// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.replicated.ReplicaPlan.MapFault;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every order of what can happen to calls of several servers keeps what is promised of them. */
@Tag("large")
class ReplicaExplorationTest {

  private static final int STATES = 1_000_000;

  @ParameterizedTest(name = "nodes {0}, {1} slots of {2} calls, {3} deaths, {4} losses, {5} faults, giving up {6},"
      + " {7} refusals, large {8}")
  @CsvSource({
      "01, 1, 2, 1, 1, 1, 0, 0, false",
      "01, 1, 2, 1, 0, 2, 0, 0, false",
      "01, 1, 3, 0, 1, 0, 1, 0, false",
      "01, 1, 2, 0, 1, 0, 0, 1, false",
      "01, 1, 2, 0, 1, 1, 0, 1, false",
      "001, 1, 1, 1, 1, 1, 0, 0, false",
      "012, 1, 1, 1, 2, 1, 0, 0, false",
      "012, 1, 2, 2, 0, 0, 0, 0, true",
      "01, 2, 1, 1, 1, 0, 0, 0, false",
  })
  @DisplayName("Every order of messages, operations on the map, deaths, losses and failures")
  void everyOrder(String nodes, int slots, int calls, int deaths, int losses, int faults, int givingUp, int refusals,
      boolean large) {
    ReplicaPlan plan = new ReplicaPlan(nodes, slots, calls, deaths, losses, faults, givingUp, refusals, large,
        MapFault.NONE);
    long began = System.nanoTime();
    ReplicaExplorer.Result result = ReplicaExplorer.explore(plan, STATES);
    System.out.println(plan + ": " + result.states() + " states" + (result.complete() ? ", complete, " : ", ")
        + (System.nanoTime() - began) / 1_000_000 + " ms");
    assertThat(result.violation()).isEmpty();
    assertThat(result.complete()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(value = MapFault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  @DisplayName("A map that is not as it has to be is found out")
  void wrongMaps(MapFault fault) {
    ReplicaPlan plan = new ReplicaPlan("01", 1, 2, 0, 1, 0, 0, 0, false, fault);
    assertThat(ReplicaExplorer.explore(plan, STATES).violation()).isPresent();
  }
}
