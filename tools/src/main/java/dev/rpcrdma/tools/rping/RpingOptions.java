// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What a ping shall be like.
 *
 * @param count how many pings the client makes, 0 for no end; for a server how many its client must
 *     make at least
 * @param size bytes of each ping, for the client
 * @param verify whether to check every byte
 * @param timeout how long the other side may take for its part of a ping
 * @param output takes the data of each ping as a line
 */
public record RpingOptions(int count, int size, boolean verify, Duration timeout,
    Consumer<String> output) {

  /** Least bytes of a ping: {@code rping} insists on room for its largest number. */
  public static final int MIN_SIZE = 26;
  /** Most bytes of a ping: one less than the buffer of {@code rping}. */
  public static final int MAX_SIZE = 65_535;

  /** Pings of 64 bytes without end, not verified, silent, and ten seconds. */
  public static final RpingOptions DEFAULT =
      new RpingOptions(0, 64, false, Duration.ofSeconds(10), line -> { });

  /** Checks the ranges. */
  public RpingOptions {
    Objects.requireNonNull(output, "output");
    if (count < 0) {
      throw new IllegalArgumentException("The count must not be negative, and is " + count);
    }
    if (size < MIN_SIZE || size > MAX_SIZE) {
      throw new IllegalArgumentException("The size must be from " + MIN_SIZE + " to " + MAX_SIZE
          + ", and is " + size);
    }
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException("The timeout must be positive, and is " + timeout);
    }
  }

  /**
   * These options with another count and size, verified.
   *
   * @param pings how many
   * @param bytes of each
   * @return a copy
   */
  public RpingOptions verified(int pings, int bytes) {
    return new RpingOptions(pings, bytes, true, timeout, output);
  }

  /**
   * These options with another deadline.
   *
   * @param value for the other side's part of a ping
   * @return a copy
   */
  public RpingOptions withTimeout(Duration value) {
    return new RpingOptions(count, size, verify, value, output);
  }

  /**
   * These options with another output.
   *
   * @param value takes lines
   * @return a copy
   */
  public RpingOptions withOutput(Consumer<String> value) {
    return new RpingOptions(count, size, verify, timeout, value);
  }
}
