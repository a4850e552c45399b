// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.service.processes.Outcome.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** For how long callers have had no answers when something happened to a server. */
final class Gaps {

  private Gaps() {}

  /** In milliseconds, in ascending order: for each incident and each loop the longest time between two answers. */
  static Map<Fault.Kind, List<Long>> of(List<Outcome> calls, List<Incident> incidents) {
    Collection<List<Long>> loops = calls.stream().filter(call -> call.result() == Result.ANSWERED)
        .sorted(Comparator.comparingLong(Outcome::ended))
        .collect(Collectors.groupingBy(Outcome::loop, Collectors.mapping(Outcome::ended, Collectors.toList())))
        .values();
    Map<Fault.Kind, List<Long>> gaps = new TreeMap<>();
    for (Incident incident : incidents) {
      loops.forEach(answers -> gaps.computeIfAbsent(incident.fault().kind(), kind -> new ArrayList<>())
          .add(TimeUnit.NANOSECONDS.toMillis(longest(answers, incident))));
    }
    gaps.values().forEach(list -> list.sort(null));
    return gaps;
  }

  private static long longest(List<Long> answers, Incident incident) {
    long longest = 0;
    for (int i = 1; i < answers.size(); i++) {
      if (answers.get(i) >= incident.began() && answers.get(i - 1) <= incident.over()) {
        longest = Math.max(longest, answers.get(i) - answers.get(i - 1));
      }
    }
    return longest;
  }

  static long percentile(List<Long> sorted, int percent) {
    return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }
}
