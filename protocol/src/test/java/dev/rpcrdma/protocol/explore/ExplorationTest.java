// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every order of what can happen to a few calls keeps what is promised of them. */
@Tag("seeded")
class ExplorationTest {

  /** For all worlds together. */
  private static final long SECONDS = Integer.getInteger("rpcrdma.exploreSeconds", 20);
  private static final int WORLDS = 16;
  /** Worlds that are small leave their time to the others. */
  private static long nanosLeft = TimeUnit.SECONDS.toNanos(SECONDS);
  private static int worldsLeft = WORLDS;

  @ParameterizedTest(name = "{0} by {1} credits, {2} cuts, {3} restarts, {4} time-outs, giving up {5},"
      + " late memory {6}")
  @CsvSource({
      "oo, 1, 2, 0, 0, false, false",
      "ooo, 1, 1, 0, 0, false, false",
      "Oo, 1, 2, 0, 0, false, false",
      "oa, 1, 1, 0, 0, true, false",
      "oOo, 2, 1, 0, 0, false, false",
      "olo, 1, 1, 1, 0, false, false",
      "Oo, 1, 1, 0, 3, false, false",
      "OA, 2, 2, 0, 0, false, true",
      "pp, 1, 1, 0, 0, true, false",
      "pp, 2, 2, 0, 0, false, true",
      "p, 1, 1, 0, 3, true, false",
      "Ooo, 1, 1, 0, 0, true, false",
      "ooo, 1, 2, 0, 0, true, false",
      "w, 1, 0, 0, 0, true, false",
      "Ww, 2, 0, 0, 0, true, true",
      "ww, 2, 1, 0, 2, true, false",
  })
  @DisplayName("R-159 R-221 R-222 R-233: every order of messages, memory, services, losses, restarts and time")
  void everyOrder(String kinds, int credits, int cuts, int restarts, int timeOuts, boolean givingUp,
      boolean lateMemory) {
    SmallPlan plan = new SmallPlan(kinds.length(), kinds, credits, cuts, restarts, timeOuts, givingUp,
        lateMemory);
    long begin = System.nanoTime();
    long end = begin + nanosLeft / worldsLeft--;
    Explorer.Result result = new Explorer(plan, () -> System.nanoTime() - end >= 0).explore();
    System.out.println(plan + ": " + result);
    nanosLeft -= System.nanoTime() - begin;
    assertThat(result.violation()).isEmpty();
  }
}
