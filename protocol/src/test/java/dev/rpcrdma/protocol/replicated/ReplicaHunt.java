// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import dev.rpcrdma.protocol.replicated.ReplicaPlan.MapFault;
import java.util.List;

/** The worlds that are explored by those who load these classes with a bug in them. */
public final class ReplicaHunt {

  private static final List<ReplicaPlan> PLANS = List.of(
      new ReplicaPlan("01", 1, 2, 0, 1, 0, 0, 1, false, MapFault.NONE),
      new ReplicaPlan("01", 1, 1, 1, 1, 1, 0, 0, false, MapFault.NONE),
      new ReplicaPlan("01", 1, 2, 0, 1, 1, 0, 0, false, MapFault.NONE),
      new ReplicaPlan("01", 1, 2, 0, 1, 0, 1, 0, true, MapFault.NONE));

  private ReplicaHunt() {}

  /**
   * Explores them.
   *
   * @param states of each, at most
   * @return the first path to a promise that is not kept; null if there is none
   */
  public static String find(int states) {
    for (ReplicaPlan plan : PLANS) {
      ReplicaExplorer.Result result = ReplicaExplorer.explore(plan, states);
      if (result.violation().isPresent()) {
        return plan + "\n" + result.violation().get();
      }
    }
    return null;
  }
}
