// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.testkit.fabric.MemoryProvider;

/** Calls over the fabric of this process. */
class CallsOverMemoryTest extends CallsContract {

  CallsOverMemoryTest() {
    super(MemoryProvider.NAME);
  }
}
