// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.Objects;
import java.util.Optional;

/**
 * What the peer has said of itself when the connection was made (RFC 8797).
 *
 * @param length bytes of all its private data
 * @param sizes the block of RFC 8797; without it {@link CmPrivateData#SILENT} is assumed
 * @param session our own block, which others do not send
 */
public record PeerPrivateData(
    int length, Optional<CmPrivateData> sizes, Optional<SessionBlock> session) {

  /** Of a peer that has said nothing. */
  public static final PeerPrivateData NONE =
      new PeerPrivateData(0, Optional.empty(), Optional.empty());

  /** Checks that nothing is null. */
  public PeerPrivateData {
    Objects.requireNonNull(sizes, "sizes");
    Objects.requireNonNull(session, "session");
  }

  /**
   * Who the peer is beyond this connection.
   *
   * @return of a client its id, of a server that of the session that the client has with it; empty for
   *     peers that are not of this library
   */
  public Optional<InstanceId> instance() {
    return session.map(SessionBlock::id);
  }
}
