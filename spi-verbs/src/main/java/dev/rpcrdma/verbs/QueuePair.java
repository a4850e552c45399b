// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;

/**
 * One reliable connection: a send queue, a receive queue and the exposures of its peer.
 *
 * <p>All methods are called on the owning event loop, except {@link #close()}, which may be called
 * from any thread. A post takes one contiguous range: what a consumer gathers it gathers itself, by
 * a copy below the inline size or by several Writes to consecutive addresses above it. From post to
 * completion the range belongs to the provider.
 *
 * <p><b>Posts</b> are checked at once: an unregistered or foreign memory, a range outside it, a full
 * queue ({@link IllegalStateException}) throw and change nothing. A post on a queue pair that is
 * already disconnecting is accepted and completes as {@link WorkCompletion.Status#FLUSHED}, so that
 * callers need not race with the network; after {@link QueuePairHandler#disconnected} it throws. A
 * handler that posts anew whenever something is flushed is refused in the same way once it has posted
 * as much again as both queues hold, so that the end comes all the same.
 *
 * <p><b>Order</b>: work of the send queue starts in posting order. Writes are placed before a later
 * Send is delivered. Reads start in order but finish whenever they do: a later Send may overtake a
 * Read's data.
 */
public interface QueuePair {

  /**
   * The context whose event loop owns this queue pair.
   *
   * @return the context
   */
  Context context();

  /**
   * This side's address.
   *
   * @return the local address
   */
  SocketAddress localAddress();

  /**
   * The other side's address.
   *
   * @return the remote address
   */
  SocketAddress remoteAddress();

  /**
   * What the peer sent with its connect or accept.
   *
   * @return the private data, known from {@link QueuePairHandler#established} on, on the accepting
   *     side from setup on; possibly followed by zeros
   */
  Buffer privateData();

  /**
   * ORD as negotiated: how many Reads may be posted and not completed. The consumer keeps to it; one
   * more is refused as a full queue is.
   *
   * @return the number, known from {@link QueuePairHandler#established} on
   */
  int outboundReads();

  /**
   * How much of what was asked for by Reads has come so far, also of a Read that is not complete: a peer that
   * serves a large one slowly serves it all the same.
   *
   * @return bytes since the beginning, never less than before; always 0 if the device cannot tell
   */
  default long bytesRead() {
    return 0;
  }

  /**
   * How much of this end's memory was sent so far for Reads of the peer, also for a Read that is not complete.
   *
   * @return bytes since the beginning, never less than before; always 0 if the device cannot tell
   */
  default long bytesServed() {
    return 0;
  }

  /**
   * What the transport below has settled with the peer, besides {@link #privateData} and
   * {@link #outboundReads}: for who looks into a connection, such as {@code ./rpcrdma ping}. A provider
   * tells what its fabric has to negotiate, each thing by a name of its own, in the order in which it
   * reads best; iWARP its revision, CRCs, markers and read depths, for example.
   *
   * @return the facts, never null and not to be changed; from {@link QueuePairHandler#established} on
   *     always the same; none if the provider has nothing to tell
   */
  default List<TransportFact> transportFacts() {
    return List.of();
  }

  /**
   * The certificates by which the peer has proved who it is, where the transport below has such a thing, as TLS.
   *
   * @return the peer's own first, then those that vouch for it; empty if it has shown none, or there is no such thing.
   *     From {@link QueuePairHandler#established} on always the same
   */
  default List<Certificate> peerCertificates() {
    return List.of();
  }

  /**
   * The certificates by which this end has proved to the peer who it is, where the transport below has such a thing.
   *
   * @return this end's own first, then those that vouch for it; empty if it has shown none, or there is no such thing.
   *     From {@link QueuePairHandler#established} on always the same
   */
  default List<Certificate> localCertificates() {
    return List.of();
  }

  /**
   * Posts a Receive. The next message that arrives takes the oldest one.
   *
   * @param id comes back in the completion
   * @param memory where to place the message
   * @param offset first byte
   * @param length longest message accepted; a longer one ends the connection
   */
  void postReceive(long id, LocalMemory memory, int offset, int length);

  /**
   * Posts a Send. It finds a Receive at the peer, or both sides disconnect.
   *
   * @param id comes back in the completion
   * @param memory holds the message
   * @param offset first byte
   * @param length number of bytes; 0 is a message too
   */
  void postSend(long id, LocalMemory memory, int offset, int length);

  /**
   * Posts a Send that also ends one of the peer's exposures, on delivery.
   *
   * @param id comes back in the completion
   * @param memory holds the message
   * @param offset first byte
   * @param length number of bytes
   * @param remoteTag the peer's steering tag; it must be a live one, or both sides disconnect
   */
  void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length, int remoteTag);

  /**
   * Posts an RDMA Write.
   *
   * @param id comes back in the completion
   * @param memory holds the data
   * @param offset first byte
   * @param length number of bytes
   * @param remoteTag where to write: the peer's steering tag
   * @param remoteOffset where to write: address under that tag
   */
  void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset);

  /**
   * Posts an RDMA Read. The sink needs no exposure; when the Read completes the peer can no longer
   * change it.
   *
   * @param id comes back in the completion
   * @param memory where to place the data
   * @param offset first byte
   * @param length number of bytes
   * @param remoteTag what to read: the peer's steering tag
   * @param remoteOffset what to read: address under that tag
   */
  void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset);

  /**
   * Starts what was posted since the last flush: rings the doorbell, once for many posts. A provider
   * may start it earlier, but no later.
   */
  void flush();

  /**
   * Makes a range reachable for this connection's peer. The outcome comes as
   * {@link QueuePairHandler#exposed}, also on a connection that is going down. Memory that is read-only
   * cannot be exposed for Writes: that exposure fails.
   *
   * @param owner whoever it belongs to; comes back in the exposure
   * @param memory registered memory of the queue pair's domain
   * @param offset first byte
   * @param length number of bytes, at least 1
   * @param access what the peer may do
   * @return the exposure, not usable before it is announced
   */
  Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access);

  /**
   * Ends an exposure. {@link QueuePairHandler#revoked} follows once nothing that is queued or on its
   * way out refers to the range any more. If that takes too long the provider disconnects, which
   * ends the exposure as well. Each call is answered once; revoking an exposure that has ended, for
   * whatever reason, has the same answer.
   *
   * @param exposure obtained from {@link QueuePairHandler#exposed}, not failed
   * @throws VerbsException of kind INVALID_ARGUMENT if it is of another queue pair, or has failed
   */
  void revoke(Exposure exposure);

  /**
   * How many exposures of this queue pair are alive; for leak checks and metrics.
   *
   * @return a snapshot
   */
  int exposures();

  /**
   * Disconnects in good order: what was flushed before is still sent if the peer takes it within a
   * deadline. Idempotent, from any thread.
   *
   * @return completes after {@link QueuePairHandler#disconnected}
   */
  Future<Void> close();
}
