// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.json.JsonObject;

/**
 * The messages that came to one end of a bridge in one direction: sent, published, requests, and answers to replies.
 *
 * @param succeeded those that were replied to, and those without a reply that were taken
 * @param refused those that this end does not permit
 * @param failed those that failed for any other reason, the failures of their consumers among them
 * @param pending those without an outcome yet, whether they wait for a connection or are under way
 */
public record BridgeTraffic(long succeeded, long refused, long failed, long pending) {

  /**
   * Writes it.
   *
   * @return each number by its name
   */
  public JsonObject toJson() {
    return new JsonObject().put("succeeded", succeeded).put("refused", refused).put("failed", failed)
        .put("pending", pending);
  }
}
