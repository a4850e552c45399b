// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.cluster.ClusterServer;

/**
 * What a server has put into the map.
 *
 * @param server what it says of itself
 * @param sequence more with each put, from 1
 * @param ttlNanos for how long it is good unless it is put again
 */
record ServerEntry(ClusterServer server, long sequence, long ttlNanos) {

  String instance() {
    return server.instance();
  }

  boolean draining() {
    return server.draining();
  }
}
