// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * The client of the demo with a file that is larger than the memory it may use: reads it by ranges, and then by its
 * data and holes alone, and compares digests. Runs on one context.
 */
public final class LargeFileDemo {

  private static final String NAME = "large";
  /** Every so many bytes there are some that are no zeros. */
  private static final int STRIDE = 32 << 20;
  private static final int DATA = 50_000;

  private final Vertx vertx;
  private final BlobStore blobs;
  private final RpcChannel channel;
  private final DemoListener listener;
  private final Digest byRanges = new Digest();
  private final Digest byExtents = new Digest();
  private BlobInfo blob;
  private long done;
  private long data;
  private int calls;
  private int extents;

  /**
   * Creates a demo.
   *
   * @param vertx computes digests on its workers
   * @param through a channel to a server that serves {@link BlobStore}
   * @param listener follows it
   */
  public LargeFileDemo(Vertx vertx, RpcChannel through, DemoListener listener) {
    this.vertx = vertx;
    this.channel = through;
    this.blobs = through.proxy(BlobStore.class);
    this.listener = listener;
  }

  /**
   * Makes a file that is mostly holes, and has a store serve it; what a server does. Blocks.
   *
   * @param store serves it
   * @param file where it is made
   * @param size its length in bytes
   */
  public static void offer(DirectoryBlobStore store, Path file, long size) throws IOException {
    Random random = new Random(size);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
        StandardOpenOption.SPARSE)) {
      byte[] bytes = new byte[DATA];
      for (long at = 0; at < size; at += STRIDE) {
        random.nextBytes(bytes);
        channel.write(ByteBuffer.wrap(bytes, 0, (int) Math.min(DATA, size - at)), at);
      }
      if (channel.size() < size) {
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    }
    store.offer(NAME, file);
  }

  /**
   * Runs it.
   *
   * @return what it did
   */
  public Future<LargeFileReport> run() {
    return blobs.list(NAME).compose(list -> {
      blob = list.get(0);
      long start = System.nanoTime();
      return readRanges().compose(read -> {
        long rangesNanos = System.nanoTime() - start;
        done = 0;
        return readExtents().compose(all -> report(rangesNanos, System.nanoTime() - start - rangesNanos));
      });
    });
  }

  private Future<Void> readRanges() {
    return RangeReader.read(blobs, NAME, blob.size(), range ->
        vertx.executeBlocking(() -> byRanges.add(range)).onSuccess(added -> progress("by ranges", range.length())));
  }

  /** What one call has no room for, the next one has. */
  private Future<Void> readExtents() {
    if (done == blob.size()) {
      return Future.succeededFuture();
    }
    return blobs.readSparse(NAME, done, blob.size() - done).compose(list -> {
      calls++;
      return vertx.executeBlocking(() -> {
        list.forEach(byExtents::add);
        return list;
      });
    }).compose(list -> {
      for (Extent extent : list) {
        extents++;
        data += extent.data().isPresent() ? extent.length() : 0;
        progress("sparse", extent.length());
      }
      return readExtents();
    });
  }

  private void progress(String phase, long bytes) {
    done += bytes;
    listener.progress(phase, done, blob.size());
  }

  private Future<LargeFileReport> report(long rangesNanos, long extentsNanos) {
    boolean equal = byRanges.hex().equals(blob.digest()) && byExtents.hex().equals(blob.digest());
    return channel.connect().compose(RpcConnection::snapshot).map(snapshot -> new LargeFileReport(blob.size(),
        rangesNanos, calls, extents, data, extentsNanos, snapshot.messages().pulledReplies(), equal));
  }
}
