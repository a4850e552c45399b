// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Looks for the seed that finds a bug. */
public final class MutantHunt {

  private static final int MOST = Integer.getInteger("rpcrdma.hunt", 2_000);

  private MutantHunt() {}

  /**
   * Runs a mutant through seeds until one finds it, and prints how many it took.
   *
   * @param by the class whose {@code live} takes a seed, and throws an AssertionError that names it
   */
  public static void find(Mutant mutant, String by) throws Exception {
    Class<?> hunt = Class.forName(by, true, new MutantLoader(mutant));
    Method live = hunt.getMethod("live", long.class);
    for (long seed = 0; seed < MOST; seed++) {
      try {
        live.invoke(null, seed);
      } catch (InvocationTargetException e) {
        System.out.println("Found within " + (seed + 1) + " seeds: " + mutant);
        assertThat(e.getCause()).isInstanceOf(AssertionError.class)
            .hasMessageContaining("Seed");
        return;
      }
    }
    throw new AssertionError("Not found within " + MOST + " seeds: " + mutant);
  }
}
