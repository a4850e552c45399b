// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.QueuePair;
import io.vertx.core.Promise;

/**
 * The accepting end of a connection, set up and waiting for the connecting one.
 *
 * @param queuePair whose it is
 * @param options of its consumer
 * @param promise of the acceptance; it fails when the end is gone
 */
record Acceptance(FabricQueuePair queuePair, ConnectionOptions options, Promise<QueuePair> promise) {

  /** The connecting end comes up, and so does this one. From any thread. */
  void complete(FabricWire wire) {
    Endpoint endpoint = queuePair.endpoint();
    endpoint.execute(() -> {
      if (endpoint.open(wire)) {
        promise.tryComplete(queuePair);
      }
    });
  }

  /** The connecting end does not come up. From any thread. */
  void fail(String why) {
    queuePair.endpoint().lost(why);
  }
}
