// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import java.time.Duration;

/**
 * The bounds of an embedded rpcbind. Immutable.
 *
 * @param maxEntries how many registrations it keeps; 1 to 1000000
 * @param maxConnections how many connections it has at once; 1 to 65535
 * @param idleTimeout how long a connection may be idle, or a call may take to arrive; 1 ms to 1 day
 * @param remoteChanges whether hosts other than this one may register, and take back; for private networks alone
 */
public record RpcbindServerOptions(int maxEntries, int maxConnections, Duration idleTimeout, boolean remoteChanges) {

  /** 1024 registrations of this host alone, 64 connections, 30 s. */
  public static final RpcbindServerOptions DEFAULT =
      new RpcbindServerOptions(1024, 64, Duration.ofSeconds(30), false);

  /** Checks the ranges. */
  public RpcbindServerOptions {
    if (maxEntries < 1 || maxEntries > 1_000_000) {
      throw new IllegalArgumentException("maxEntries is 1 to 1000000, not " + maxEntries);
    }
    if (maxConnections < 1 || maxConnections > 65535) {
      throw new IllegalArgumentException("maxConnections is 1 to 65535, not " + maxConnections);
    }
    if (idleTimeout.compareTo(Duration.ofMillis(1)) < 0 || idleTimeout.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("idleTimeout is 1 ms to 1 day, not " + idleTimeout);
    }
  }

  /**
   * These options with another bound of registrations.
   *
   * @param entries 1 to 1000000
   * @return a copy
   */
  public RpcbindServerOptions withMaxEntries(int entries) {
    return new RpcbindServerOptions(entries, maxConnections, idleTimeout, remoteChanges);
  }

  /**
   * These options with another bound of connections.
   *
   * @param connections 1 to 65535
   * @return a copy
   */
  public RpcbindServerOptions withMaxConnections(int connections) {
    return new RpcbindServerOptions(maxEntries, connections, idleTimeout, remoteChanges);
  }

  /**
   * These options with another time.
   *
   * @param value 1 ms to 1 day
   * @return a copy
   */
  public RpcbindServerOptions withIdleTimeout(Duration value) {
    return new RpcbindServerOptions(maxEntries, maxConnections, value, remoteChanges);
  }

  /**
   * These options with another say about who may change something.
   *
   * @param allowed whether hosts other than this one may
   * @return a copy
   */
  public RpcbindServerOptions withRemoteChanges(boolean allowed) {
    return new RpcbindServerOptions(maxEntries, maxConnections, idleTimeout, allowed);
  }
}
