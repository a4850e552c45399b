// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.simulation;

import dev.rpcrdma.protocol.session.World;
import dev.rpcrdma.protocol.session.WorldPlan;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that call by RPCSEC_GSS, over connections that are lost, and servers that forget contexts: no caller notices,
 * and no call is dropped by a window. With somebody on the path calls may fail; none is executed twice, and no reply is
 * taken for that to another one.
 */
@Tag("seeded")
class GssWorldTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.worlds", 3_000) / 3;

  @Test
  @DisplayName("R-334: losses of connections, and contexts that are forgotten, lose no call")
  void cuts() {
    run(WorldPlan.CUTS.secured(GssWorld::new, 0));
  }

  @Test
  @DisplayName("R-334, R-222: more calls than there are credits and slots, whose refused ones wait for sequence numbers")
  void traffic() {
    run(WorldPlan.TRAFFIC.secured(GssWorld::new, 0));
  }

  @Test
  @DisplayName("R-334: losses, restarts, refusals, impatience, failing memory, all at once")
  void everything() {
    run(WorldPlan.EVERYTHING.secured(GssWorld::new, 0));
  }

  @Test
  @DisplayName("R-334: messages that are held back, repeated, changed, or passed off as others, have nothing executed"
      + " twice, and answer no call but their own")
  void onPath() {
    run(WorldPlan.PURSUED.secured(GssWorld::new, 100));
  }

  private static void run(WorldPlan plan) {
    for (long seed = 0; seed < SEEDS; seed++) {
      World.live(seed, plan);
    }
  }
}
