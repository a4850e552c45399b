// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.net.SocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who listens where in this process. Each host and port is there to be listened on, whatever addresses the machine has;
 * {@code 0.0.0.0} and {@code ::} stand for all hosts. Safe for all threads.
 */
final class FabricAddresses {

  /** Where connections come from, and {@code localhost}. */
  static final String HOST = "127.0.0.1";

  private static final String ANY_HOST = "*";
  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");
  /** IANA's dynamic ports (RFC 6335 §6). */
  private static final int FIRST_DYNAMIC = 49_152;
  private static final int DYNAMIC = 65_536 - FIRST_DYNAMIC;

  private record Key(String host, int port) {}

  private static final Map<Key, FabricListener> LISTENERS = new HashMap<>();
  private static int lastDynamic;

  private FabricAddresses() {}

  /**
   * Begins to listen.
   *
   * @return the address, with a port
   * @throws VerbsException of kind ADDRESS_UNAVAILABLE if somebody else does
   */
  static synchronized SocketAddress bind(SocketAddress address, FabricListener listener) {
    String host = host(address);
    int port = address.port() == 0 ? freePort() : address.port();
    if (isTaken(host, port)) {
      throw new VerbsException(VerbsException.Kind.ADDRESS_UNAVAILABLE, "Cannot listen on " + address
          + ": somebody in this process does. Choose another port, or port 0 for a free one");
    }
    LISTENERS.put(new Key(host, port), listener);
    return SocketAddress.inetSocketAddress(port, address.host());
  }

  private static boolean isTaken(String host, int port) {
    return LISTENERS.keySet().stream().anyMatch(key -> key.port == port
        && (key.host.equals(host) || key.host.equals(ANY_HOST) || host.equals(ANY_HOST)));
  }

  private static int freePort() {
    for (int i = 0; i < DYNAMIC; i++) {
      int port = nextDynamic();
      if (!isTaken(ANY_HOST, port)) {
        return port;
      }
    }
    throw new VerbsException(VerbsException.Kind.ADDRESS_UNAVAILABLE,
        "All dynamic ports are in use in this process; close listeners, or choose a port below " + FIRST_DYNAMIC);
  }

  private static int nextDynamic() {
    lastDynamic = (lastDynamic + 1) % DYNAMIC;
    return FIRST_DYNAMIC + lastDynamic;
  }

  /** Where a connection comes from. */
  static synchronized SocketAddress origin() {
    return SocketAddress.inetSocketAddress(nextDynamic(), HOST);
  }

  /** Ends listening. */
  static synchronized void release(SocketAddress address, FabricListener listener) {
    LISTENERS.remove(new Key(host(address), address.port()), listener);
  }

  /** Who listens there. */
  static synchronized Optional<FabricListener> find(SocketAddress address) {
    FabricListener listener = LISTENERS.get(new Key(host(address), address.port()));
    return Optional.ofNullable(listener != null ? listener : LISTENERS.get(new Key(ANY_HOST, address.port())));
  }

  private static String host(SocketAddress address) {
    String host = address.host().toLowerCase(Locale.ROOT);
    if (WILDCARDS.contains(host)) {
      return ANY_HOST;
    }
    return host.equals("localhost") ? HOST : host;
  }
}
