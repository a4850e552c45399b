// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

/** Calls over the embedded provider. */
class CallsOverSiwTest extends CallsContract {

  CallsOverSiwTest() {
    super("siw");
  }
}
