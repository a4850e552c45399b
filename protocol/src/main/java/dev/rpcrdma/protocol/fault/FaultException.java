// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fault;

/** A message that breaks RPC-over-RDMA. */
public final class FaultException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Fault fault;

  /**
   * Creates the exception.
   *
   * @param fault what kind
   * @param message what was wrong
   */
  public FaultException(Fault fault, String message) {
    // A peer decides how often this happens, so it is made cheap: no stack trace.
    super(message, null, false, false);
    this.fault = fault;
  }

  /**
   * What kind.
   *
   * @return the fault
   */
  public Fault fault() {
    return fault;
  }
}
