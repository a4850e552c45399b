// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.OptionalInt;

/** A peer that wants to connect. Answered once, from any thread, by accept or reject. */
public interface ConnectionRequest {

  /**
   * The address that the peer connected to.
   *
   * @return the local address
   */
  SocketAddress localAddress();

  /**
   * Where the peer connected from.
   *
   * @return the remote address
   */
  SocketAddress remoteAddress();

  /**
   * What the peer sent with its connect.
   *
   * @return the private data, possibly empty, possibly followed by zeros if
   *     {@link DeviceAttributes#privateDataPadded()}
   */
  Buffer privateData();

  /**
   * How many RDMA Reads the peer serves at a time: its IRD, as it said it.
   *
   * @return empty if the peer did not say, or leaves it to this side
   */
  OptionalInt peerInboundReads();

  /**
   * How many RDMA Reads the peer would like to have outstanding: its ORD, as it said it.
   *
   * @return empty if the peer did not say, or leaves it to this side
   */
  OptionalInt peerOutboundReads();

  /**
   * Accepts and binds the queue pair to a context's event loop, which need not be the listener's,
   * before anything that the peer sends on it is read.
   *
   * @param context whose event loop will own the queue pair
   * @param domain the domain of the memory that will be posted
   * @param options queue depths, private data, deadline
   * @param setup as for {@link VerbsDevice#connect}
   * @return as for {@link VerbsDevice#connect}; fails with {@link IllegalStateException} if the
   *     request was answered before. A failure of kind
   *     {@link VerbsException.Kind#INVALID_ARGUMENT} is no answer: the request waits for another
   */
  Future<QueuePair> accept(Context context, ProtectionDomain domain, ConnectionOptions options,
      QueuePairSetup setup);

  /**
   * Refuses the connection.
   *
   * @param privateData sent to the peer with the rejection
   * @return completes when the rejection is on its way; fails with {@link IllegalStateException} if
   *     the request was answered before, or with {@link VerbsException.Kind#INVALID_ARGUMENT} if the
   *     private data is too long, which is no answer
   */
  Future<Void> reject(Buffer privateData);
}
