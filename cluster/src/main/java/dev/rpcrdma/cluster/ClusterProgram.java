// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.protocol.binding.ProgramNames;
import java.util.Objects;

/**
 * A version of a program that a server has said it serves.
 *
 * @param name the program's, for people
 * @param program its number, unsigned
 * @param version its version, unsigned
 */
public record ClusterProgram(String name, int program, int version) {

  /** Checks that there is a name. */
  public ClusterProgram {
    Objects.requireNonNull(name, "name");
  }

  @Override
  public String toString() {
    return ProgramNames.version(name, program, version);
  }
}
