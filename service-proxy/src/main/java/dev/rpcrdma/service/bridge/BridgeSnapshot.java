// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.json.JsonObject;

/**
 * What went on at one end of a bridge, over all of its peers. Each number is exact; those of messages that come while
 * it is taken may be of different moments.
 *
 * @param forwarded messages of this end's event bus
 * @param delivered messages of peers
 * @param peers how many it forwards to
 * @param conversations replies to peers whose senders wait for an answer, of all bridges of this Vert.x instance with
 *     the same options
 */
public record BridgeSnapshot(BridgeTraffic forwarded, BridgeTraffic delivered, int peers, int conversations) {

  /**
   * Writes it.
   *
   * @return each number by its name, those of a direction in an object
   */
  public JsonObject toJson() {
    return new JsonObject().put("forwarded", forwarded.toJson()).put("delivered", delivered.toJson())
        .put("peers", peers).put("conversations", conversations);
  }
}
