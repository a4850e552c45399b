// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import java.util.List;

/** The rpcbind of a host does not know where a version of a program is to be reached in the way that was asked for. */
public final class RpcNotRegisteredException extends RpcException {

  private static final long serialVersionUID = 1L;

  private final String[] netids;

  /**
   * Creates the exception.
   *
   * @param message what was asked for, and what there is instead
   * @param netids the netids that the version of the program is registered for
   */
  public RpcNotRegisteredException(String message, List<String> netids) {
    super(message, null, false);
    this.netids = netids.toArray(String[]::new);
  }

  /**
   * In which other ways it is to be reached.
   *
   * @return netids such as tcp; empty if the version of the program is not registered at all
   */
  public List<String> netids() {
    return List.of(netids);
  }
}
