// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

/**
 * Bounds of what a server keeps for its clients' contexts.
 *
 * @param contexts how many contexts stand at once; the one that was not used for longest goes before there are more
 * @param unfinished how many are being made at once; the oldest goes before there are more
 * @param window how many sequence numbers back calls are taken
 * @param unfinishedNanos for how long one may be made
 */
public record GssServerSettings(int contexts, int unfinished, int window, long unfinishedNanos) {

  /** Checks the bounds. */
  public GssServerSettings {
    if (contexts < 1 || unfinished < 1 || window < 1 || unfinishedNanos < 1) {
      throw new IllegalArgumentException("Bounds of contexts are at least 1");
    }
  }
}
