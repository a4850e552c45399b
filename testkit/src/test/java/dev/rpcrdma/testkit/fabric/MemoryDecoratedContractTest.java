// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultyProvider;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.VerbsProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** Wrapped in both decorators, the provider is still one. */
@DisplayName("memory in decorators: the contract of all providers")
@Tag("slow")
final class MemoryDecoratedContractTest implements VerbsProviderContract {

  @Override
  public VerbsProvider provider() {
    return new FaultyProvider(new DelayedCompletions(new MemoryProvider(), 42, 8), FaultPlan.none());
  }
}
