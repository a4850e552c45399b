// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.simulation;

import dev.rpcrdma.protocol.session.World;
import dev.rpcrdma.protocol.session.WorldPlan;

/** One seed of each kind of world with RPCSEC_GSS, for those who load these classes with a bug in them. */
public final class GssHunt {

  private GssHunt() {}

  /**
   * Lives through a seed.
   *
   * @param seed decides everything
   */
  public static void live(long seed) {
    if (seed % 4 == 0) {
      World.live(seed, WorldPlan.CUTS.secured(GssWorld::new, 0));
    }
    World.live(seed, WorldPlan.PURSUED.secured(GssWorld::new, 300));
  }
}
