// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

/** Calls over the embedded provider. */
class CallsOverSiwTest extends CallsContract {

  CallsOverSiwTest() {
    super("siw");
  }
}
