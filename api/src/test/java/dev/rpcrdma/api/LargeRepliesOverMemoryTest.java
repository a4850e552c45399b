// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.testkit.fabric.MemoryProvider;

/** Results whose size nobody can predict, over the fabric of this process. */
class LargeRepliesOverMemoryTest extends LargeRepliesTest {

  @Override
  String provider() {
    return MemoryProvider.NAME;
  }
}
