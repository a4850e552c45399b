// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tries all orders of events of a {@link ReplicaWorld}, shortest first, each state once. */
final class ReplicaExplorer {

  /**
   * What was found.
   *
   * @param states how many
   * @param complete whether there are no others
   * @param violation the shortest path to a promise that is not kept
   */
  record Result(int states, boolean complete, Optional<String> violation) {}

  private record Path(Path before, String label, ReplicaWorld world) {}

  private ReplicaExplorer() {}

  static Result explore(ReplicaPlan plan, int most) {
    Set<Object> known = new HashSet<>();
    ArrayDeque<Path> frontier = new ArrayDeque<>();
    ReplicaWorld first = new ReplicaWorld(plan);
    known.add(first.key());
    frontier.add(new Path(null, "", first));
    while (!frontier.isEmpty()) {
      Path path = frontier.poll();
      if (known.size() >= most) {
        return new Result(known.size(), false, Optional.empty());
      }
      List<ReplicaWorld.Next> next;
      try {
        next = path.world.next();
        String stalled = path.world.stalled(next);
        if (stalled != null) {
          throw new ReplicaWorld.Violation(stalled);
        }
      } catch (ReplicaWorld.Violation e) {
        return new Result(known.size(), false, Optional.of(describe(path, e)));
      }
      for (ReplicaWorld.Next each : next) {
        if (known.add(each.world().key())) {
          frontier.add(new Path(path, each.label(), each.world()));
        }
      }
    }
    return new Result(known.size(), true, Optional.empty());
  }

  private static String describe(Path path, ReplicaWorld.Violation broken) {
    List<String> lines = new ArrayList<>();
    for (Path each = path; each.before != null; each = each.before) {
      lines.add("  " + each.label);
    }
    Collections.reverse(lines);
    lines.add("  then: " + broken.getMessage());
    return String.join("\n", lines);
  }
}
