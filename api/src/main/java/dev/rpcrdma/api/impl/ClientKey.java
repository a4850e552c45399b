package dev.rpcrdma.api.impl;

import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.verbs.ConnectionRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;

/**
 * How a server knows a client again: by the id that it shows, or, if it is a stranger, by its host. Not
 * by its port, which is another one with each connection, so that nobody would ever be known again.
 * Strangers behind one address are told apart by their calls alone.
 *
 * @param instance what it has shown
 * @param host where it comes from; empty if it has shown an id
 */
record ClientKey(Optional<InstanceId> instance, String host) {

  static ClientKey of(ConnectionRequest request) {
    Optional<InstanceId> instance = InstanceId.find(request.privateData().getBytes());
    SocketAddress address = request.remoteAddress();
    return new ClientKey(instance, instance.isPresent() ? "" : address.hostAddress());
  }

  boolean stranger() {
    return instance.isEmpty();
  }
}
