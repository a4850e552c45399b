// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import java.time.Duration;

/**
 * What a server of MOUNT grants to whoever connects.
 *
 * @param idle how long a connection lives without a whole call, or with answers that it does not take; at
 *     least a millisecond
 * @param connections how many there are at a time
 * @param perAddress how many of them come from one address, so that one machine cannot lock others out
 */
public record MountLimits(Duration idle, int connections, int perAddress) {

  /** 30 seconds, 256 connections, 16 from one address. */
  public static final MountLimits DEFAULT = new MountLimits(Duration.ofSeconds(30), 256, 16);

  /** Checks the ranges. */
  public MountLimits {
    if (idle.toMillis() < 1 || connections < 1 || perAddress < 1) {
      throw new IllegalArgumentException("Limits must be positive: " + idle + ", " + connections
          + ", " + perAddress);
    }
  }
}
