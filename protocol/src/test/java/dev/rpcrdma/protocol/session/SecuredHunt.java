// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

/** One seed of a world whose clients prove who they are, for those who load these classes with a bug in them. */
public final class SecuredHunt {

  private SecuredHunt() {}

  /**
   * Lives through a seed.
   *
   * @param seed decides everything
   */
  public static void live(long seed) {
    World.live(seed, WorldPlan.CUTS.secured(ToySecurity::new, 0));
  }
}
