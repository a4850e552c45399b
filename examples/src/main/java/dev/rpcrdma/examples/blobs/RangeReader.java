// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * Reads a blob of any size by ranges, some of them ahead, and hands them on one after the other: no more of it is in
 * memory than these ranges. Confined to one context.
 */
final class RangeReader {

  static final int RANGE = 1 << 20;
  static final int AHEAD = 8;

  private final BlobStore blobs;
  private final String name;
  private final long size;
  private final Function<Buffer, Future<?>> sink;
  private final Promise<Void> done = Promise.promise();
  private final Deque<Future<Buffer>> ahead = new ArrayDeque<>();
  private long asked;
  private boolean handing;

  private RangeReader(BlobStore blobs, String name, long size, Function<Buffer, Future<?>> sink) {
    this.blobs = blobs;
    this.name = name;
    this.size = size;
    this.sink = sink;
  }

  /**
   * Reads.
   *
   * @param blobs where
   * @param name which blob
   * @param size its size
   * @param sink takes the ranges, the next one when its future has completed
   * @return completes after the last one was taken
   */
  static Future<Void> read(BlobStore blobs, String name, long size, Function<Buffer, Future<?>> sink) {
    RangeReader reader = new RangeReader(blobs, name, size, sink);
    reader.pump();
    return reader.done.future();
  }

  private void pump() {
    while (ahead.size() < AHEAD && asked < size) {
      int length = (int) Math.min(RANGE, size - asked);
      Future<Buffer> range = blobs.read(name, asked, length);
      asked += length;
      ahead.add(range);
      range.onSuccess(any -> hand()).onFailure(done::tryFail);
    }
    if (ahead.isEmpty()) {
      done.tryComplete();
    }
  }

  private void hand() {
    if (handing || ahead.isEmpty() || !ahead.peek().succeeded() || done.future().isComplete()) {
      return;
    }
    handing = true;
    sink.apply(ahead.remove().result()).onSuccess(taken -> {
      handing = false;
      pump();
      hand();
    }).onFailure(done::tryFail);
  }
}
