// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.testkit.fabric.MemoryProvider;

/** Results whose size nobody can predict, over the fabric of this process. */
class LargeRepliesOverMemoryTest extends LargeRepliesTest {

  @Override
  protected String provider() {
    return MemoryProvider.NAME;
  }
}
