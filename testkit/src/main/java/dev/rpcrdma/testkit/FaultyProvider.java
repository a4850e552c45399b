// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;

/**
 * Lets steps of any provider fail as a {@link FaultPlan} says: connections are lost at a post,
 * exposures fail, registrations are refused. All of it is within the contract, so who uses a device
 * must cope: each call ends, nothing hangs, nothing stays behind.
 *
 * <p>To have completions come late as well, wrap a {@link DelayedCompletions}.
 */
public final class FaultyProvider extends DecoratedProvider {

  private final FaultPlan plan;

  /**
   * Wraps a provider.
   *
   * @param delegate does the work
   * @param plan which steps fail, on all devices opened from here
   */
  public FaultyProvider(VerbsProvider delegate, FaultPlan plan) {
    super(delegate);
    this.plan = plan;
  }

  @Override
  VerbsDevice decorate(VerbsDevice device) {
    return new FaultyDevice(device, plan);
  }
}
