// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows that the simulation finds bugs: each mutant lives through seeds until it is found out. Prints
 * how many it took.
 */
@Tag("large")
class HuntTest {

  private static final int STATES = Integer.getInteger("rpcrdma.huntStates", 20_000);

  static List<Mutant> mutants() {
    return Mutants.ALL;
  }

  static List<Mutant> explored() {
    return Mutants.EXPLORED;
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("Exploration finds")
  @MethodSource("explored")
  void foundByExploration(Mutant mutant) throws Exception {
    Class<?> hunt = Class.forName("dev.rpcrdma.protocol.explore.ExploreHunt", true,
        new MutantLoader(mutant));
    Object found = hunt.getMethod("find", int.class).invoke(null, STATES);
    assertThat(found).as("%s, within %d states of each world", mutant, STATES).isNotNull();
    System.out.println("Found by exploration: " + mutant + "\n" + found);
  }

  static List<Mutant> connections() {
    return Mutants.CONNECTIONS;
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("The simulation finds")
  @MethodSource("mutants")
  void found(Mutant mutant) throws Exception {
    MutantHunt.find(mutant, "dev.rpcrdma.protocol.session.Hunt");
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("The simulation of single connections finds")
  @MethodSource("connections")
  void foundOnConnections(Mutant mutant) throws Exception {
    MutantHunt.find(mutant, "dev.rpcrdma.protocol.connection.SimulationHunt");
  }

  static List<Mutant> secured() {
    return Mutants.SECURED;
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("The simulation of protected calls finds")
  @MethodSource("secured")
  void foundBySecured(Mutant mutant) throws Exception {
    MutantHunt.find(mutant, "dev.rpcrdma.protocol.session.SecuredHunt");
  }
}
