// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.testkit.fabric.MemoryProvider;

/** The server calls the client, over the fabric of this process. */
class ReverseCallsOverMemoryTest extends ReverseCallsTest {

  @Override
  protected String provider() {
    return MemoryProvider.NAME;
  }
}
