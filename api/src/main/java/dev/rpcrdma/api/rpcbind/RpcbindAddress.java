// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import dev.rpcrdma.protocol.binding.ProgramNames;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import java.util.Objects;

/**
 * A version of a program on a host, which the host's rpcbind knows the port of. {@link
 * dev.rpcrdma.api.RpcClient#channel(Address)} takes it without a resolver. The rpcbind is asked by {@link
 * Rpcbind#locate} before the channel connects first, and again by calls that are made more than 30 s after it has
 * answered last; while it does not answer, what it said last is used on. If nobody has called for 5 s beyond that, the
 * next call waits for it, and fails if it does not answer. A channel to what is not registered fails with {@link
 * dev.rpcrdma.api.RpcConnectException}, whose cause is a {@link dev.rpcrdma.api.RpcNotRegisteredException}.
 *
 * @param rpcbind where the rpcbind listens
 * @param program the program's number, unsigned
 * @param version its version, unsigned
 */
public record RpcbindAddress(SocketAddress rpcbind, int program, int version) implements Address {

  /** Checks that nothing is missing. */
  public RpcbindAddress {
    Objects.requireNonNull(rpcbind, "rpcbind");
  }

  /**
   * A version of a program on a host whose rpcbind listens at port 111.
   *
   * @param host its name or address
   * @param program the program's number, unsigned
   * @param version its version, unsigned
   * @return the address
   */
  public static RpcbindAddress of(String host, int program, int version) {
    return new RpcbindAddress(SocketAddress.inetSocketAddress(RpcbindProgram.PORT, host), program, version);
  }

  @Override
  public String toString() {
    return ProgramNames.version(ProgramNames.number(program), program, version) + " by the rpcbind at " + rpcbind;
  }
}
