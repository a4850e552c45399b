// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.serviceproxy.ServiceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps each blob in a file of its own, under a number, so that names need not be file names. What
 * may block is done on worker threads.
 */
public final class DirectoryBlobStore implements BlobStore {

  /** The failure code of a blob that is not there. */
  public static final int NOT_FOUND = 404;
  /** The failure code of a part that does not lie in its blob. */
  public static final int OUT_OF_RANGE = 416;

  /** How much data {@link #readSparse} answers with at most, but for a block. */
  private static final int MAX_SPARSE_DATA = 16 << 20;

  private record Stored(Path file, BlobInfo info, boolean own) {}

  private final Vertx vertx;
  private final Path directory;
  private final Map<String, Stored> blobs = new ConcurrentSkipListMap<>();
  private final AtomicLong files = new AtomicLong();

  /**
   * Creates an empty store.
   *
   * @param vertx runs what may block
   * @param directory where files go; exists, and is removed by whoever made it
   */
  public DirectoryBlobStore(Vertx vertx, Path directory) {
    this.vertx = vertx;
    this.directory = directory;
  }

  @Override
  public Future<Long> put(String name, Payload content) {
    RpcConnection client = RpcCall.current().connection();
    return vertx.executeBlocking(() -> write(name, content.bytes()), false)
        .compose(info -> tell(client, info).map(info.size()));
  }

  private BlobInfo write(String name, ByteBuffer bytes) throws IOException {
    Path file = directory.resolve(Long.toString(files.incrementAndGet()));
    BlobInfo info = new BlobInfo(name, bytes.remaining(), Digest.of(bytes.duplicate()));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    Stored replaced = blobs.put(name, new Stored(file, info, true));
    if (replaced != null && replaced.own) {
      Files.delete(replaced.file);
    }
    return info;
  }

  /**
   * Serves a file that is there already, of any size, and stays its owner's. Blocks.
   *
   * @param name the blob's name
   * @param file does not change from now on
   * @throws IOException if it cannot be read
   */
  public void offer(String name, Path file) throws IOException {
    Digest digest = new Digest();
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer piece = ByteBuffer.allocate(1 << 20);
      while (channel.read(piece.clear()) >= 0) {
        digest.add(piece.flip());
      }
      blobs.put(name, new Stored(file, new BlobInfo(name, channel.size(), digest.hex()), false));
    }
  }

  /** A client that does not listen to events misses them; its blob is stored all the same. */
  private static Future<Void> tell(RpcConnection client, BlobInfo info) {
    return client.proxy(BlobEvents.class).stored(info).recover(e ->
        e instanceof RpcRejectedException ? Future.succeededFuture() : Future.failedFuture(e));
  }

  @Override
  public Future<Payload> get(String name, Payload target) {
    return find(name).compose(stored -> stored.info.size() > Integer.MAX_VALUE
        ? Future.failedFuture(new ServiceException(OUT_OF_RANGE, name + " has " + stored.info.size()
            + " bytes: read it by ranges"))
        : Payload.file(vertx, stored.file, 0, (int) stored.info.size()));
  }

  @Override
  public Future<Buffer> read(String name, long offset, int length) {
    return find(name, offset, length).compose(stored ->
        Payload.file(vertx, stored.file, offset, (int) Math.min(length, stored.info.size() - offset))
            .map(part -> {
              Buffer copy = part.toBuffer();
              part.release();
              return copy;
            }));
  }

  @Override
  public Future<List<Extent>> readSparse(String name, long offset, long length) {
    return find(name, offset, length).compose(stored -> vertx.executeBlocking(() -> {
      try (FileChannel channel = FileChannel.open(stored.file)) {
        long end = offset + Math.min(length, stored.info.size() - offset);
        return ExtentReader.read(channel, offset, end, MAX_SPARSE_DATA);
      }
    }, false));
  }

  private Future<Stored> find(String name, long offset, long length) {
    return find(name).compose(stored -> {
      long size = stored.info.size();
      if (offset < 0 || length < 0 || offset > size) {
        return Future.failedFuture(new ServiceException(OUT_OF_RANGE, name + " has " + size
            + " bytes: nothing at " + offset));
      }
      return Future.succeededFuture(stored);
    });
  }

  private Future<Stored> find(String name) {
    Stored stored = blobs.get(name);
    return stored != null ? Future.succeededFuture(stored)
        : Future.failedFuture(new ServiceException(NOT_FOUND, "No blob named " + name));
  }

  @Override
  public Future<List<BlobInfo>> list(String prefix) {
    return Future.succeededFuture(blobs.values().stream().map(Stored::info)
        .filter(info -> info.name().startsWith(prefix)).toList());
  }

  @Override
  public Future<List<String>> differing(List<BlobInfo> expected) {
    List<String> names = new ArrayList<>();
    for (BlobInfo info : expected) {
      Stored stored = blobs.get(info.name());
      if (stored == null || !stored.info.equals(info)) {
        names.add(info.name());
      }
    }
    return Future.succeededFuture(names);
  }
}
