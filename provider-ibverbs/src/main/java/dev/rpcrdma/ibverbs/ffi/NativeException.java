// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

/** A function of rdma-core has failed. */
public final class NativeException extends Exception {

  private static final long serialVersionUID = 1;

  private final String function;
  private final int errno;

  /**
   * Creates one.
   *
   * @param function in the C convention
   * @param errno why, of either sign; 0 if it does not say
   */
  public NativeException(String function, int errno) {
    super(function + ": " + Errno.text(Math.abs(errno)), null, false, false);
    this.function = function;
    this.errno = Math.abs(errno);
  }

  /** Why: a number of {@link Errno}, or any other; 0 if the function does not say. */
  public int errno() {
    return errno;
  }

  /** Which function, in the C convention. */
  public String function() {
    return function;
  }
}
