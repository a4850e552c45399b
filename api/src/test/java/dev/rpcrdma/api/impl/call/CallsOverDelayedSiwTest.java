// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.impl.connection.DelayedSiw;

/** Calls over a provider whose Sends complete long after their replies have come (B-026, B-034). */
class CallsOverDelayedSiwTest extends CallsContract {

  CallsOverDelayedSiwTest() {
    super(DelayedSiw.NAME);
  }
}
