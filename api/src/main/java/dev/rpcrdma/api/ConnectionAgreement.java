// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.verbs.TransportFact;
import java.util.List;
import java.util.Objects;

/**
 * What was agreed when a connection was made, and stays until its end.
 *
 * @param outboundInline the longest message that this end may send inline, in bytes
 * @param inboundInline the longest message that the peer may send inline, in bytes
 * @param outboundReads how many RDMA Reads this end may have outstanding (ORD)
 * @param remoteInvalidation whether the peer lets its memory be invalidated by a Send
 * @param peer what the peer has said of itself
 * @param transport what the provider tells of the transport below, in words
 */
public record ConnectionAgreement(
    int outboundInline,
    int inboundInline,
    int outboundReads,
    boolean remoteInvalidation,
    PeerPrivateData peer,
    List<TransportFact> transport) {

  /** Copies the list. */
  public ConnectionAgreement {
    Objects.requireNonNull(peer, "peer");
    transport = List.copyOf(transport);
  }
}
