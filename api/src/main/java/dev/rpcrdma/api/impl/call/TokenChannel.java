// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.protocol.security.CallProtector;

/** A connection over which tokens are exchanged for handles. On its loop. */
public interface TokenChannel {

  /**
   * Gets what a transmission shows for a token.
   *
   * @param listener hears at once, or when the peer has judged the token
   */
  void show(String token, CallProtector.Listener listener);

  /** Forgets a listener, which need not hear any more. */
  void forget(CallProtector.Listener listener);
}
