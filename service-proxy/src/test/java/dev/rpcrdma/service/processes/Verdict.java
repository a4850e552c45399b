// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.service.processes.Outcome.Kind;
import dev.rpcrdma.service.processes.Outcome.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds what clients have seen against what servers have done. */
final class Verdict {

  private final Map<Long, Integer> executions;
  private final Map<Long, Integer> told;
  private final List<Incident> incidents;
  private final List<String> faults = new ArrayList<>();

  /**
   * A verdict.
   *
   * @param executed numbers of calls, once for each execution, by all servers
   * @param told numbers of calls of which their callers were told, once for each time
   * @param incidents what happened to servers
   */
  Verdict(List<Long> executed, List<Long> told, List<Incident> incidents) {
    this.executions = counted(executed);
    this.told = counted(told);
    this.incidents = incidents;
  }

  private static Map<Long, Integer> counted(List<Long> numbers) {
    Map<Long, Integer> counts = new HashMap<>();
    numbers.forEach(number -> counts.merge(number, 1, Integer::sum));
    return counts;
  }

  /**
   * What is wrong; empty if nothing is.
   *
   * @param made how many calls clients have made
   */
  List<String> faults(List<Outcome> calls, long made) {
    faults.clear();
    check(calls.size() == made, made + " calls, and " + calls.size() + " outcomes");
    executions.forEach((number, count) -> check(count == 1, number + " was executed " + count + " times"));
    told.forEach((number, count) -> check(count == 1 && executions.containsKey(number),
        number + " was told " + count + " times"));
    calls.forEach(this::check);
    return List.copyOf(faults);
  }

  private void check(Outcome call) {
    int executed = executions.getOrDefault(call.number(), 0);
    check(call.result() != Result.WRONG, "An outcome that there is not: " + call);
    check(call.kind() != Kind.LOOK || call.result() == Result.ANSWERED, "A call that only looks has failed: " + call);
    check(call.kind() == Kind.LOOK || call.result() != Result.ANSWERED || executed == 1, "Not executed: " + call);
    check(call.result() != Result.NOT_EXECUTED || executed == 0, "Executed: " + call);
    check(call.result() == Result.ANSWERED || incidents.stream()
        .anyMatch(incident -> incident.fault().kind() != Fault.Kind.LEFT && incident.overlaps(call)),
        "Failed, though no server died: " + call);
  }

  private void check(boolean right, String wrong) {
    if (!right) {
      faults.add(wrong);
    }
  }
}
