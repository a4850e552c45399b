// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Tries all orders of events of a {@link SmallWorld}, shortest first, each state once. Machines cannot be
 * copied, so each state is reached anew, from the beginning.
 */
final class Explorer {

  /**
   * What was found.
   *
   * @param states how many
   * @param depth after so many events every state is known
   * @param complete whether there are no others
   * @param violation the shortest path to a promise that is not kept
   */
  record Result(int states, int depth, boolean complete, Optional<String> violation) {

    @Override
    public String toString() {
      return states + " states, every order of " + depth + " events" + (complete ? ", complete" : "")
          + violation.map(path -> "\n" + path).orElse(", no promise broken");
    }
  }

  private final SmallPlan plan;
  private final BooleanSupplier enough;
  private final Set<StateHash.Value> known = new HashSet<>();

  /**
   * Creates one.
   *
   * @param enough tells when to stop, though there may be more
   */
  Explorer(SmallPlan plan, BooleanSupplier enough) {
    this.plan = plan;
    this.enough = enough;
  }

  /** One that stops at a number of states. */
  Explorer(SmallPlan plan, int states) {
    this.plan = plan;
    this.enough = () -> known.size() >= states;
  }

  Result explore() {
    ArrayDeque<int[]> frontier = new ArrayDeque<>();
    frontier.add(new int[0]);
    known.add(StateHash.of(new SmallWorld(plan)));
    int depth = 0;
    while (!frontier.isEmpty()) {
      int[] path = frontier.poll();
      depth = path.length;
      if (enough.getAsBoolean()) {
        return new Result(known.size(), depth, false, Optional.empty());
      }
      int events = replay(path).events().size();
      for (int i = 0; i < events; i++) {
        int[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = i;
        try {
          SmallWorld world = replay(longer);
          Optional<String> stalled = world.stalled(world.events());
          if (stalled.isPresent()) {
            throw new ExploredCall.Violation(stalled.get());
          }
          if (known.add(StateHash.of(world))) {
            frontier.add(longer);
          }
        } catch (AssertionError | RuntimeException e) {
          return new Result(known.size(), longer.length, false, Optional.of(describe(longer, e)));
        }
      }
    }
    return new Result(known.size(), depth, true, Optional.empty());
  }

  private SmallWorld replay(int[] path) {
    SmallWorld world = new SmallWorld(plan);
    for (int choice : path) {
      world.happen(world.events().get(choice));
    }
    return world;
  }

  private String describe(int[] path, Throwable broken) {
    List<String> lines = new ArrayList<>();
    SmallWorld world = new SmallWorld(plan);
    for (int i = 0; i < path.length; i++) {
      SmallWorld.Event event = world.events().get(path[i]);
      lines.add("  %2d. %s".formatted(i + 1, event.label().get()));
      if (i < path.length - 1) {
        world.happen(event);
      }
    }
    lines.add("  " + broken);
    return String.join("\n", lines);
  }
}
