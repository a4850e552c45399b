// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.VerbsProvider;
import org.junit.jupiter.api.DisplayName;

/** The fabric of this process passes the contract of all providers. */
@DisplayName("memory: the contract of all providers")
final class MemoryContractTest implements VerbsProviderContract {

  @Override
  public VerbsProvider provider() {
    return new MemoryProvider();
  }

  @Override
  public boolean namesRefusedTags() {
    return true;
  }
}
