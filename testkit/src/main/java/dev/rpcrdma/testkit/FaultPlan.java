// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * Which steps of a device {@link FaultyProvider} lets fail. Counts all steps, so that a test can run
 * once without a fault and then once for each step. Safe for several threads.
 */
public final class FaultPlan {

  /** What can fail. */
  public enum Step {
    /** A Send, Write or Read is posted: the connection is lost in its place. */
    POST,
    /** Memory is exposed: the answer is a failure. */
    EXPOSE,
    /** Memory is registered: it is refused. */
    REGISTER
  }

  private final Step failing;
  private final IntPredicate which;
  private final Map<Step, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final AtomicInteger faults = new AtomicInteger();

  private FaultPlan(Step failing, IntPredicate which) {
    this.failing = failing;
    this.which = which;
    for (Step step : Step.values()) {
      counts.put(step, new AtomicInteger());
    }
  }

  /**
   * No faults: only counts.
   *
   * @return a new plan
   */
  public static FaultPlan none() {
    return new FaultPlan(Step.POST, n -> false);
  }

  /**
   * One fault.
   *
   * @param step what fails
   * @param n which of them, from 1, on all connections of the device together
   * @return a new plan
   */
  public static FaultPlan at(Step step, int n) {
    return new FaultPlan(Objects.requireNonNull(step, "step"), count -> count == n);
  }

  /**
   * Faults now and then, the same ones for the same seed and order of steps.
   *
   * @param step what fails
   * @param seed where the randomness starts
   * @param oneIn how many steps there are for one fault, on average
   * @return a new plan
   */
  public static FaultPlan random(Step step, long seed, int oneIn) {
    Random random = new Random(seed);
    return new FaultPlan(Objects.requireNonNull(step, "step"), n -> random.nextInt(oneIn) == 0);
  }

  /**
   * A step is due.
   *
   * @return whether it fails
   */
  boolean fails(Step step) {
    int n = counts.get(step).incrementAndGet();
    boolean fails = step == failing && which.test(n);
    if (fails) {
      faults.incrementAndGet();
    }
    return fails;
  }

  /**
   * How many steps of a kind there were.
   *
   * @param step the kind
   * @return the count, failed ones included
   */
  public int count(Step step) {
    return counts.get(step).get();
  }

  /**
   * How many faults there were.
   *
   * @return the count
   */
  public int faults() {
    return faults.get();
  }
}
