// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.json.JsonObject;

/**
 * What the demo did with a large file.
 *
 * @param bytes its size
 * @param rangesNanos how long reading it by ranges took
 * @param sparseCalls how many calls it took to read it by data and holes
 * @param extents how many parts these had
 * @param data how many bytes were no holes
 * @param sparseNanos how long that took
 * @param pulledReplies how many replies the client pulled
 * @param equal whether the digests of what was read both ways are the server's
 */
public record LargeFileReport(long bytes, long rangesNanos, int sparseCalls, int extents, long data, long sparseNanos,
    long pulledReplies, boolean equal) {

  /**
   * Megabytes per second.
   *
   * @param nanos how long all bytes took
   * @return 10^6 bytes per second
   */
  public double megabytesPerSecond(long nanos) {
    return Rate.megabytesPerSecond(bytes, nanos);
  }

  /**
   * The same facts as JSON.
   *
   * @return a new object
   */
  public JsonObject toJson() {
    return new JsonObject()
        .put("bytes", bytes)
        .put("rangesMegabytesPerSecond", megabytesPerSecond(rangesNanos))
        .put("sparseCalls", sparseCalls)
        .put("extents", extents)
        .put("data", data)
        .put("sparseMegabytesPerSecond", megabytesPerSecond(sparseNanos))
        .put("pulledReplies", pulledReplies)
        .put("equal", equal);
  }
}
