// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.MessageStatistics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What a demo did.
 *
 * @param directory what was stored
 * @param files how many files
 * @param bytes their sizes together
 * @param skipped what was not stored, with reasons
 * @param reverseCalls how often the server called back
 * @param equalDigests how many files came back with the digest they went with
 * @param putNanos how long storing took
 * @param getNanos how long reading back took
 * @param messages what the client's connection carried
 */
public record DemoReport(
    String directory,
    int files,
    long bytes,
    List<String> skipped,
    int reverseCalls,
    int equalDigests,
    long putNanos,
    long getNanos,
    MessageStatistics messages) {

  /** Copies the list. */
  public DemoReport {
    skipped = List.copyOf(skipped);
  }

  /**
   * Whether everything came back as it went.
   *
   * @return true if so
   */
  public boolean good() {
    return equalDigests == files && reverseCalls == files;
  }

  /**
   * Megabytes per second, files read and hashed on the way.
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
        .put("directory", directory)
        .put("files", files)
        .put("bytes", bytes)
        .put("skipped", new JsonArray(skipped))
        .put("messages", new JsonObject()
            .put("inline", messages.sentInline())
            .put("readChunks", messages.readChunks())
            .put("writeChunks", messages.writeChunks())
            .put("replyChunks", messages.replyChunks())
            .put("positionZeroChunks", messages.positionZeroChunks())
            .put("pulledReplies", messages.pulledReplies()))
        .put("reverseCalls", reverseCalls)
        .put("putMegabytesPerSecond", megabytesPerSecond(putNanos))
        .put("getMegabytesPerSecond", megabytesPerSecond(getNanos))
        .put("equalDigests", equalDigests)
        .put("allEqual", good());
  }
}
