package dev.rpcrdma.api;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a caller may decide for each call. Immutable.
 *
 * @param timeout how long to wait for the results, 1 ms to 1 day; empty for the channel's default
 * @param credentials who calls; empty for the channel's default
 * @param maxReply the largest results to make room for where the program cannot tell, in bytes; empty
 *     for the channel's default
 * @param cancellation what can give the call up before it has an outcome; empty if nothing shall
 */
public record CallOptions(
    Optional<Duration> timeout, Optional<OpaqueAuth> credentials, OptionalInt maxReply,
    Optional<Cancellation> cancellation) {

  /** The channel's defaults. */
  public static final CallOptions DEFAULT =
      new CallOptions(Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());

  /** Checks the ranges. */
  public CallOptions {
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(cancellation, "cancellation");
    timeout.ifPresent(value -> RpcOptions.duration("timeout", value));
    maxReply.ifPresent(value -> {
      if (value < 0) {
        throw new IllegalArgumentException("A reply's bound must not be negative: " + value);
      }
    });
  }

  /**
   * These options with another timeout.
   *
   * @param value how long to wait for the results, 1 ms to 1 day
   * @return a copy
   */
  public CallOptions withTimeout(Duration value) {
    return new CallOptions(Optional.of(value), credentials, maxReply, cancellation);
  }

  /**
   * These options with other credentials.
   *
   * @param value who calls
   * @return a copy
   */
  public CallOptions withCredentials(OpaqueAuth value) {
    return new CallOptions(timeout, Optional.of(value), maxReply, cancellation);
  }

  /**
   * These options with another bound of unpredictable results.
   *
   * @param bytes the largest results to make room for
   * @return a copy
   */
  public CallOptions withMaxReply(int bytes) {
    return new CallOptions(timeout, credentials, OptionalInt.of(bytes), cancellation);
  }

  /**
   * These options with another cancellation.
   *
   * @param value gives up the calls that are made with it, whenever its owner wants
   * @return a copy
   */
  public CallOptions withCancellation(Cancellation value) {
    return new CallOptions(timeout, credentials, maxReply, Optional.of(value));
  }
}
