// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import java.util.List;

/** The worlds that are explored by those who load these classes with a bug in them. */
public final class ExploreHunt {

  private static final List<SmallPlan> PLANS = List.of(
      new SmallPlan(3, "ooo", 1, 1, 0, 0, false, false),
      new SmallPlan(2, "aa", 1, 1, 0, 0, false, false),
      new SmallPlan(3, "Ooo", 1, 1, 0, 0, false, true),
      new SmallPlan(2, "oo", 1, 1, 1, 0, false, false));

  private ExploreHunt() {}

  /**
   * Explores them.
   *
   * @param states of each, at most
   * @return the first path to a promise that is not kept; null if there is none
   */
  public static String find(int states) {
    for (SmallPlan plan : PLANS) {
      Explorer explorer = new Explorer(plan, states);
      Explorer.Result result = explorer.explore();
      if (result.violation().isPresent()) {
        return plan + "\n" + result;
      }
    }
    return null;
  }
}
