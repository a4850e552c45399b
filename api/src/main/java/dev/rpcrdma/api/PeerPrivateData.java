package dev.rpcrdma.api;

import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.wire.InstanceId;
import java.util.Objects;
import java.util.Optional;

/**
 * What the peer has said of itself when the connection was made (RFC 8797).
 *
 * @param length bytes of all its private data
 * @param sizes the block of RFC 8797; without it {@link CmPrivateData#SILENT} is assumed
 * @param instance our own block, which others do not send: a client shows its id, a server that of
 *     the session that the client has with it
 */
public record PeerPrivateData(
    int length, Optional<CmPrivateData> sizes, Optional<InstanceId> instance) {

  /** Of a peer that has said nothing. */
  public static final PeerPrivateData NONE =
      new PeerPrivateData(0, Optional.empty(), Optional.empty());

  /** Checks that nothing is null. */
  public PeerPrivateData {
    Objects.requireNonNull(sizes, "sizes");
    Objects.requireNonNull(instance, "instance");
  }
}
