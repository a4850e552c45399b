// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.CallHeader;

/** A call that says nothing of who makes it. */
final class AnonymousCall implements UnprotectedCall {

  @Override
  public Object principal(CallHeader call) {
    return call.credential();
  }
}
