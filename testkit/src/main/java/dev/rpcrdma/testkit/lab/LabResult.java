// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

/**
 * How a command in the lab's machine has ended.
 *
 * @param status its exit status; 124 if it took too long, {@link #DIED} if the machine died
 * @param output what it wrote, errors included
 */
public record LabResult(int status, String output) {

  /** The exit status of a command whose machine died under it. */
  public static final int DIED = 125;

  /**
   * Expects the exit status 0.
   *
   * @return this
   * @throws AssertionError with the output, for any other status
   */
  public LabResult expectSuccess() {
    if (status != 0) {
      throw new AssertionError("Exit status " + status + " in the lab's machine: " + output);
    }
    return this;
  }
}
