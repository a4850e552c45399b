// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * What goes on in a server.
 *
 * @param address where it listens; empty if it does not
 * @param accepted connections so far
 * @param rejected connections that were not accepted
 * @param connections those that are up
 * @param clients those that are remembered, with or without a connection
 * @param pendingReplies those that are made and not taken yet, and who waits for that
 */
public record ServerSnapshot(Optional<SocketAddress> address, long accepted, long rejected,
    List<ConnectionSnapshot> connections, List<ClientSnapshot> clients,
    PendingReplies pendingReplies) {
}
