// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients and servers, both directions, over connections that are lost. Whatever happens: each call has
 * one outcome, which is that of its own execution; none is executed twice unless it is idempotent; one
 * that is said not to have been sent was not executed.
 */
@Tag("seeded")
class RecoverySimulationTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.worlds", 3_000);

  @Test
  @DisplayName("R-047 R-159 R-221 R-233 B-095 B-096 B-098: losses of connections lose no call")
  void cuts() {
    run(WorldPlan.CUTS);
  }

  @Test
  @DisplayName("R-033 R-236: each direction goes on while the other's services are stuck")
  void starving() {
    run(WorldPlan.starving(1));
    run(WorldPlan.starving(2));
  }

  @Test
  @DisplayName("R-234 B-093 B-099: losses, restarts, refusals, impatience, failing memory, all at once")
  void everything() {
    run(WorldPlan.EVERYTHING);
  }

  @Test
  @DisplayName("R-159 R-222: few slots, calls that are pulled for long, and messages of connections that their"
      + " clients have given up")
  void narrow() {
    run(WorldPlan.NARROW);
  }

  @Test
  @DisplayName("R-159 R-233: from one server to another and back, and connections that arrive in another order")
  void wandering() {
    run(WorldPlan.WANDERING);
  }

  @Test
  @DisplayName("R-159: many more calls than slots, among losses")
  void traffic() {
    for (long seed = 0; seed < SEEDS / 20; seed++) {
      World.live(seed, WorldPlan.TRAFFIC);
    }
  }

  @Test
  @DisplayName("A seed that has failed once fails again: nothing but the seed decides")
  void seedsDecide() {
    for (WorldPlan plan : new WorldPlan[] {WorldPlan.CUTS, WorldPlan.EVERYTHING}) {
      for (long seed = 0; seed < Math.min(SEEDS, 500); seed++) {
        assertThat(World.live(seed, plan)).as("seed %d of %s", seed, plan)
            .isEqualTo(World.live(seed, plan));
      }
    }
  }

  private static void run(WorldPlan plan) {
    for (long seed = 0; seed < SEEDS; seed++) {
      World.live(seed, plan);
    }
  }
}
