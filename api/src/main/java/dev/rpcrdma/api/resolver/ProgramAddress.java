// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.binding.ProgramNames;
import io.vertx.core.net.Address;

/**
 * A version of a program: all servers in the cluster that serve it.
 *
 * @param program the program's number, unsigned
 * @param version its version, unsigned
 */
public record ProgramAddress(int program, int version) implements Address {

  /**
   * A version of a program.
   *
   * @param program the program's number, unsigned
   * @param version its version, unsigned
   * @return the address
   */
  public static ProgramAddress of(int program, int version) {
    return new ProgramAddress(program, version);
  }

  /**
   * The program of an annotated interface.
   *
   * @param type the interface
   * @return the address
   * @throws IllegalArgumentException if it has no binding, with what to do about it
   */
  public static ProgramAddress of(Class<?> type) {
    var binding = ServiceBinding.of(type).upperLayerBinding();
    return new ProgramAddress(binding.program(), binding.version());
  }

  @Override
  public String toString() {
    return ProgramNames.version(ProgramNames.number(program), program, version);
  }
}
