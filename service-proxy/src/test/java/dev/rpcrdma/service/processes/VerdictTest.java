// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.service.processes.Outcome.Kind;
import dev.rpcrdma.service.processes.Outcome.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@link DyingServersTest} finds. Each test but the first fails if its check in {@link Verdict} is left out. */
class VerdictTest {

  private static final Incident KILLED = new Incident(new Fault(Fault.Kind.KILLED, Step.BEFORE_CLAIM), 100, 200);
  private static final Incident LEFT = new Incident(new Fault(Fault.Kind.LEFT, Step.BEFORE_CLAIM), 300, 400);

  private static Outcome call(long number, Kind kind, Result result, long began) {
    return new Outcome(number, 0, kind, result, began, began + 10, "-");
  }

  private static List<String> faults(List<Long> executed, List<Long> told, int made, Outcome... calls) {
    return new Verdict(executed, told, List.of(KILLED, LEFT)).faults(List.of(calls), made);
  }

  @Test
  @DisplayName("Calls that were answered, and calls that failed when a server died")
  void right() {
    assertThat(faults(List.of(1L, 2L, 3L, 9L), List.of(2L), 6,
        call(1, Kind.ADD, Result.ANSWERED, 10), call(2, Kind.TELL, Result.ANSWERED, 150),
        call(3, Kind.ADD_HERE, Result.MAYBE_EXECUTED, 195), call(4, Kind.ADD, Result.MAYBE_EXECUTED, 95),
        call(5, Kind.ADD, Result.NOT_EXECUTED, 190), call(6, Kind.LOOK, Result.ANSWERED, 300))).isEmpty();
  }

  @Test
  void lost() {
    assertThat(faults(List.of(1L), List.of(), 2, call(1, Kind.ADD, Result.ANSWERED, 10)))
        .containsExactly("2 calls, and 1 outcomes");
  }

  @Test
  void executedTwice() {
    assertThat(faults(List.of(1L, 1L), List.of(), 1, call(1, Kind.ADD, Result.MAYBE_EXECUTED, 150)))
        .containsExactly("1 was executed 2 times");
  }

  @Test
  void answeredAndNotExecuted() {
    assertThat(faults(List.of(), List.of(), 1, call(1, Kind.ADD, Result.ANSWERED, 10))).hasSize(1)
        .allMatch(fault -> fault.startsWith("Not executed"));
  }

  @Test
  void executedAlthoughItSaysThatItWasNot() {
    assertThat(faults(List.of(1L), List.of(), 1, call(1, Kind.ADD, Result.NOT_EXECUTED, 150))).hasSize(1)
        .allMatch(fault -> fault.startsWith("Executed"));
  }

  @Test
  void toldTwiceOrOfNothing() {
    assertThat(faults(List.of(1L, 2L), List.of(1L, 1L, 3L), 2, call(1, Kind.TELL, Result.ANSWERED, 10),
        call(2, Kind.TELL, Result.ANSWERED, 10))).containsExactlyInAnyOrder("1 was told 2 times", "3 was told 1 times");
  }

  @Test
  void failedWithoutNeed() {
    assertThat(faults(List.of(), List.of(), 2, call(1, Kind.ADD, Result.NOT_EXECUTED, 350),
        call(2, Kind.ADD, Result.NOT_EXECUTED, 201))).hasSize(2)
        .allMatch(fault -> fault.startsWith("Failed, though no server died"));
  }

  @Test
  void lookedInVain() {
    assertThat(faults(List.of(), List.of(), 1, call(1, Kind.LOOK, Result.NOT_EXECUTED, 150))).hasSize(1)
        .allMatch(fault -> fault.startsWith("A call that only looks"));
  }

  @Test
  void wrongAnswer() {
    assertThat(faults(List.of(1L), List.of(), 1, call(1, Kind.ADD, Result.WRONG, 150))).hasSize(1)
        .allMatch(fault -> fault.startsWith("An outcome that there is not"));
  }

  @Test
  @DisplayName("A gap is the longest time between two answers of one loop, if it touches the time of the incident")
  void gaps() {
    long ms = 1_000_000;
    Incident incident = new Incident(KILLED.fault(), 100 * ms, 200 * ms);
    List<Outcome> calls = List.of(call(1, Kind.ADD, Result.ANSWERED, 0), call(2, Kind.ADD, Result.ANSWERED, 90 * ms),
        call(3, Kind.ADD, Result.MAYBE_EXECUTED, 120 * ms), call(4, Kind.ADD, Result.ANSWERED, 150 * ms),
        call(5, Kind.ADD, Result.ANSWERED, 170 * ms), call(6, Kind.ADD, Result.ANSWERED, 1000 * ms),
        call(7, Kind.ADD, Result.ANSWERED, 5000 * ms));
    assertThat(Gaps.of(calls, List.of(incident))).isEqualTo(Map.of(Fault.Kind.KILLED, List.of(830L)));
    assertThat(Gaps.of(calls.subList(0, 5), List.of(incident))).isEqualTo(Map.of(Fault.Kind.KILLED, List.of(60L)));
  }
}
