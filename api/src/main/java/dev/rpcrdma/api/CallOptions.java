package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a caller may decide for each call. Immutable.
 *
 * @param timeout how long to wait for the results; empty for the channel's default
 * @param credentials who calls; empty for the channel's default
 * @param maxReply the largest results to make room for where the program cannot tell, in bytes; empty
 *     for the channel's default
 */
public record CallOptions(
    Optional<Duration> timeout, Optional<OpaqueAuth> credentials, OptionalInt maxReply) {

  /** The channel's defaults. */
  public static final CallOptions DEFAULT =
      new CallOptions(Optional.empty(), Optional.empty(), OptionalInt.empty());

  /** Checks the ranges. */
  public CallOptions {
    Objects.requireNonNull(credentials, "credentials");
    timeout.ifPresent(value -> {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException("A call's timeout must be positive: " + value);
      }
    });
    maxReply.ifPresent(value -> {
      if (value < 0) {
        throw new IllegalArgumentException("A reply's bound must not be negative: " + value);
      }
    });
  }

  /**
   * These options with another timeout.
   *
   * @param value how long to wait for the results
   * @return a copy
   */
  public CallOptions withTimeout(Duration value) {
    return new CallOptions(Optional.of(value), credentials, maxReply);
  }

  /**
   * These options with other credentials.
   *
   * @param value who calls
   * @return a copy
   */
  public CallOptions withCredentials(OpaqueAuth value) {
    return new CallOptions(timeout, Optional.of(value), maxReply);
  }

  /**
   * These options with another bound of unpredictable results.
   *
   * @param bytes the largest results to make room for
   * @return a copy
   */
  public CallOptions withMaxReply(int bytes) {
    return new CallOptions(timeout, credentials, OptionalInt.of(bytes));
  }
}
