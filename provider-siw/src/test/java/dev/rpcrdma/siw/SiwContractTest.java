// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.VerbsProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** Software iWARP passes the contract of all providers. */
@DisplayName("siw: the contract of all providers")
@Tag("slow")
final class SiwContractTest implements VerbsProviderContract {

  @Override
  public VerbsProvider provider() {
    return new SiwProvider();
  }

  @Override
  public boolean namesRefusedTags() {
    return true;
  }
}
