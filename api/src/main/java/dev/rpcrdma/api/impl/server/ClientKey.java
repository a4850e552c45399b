// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.server;

import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;

/**
 * How a server knows a client again: by the id that it shows, or, if it is a foreign one, by its host. Not
 * by its port, which is another one with each connection, so that nobody would ever be known again.
 * Foreign clients behind one address are told apart by their calls alone.
 *
 * @param instance what it has shown
 * @param host where it comes from; empty if it has shown an id
 */
record ClientKey(Optional<InstanceId> instance, String host) {

  static ClientKey of(Optional<SessionBlock> shown, SocketAddress address) {
    return shown.map(block -> new ClientKey(Optional.of(block.id()), ""))
        .orElseGet(() -> new ClientKey(Optional.empty(), address.hostAddress()));
  }

  boolean foreign() {
    return instance.isEmpty();
  }
}
