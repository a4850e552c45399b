// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

/** One seed of each kind of {@link SimulationTest}, for those who load these classes with a bug in them. */
public final class SimulationHunt {

  private SimulationHunt() {}

  /**
   * Lives through a seed.
   *
   * @param seed decides everything
   */
  public static void live(long seed) {
    SimulationTest test = new SimulationTest();
    test.run(seed, SimulatedFabric.Faults.NONE, 0, 0);
    test.run(seed, new SimulatedFabric.Faults(4, 10, 10, 200), 0, 0);
    test.run(seed, new SimulatedFabric.Faults(1, 10, 10, 200), 100, 100);
  }
}
