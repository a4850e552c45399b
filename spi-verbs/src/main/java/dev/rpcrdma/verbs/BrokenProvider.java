// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Vertx;
import java.util.List;

/**
 * A provider that could not be made.
 *
 * @param name of its class
 * @param cause what was thrown
 */
record BrokenProvider(String name, Throwable cause) implements VerbsProvider {

  /** Behind all others. */
  @Override
  public int priority() {
    return Integer.MIN_VALUE;
  }

  @Override
  public ProviderStatus probe() {
    return GuardedProvider.failed(cause);
  }

  @Override
  public List<Finding> examine() {
    return List.of(GuardedProvider.finding(name, cause));
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    throw GuardedProvider.unavailable(name, cause);
  }
}
