// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

/** One seed of each kind of world, for those who load these classes with a bug in them. */
public final class Hunt {

  private Hunt() {}

  /**
   * Lives through a seed.
   *
   * @param seed decides everything
   */
  public static void live(long seed) {
    World.live(seed, WorldPlan.CUTS);
    World.live(seed, WorldPlan.EVERYTHING);
    World.live(seed, WorldPlan.NARROW);
    World.live(seed, WorldPlan.WANDERING);
    World.live(seed, WorldPlan.starving(1 + (int) (seed & 1)));
    if (seed % 10 == 0) {
      World.live(seed, WorldPlan.TRAFFIC);
    }
  }
}
