// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * What one end of a transport decides for its calls.
 *
 * @param timeout how long calls wait that do not say so, or how long services may take; 1 ms to 1 day
 * @param credentials of calls that say nothing of who makes them
 * @param tracing whether calls have spans
 * @param maxCalls how many calls may be without an outcome at once; one more is refused
 */
public record TransportOptions(Duration timeout, OpaqueAuth credentials, TracingPolicy tracing, int maxCalls) {

  /** Checks the bound. */
  public TransportOptions {
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(tracing, "tracing");
    if (maxCalls < 1) {
      throw new IllegalArgumentException("maxCalls is at least 1, not " + maxCalls);
    }
  }
}
