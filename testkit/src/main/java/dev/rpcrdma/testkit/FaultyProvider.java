// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;

/**
 * Lets steps of any provider fail as a {@link FaultPlan} says: connections are lost at a post,
 * exposures fail, registrations are refused. All of it is within the contract, so who uses a device
 * must cope: each call ends, nothing hangs, nothing stays behind.
 *
 * <p>To have completions come late as well, wrap a {@link DelayedCompletions}.
 */
public final class FaultyProvider implements VerbsProvider {

  private final VerbsProvider delegate;
  private final FaultPlan plan;

  /**
   * Wraps a provider.
   *
   * @param delegate does the work
   * @param plan which steps fail, on all devices opened from here
   */
  public FaultyProvider(VerbsProvider delegate, FaultPlan plan) {
    this.delegate = delegate;
    this.plan = plan;
  }

  @Override
  public String name() {
    return delegate.name();
  }

  @Override
  public int priority() {
    return delegate.priority();
  }

  @Override
  public ProviderStatus probe() {
    return delegate.probe();
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return new FaultyDevice(delegate.open(vertx, options), plan);
  }
}
