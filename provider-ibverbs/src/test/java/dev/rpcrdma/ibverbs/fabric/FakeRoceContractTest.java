// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.VerbsProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, on a fabric that does as Linux's software RoCE. */
@NeedsRdmaHeaders
@Tag("slow")
class FakeRoceContractTest implements VerbsProviderContract {

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(FakeFabric.Kind.ROCE);

  @Override
  public VerbsProvider provider() {
    return fabric.provider();
  }

  /** Fails if {@code IbverbsConnection.completed} does not say which tag it was. */
  @Override
  public boolean namesRefusedTags() {
    return true;
  }
}
