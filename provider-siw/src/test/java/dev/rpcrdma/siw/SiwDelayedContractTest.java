// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.VerbsProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** The contract holds as well when completions of the send queue come late. */
@DisplayName("siw with delayed completions: the contract of all providers")
@Tag("slow")
final class SiwDelayedContractTest implements VerbsProviderContract {

  @Override
  public VerbsProvider provider() {
    return new DelayedCompletions(new SiwProvider(), 20040116, 8);
  }
}
