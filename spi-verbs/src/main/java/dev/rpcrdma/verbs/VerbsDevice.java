// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.net.SocketAddress;

/** An open RDMA device. Its methods may be called from any thread. */
public interface VerbsDevice {

  /**
   * The device's name, for people.
   *
   * @return for example {@code siw} or {@code mlx5_0}
   */
  String name();

  /**
   * What the device can do.
   *
   * @return the attributes
   */
  DeviceAttributes attributes();

  /**
   * Creates a scope of memory. Queue pairs can post any memory of the domain they were created in,
   * and no other.
   *
   * @return a new domain, owned by the caller
   */
  ProtectionDomain allocateProtectionDomain();

  /**
   * Listens for connections, with nothing special.
   *
   * @param context as below
   * @param address as below
   * @param handler as below
   * @return as below
   */
  default Future<VerbsListener> listen(Context context, SocketAddress address, Handler<ConnectionRequest> handler) {
    return listen(context, address, ListenOptions.DEFAULT, handler);
  }

  /**
   * Listens for connections.
   *
   * @param context on whose event loop {@code handler} is called
   * @param address where to listen; port 0 chooses a free one
   * @param options whether there is TLS
   * @param handler called for each connection that a peer asks for, with a request that must be
   *     answered; one that is not answered within a time of the device's own, or of the peer's, is rejected
   * @return the listener, or a {@link VerbsException} of kind
   *     {@link VerbsException.Kind#ADDRESS_UNAVAILABLE}, or of {@link VerbsException.Kind#UNSUPPORTED} for TLS on a
   *     device that has none
   */
  Future<VerbsListener> listen(Context context, SocketAddress address, ListenOptions options,
      Handler<ConnectionRequest> handler);

  /**
   * Connects to a listening peer.
   *
   * @param context whose event loop will own the queue pair
   * @param remote the peer
   * @param domain the domain of the memory that will be posted
   * @param options queue depths, private data, deadline, TLS
   * @param setup called once on that loop with the unconnected queue pair, before the peer can send
   *     anything: posts Receives and returns the handler of all upcalls
   * @return completes on the owning loop after {@link QueuePairHandler#established}; or fails with a
   *     {@link VerbsException}, in which case, if {@code setup} was called, what it posted is flushed
   *     and {@link QueuePairHandler#disconnected} is called
   */
  Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup);

  /**
   * Closes listeners, then queue pairs, then the device. Idempotent.
   *
   * @return completes when every queue pair has disconnected
   */
  Future<Void> close();
}
