// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import java.time.Duration;

/**
 * How an rpcbind is asked. Immutable.
 *
 * @param timeout how long an answer may take, connecting included; 1 ms to 1 day
 * @param maxReply how long an answer may be, in bytes; 1024 to 64 MiB
 */
public record RpcbindOptions(Duration timeout, int maxReply) {

  /** 5 s, and 1 MiB. */
  public static final RpcbindOptions DEFAULT = new RpcbindOptions(Duration.ofSeconds(5), 1 << 20);

  /** Checks the ranges. */
  public RpcbindOptions {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("timeout is 1 ms to 1 day, not " + timeout);
    }
    if (maxReply < 1024 || maxReply > 64 << 20) {
      throw new IllegalArgumentException("maxReply is 1024 bytes to 64 MiB, not " + maxReply);
    }
  }

  /**
   * These options with another timeout.
   *
   * @param value 1 ms to 1 day
   * @return a copy
   */
  public RpcbindOptions withTimeout(Duration value) {
    return new RpcbindOptions(value, maxReply);
  }

  /**
   * These options with another bound of answers.
   *
   * @param bytes 1024 to 64 MiB
   * @return a copy
   */
  public RpcbindOptions withMaxReply(int bytes) {
    return new RpcbindOptions(timeout, bytes);
  }
}
