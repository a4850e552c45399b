// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import io.vertx.core.Future;
import java.util.Map;

/**
 * The cluster's map of servers. Answers come on any thread, late or never; a method never throws, and never holds up
 * who calls it.
 */
interface ClusterMap {

  Future<Void> put(String instance, String entry, long ttlMillis);

  Future<Void> remove(String instance);

  /** All there is, whoever has put it. */
  Future<Map<String, Object>> entries();
}
