// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

/** How fast something was. */
final class Rate {

  private Rate() {}

  /** 10^6 bytes per second. */
  static double megabytesPerSecond(long bytes, long nanos) {
    return bytes * 1000.0 / Math.max(1, nanos);
  }
}
