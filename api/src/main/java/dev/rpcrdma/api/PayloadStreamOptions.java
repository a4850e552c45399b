// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import java.util.Objects;
import java.util.Optional;

/**
 * How a stream becomes payloads: at most {@code chunkSize * maxInFlight} bytes of it are in memory. Immutable.
 *
 * @param chunkSize the length of each payload but the last, in bytes, 1 to {@link Payload#MAX_LENGTH}
 * @param maxInFlight how many payloads there are at a time, at least 1; with 1 they are handled strictly one after
 *     the other
 * @param cancellation what can end the stream early; empty if nothing shall. Calls that the stream makes are given up
 *     with it if they are made with it too
 */
public record PayloadStreamOptions(int chunkSize, int maxInFlight, Optional<Cancellation> cancellation) {

  /** Payloads of 1 MiB, four at a time, not to be cancelled. */
  public static final PayloadStreamOptions DEFAULT = new PayloadStreamOptions(1 << 20, 4, Optional.empty());

  /** Checks the ranges. */
  public PayloadStreamOptions {
    Objects.requireNonNull(cancellation, "cancellation");
    if (chunkSize < 1 || chunkSize > Payload.MAX_LENGTH) {
      throw new IllegalArgumentException("chunkSize is 1 to " + Payload.MAX_LENGTH + " bytes, not " + chunkSize);
    }
    if (maxInFlight < 1) {
      throw new IllegalArgumentException("maxInFlight is 1 or more, not " + maxInFlight);
    }
  }

  /**
   * These options with another length of payloads.
   *
   * @param bytes 1 to {@link Payload#MAX_LENGTH}
   * @return a copy
   */
  public PayloadStreamOptions withChunkSize(int bytes) {
    return new PayloadStreamOptions(bytes, maxInFlight, cancellation);
  }

  /**
   * These options with another number of payloads at a time.
   *
   * @param payloads at least 1
   * @return a copy
   */
  public PayloadStreamOptions withMaxInFlight(int payloads) {
    return new PayloadStreamOptions(chunkSize, payloads, cancellation);
  }

  /**
   * These options with a cancellation.
   *
   * @param value ends streams that are begun with it, whenever its owner wants
   * @return a copy
   */
  public PayloadStreamOptions withCancellation(Cancellation value) {
    return new PayloadStreamOptions(chunkSize, maxInFlight, Optional.of(value));
  }
}
