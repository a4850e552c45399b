// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.api.impl.call.CallProtectors;
import dev.rpcrdma.api.impl.mechanism.PeerContexts;
import dev.rpcrdma.api.impl.mechanism.SecurityMechanism;
import java.util.function.Supplier;

/**
 * What protects the calls of a server to its clients.
 *
 * @param initiator makes contexts with them; null if such calls are not protected
 */
record ClientContexts(SecurityMechanism.Initiator initiator) {

  /** Of a client that shows no session: nobody knows which of its connections are to the same one. */
  static final CallProtectors NO_SESSION = (program, version) -> (channel, listener) -> listener.unavailable(
      "Calls to a client that shows no session cannot be protected");

  /** Whether calls are to be protected. */
  boolean wanted() {
    return initiator != null;
  }

  /** Those with one client; null if calls are not protected. */
  PeerContexts with(Supplier<String> host) {
    return initiator == null ? null : initiator.with(host);
  }

  /** Makes none any more. */
  void close() {
    if (initiator != null) {
      initiator.close();
    }
  }
}
