// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.mechanism;

import dev.rpcrdma.api.impl.call.CallProtectors;

/**
 * Security contexts with one peer, for the calls to it over all connections; they are made by calls over any of these.
 * From any thread.
 */
public interface PeerContexts extends CallProtectors {

  /** Adds a connection that calls can be made over. */
  void up(ContextPath connection);

  /** Removes a connection that has ended. */
  void down(ContextPath connection);

  /** Ends the context, and tells the peer if it can be reached. */
  void close();
}
