// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.security.TokenHandles;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.Optional;

/**
 * What a new connection with a peer takes from those before. Confined, like those, to one event loop.
 *
 * @param shown what this end shows of itself; empty if nothing
 * @param xids of the calls to the peer
 * @param calls of the peer, with their replies
 * @param handles what the peer has got for its tokens
 * @param policy how it is called, and served
 */
public record PeerMemory(Optional<SessionBlock> shown, XidSlots xids, CallHistory calls, TokenHandles handles,
    CallPolicy policy) {

  /** That of a peer that has got no handles yet. */
  public PeerMemory(Optional<SessionBlock> shown, XidSlots xids, CallHistory calls, CallPolicy policy) {
    this(shown, xids, calls, new TokenHandles(), policy);
  }
}
