// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What becomes of a server while it holds a call at a step.
 *
 * @param kind what is done to it
 * @param step where its call is
 */
record Fault(Kind kind, Step step) {

  /** What can be done to a server. */
  enum Kind {
    /** All processes have just begun, and take long for everything. */
    STARTED,
    /** SIGKILL. */
    KILLED,
    /** It takes itself back, finishes its calls and ends. */
    LEFT,
    /** SIGSTOP, until the others hold it to be dead, and SIGCONT. */
    HELD_UP
  }

  private static final Set<Kind> KINDS = EnumSet.of(Kind.KILLED, Kind.LEFT, Kind.HELD_UP);
  /** How many there are. */
  static final int COUNT = KINDS.size() * Step.values().length;

  /** All of them, in an order of the seed's. */
  static List<Fault> all(Random random) {
    List<Fault> faults = new ArrayList<>();
    for (Kind kind : KINDS) {
      for (Step step : Step.values()) {
        faults.add(new Fault(kind, step));
      }
    }
    Collections.shuffle(faults, random);
    return faults;
  }
}
