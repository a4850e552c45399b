// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.json.JsonObject;

/**
 * How fast bytes went from memory to memory.
 *
 * @param bytes each way
 * @param putNanos how long they took to the server, which read them
 * @param getNanos how long they took from the server, which wrote them
 */
public record TransferRate(long bytes, long putNanos, long getNanos) {

  /**
   * Megabytes per second to the server.
   *
   * @return 10^6 bytes per second
   */
  public double putMegabytesPerSecond() {
    return Rate.megabytesPerSecond(bytes, putNanos);
  }

  /**
   * Megabytes per second from the server.
   *
   * @return 10^6 bytes per second
   */
  public double getMegabytesPerSecond() {
    return Rate.megabytesPerSecond(bytes, getNanos);
  }

  /**
   * The same facts as JSON.
   *
   * @return a new object
   */
  public JsonObject toJson() {
    return new JsonObject()
        .put("bytes", bytes)
        .put("putMegabytesPerSecond", putMegabytesPerSecond())
        .put("getMegabytesPerSecond", getMegabytesPerSecond());
  }
}
