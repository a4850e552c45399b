// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The client of the demo: stores every file below a directory, lists what is stored, has the list
 * checked, reads every file back, and compares digests. Runs on one context.
 */
public final class BlobDemo {

  /** Smaller files are read and sent inline; larger ones are pulled from the file by the server. */
  private static final int INLINE = 3 * 1024;

  private final Vertx vertx;
  private final Path directory;
  private final DemoListener listener;
  private final Map<String, String> sent = new HashMap<>();
  private final Map<String, BlobInfo> reported = new HashMap<>();
  private final AtomicLong done = new AtomicLong();
  private RpcChannel channel;
  private BlobStore blobs;
  private SourceTree tree;
  private long totalBytes;
  private int equal;

  /**
   * Creates a demo.
   *
   * @param vertx reads files on its workers
   * @param directory what to store
   * @param listener follows it
   */
  public BlobDemo(Vertx vertx, Path directory, DemoListener listener) {
    this.vertx = vertx;
    this.directory = directory;
    this.listener = listener;
  }

  /**
   * Runs it.
   *
   * @param through a channel to a server that serves {@link BlobStore}
   * @return what it did
   */
  public Future<DemoReport> run(RpcChannel through) {
    channel = through;
    channel.bind(BlobEvents.class, info -> {
      reported.put(info.name(), info);
      return Future.succeededFuture();
    });
    blobs = channel.proxy(BlobStore.class);
    return vertx.executeBlocking(() -> SourceTree.of(directory)).compose(this::transfer);
  }

  private Future<DemoReport> transfer(SourceTree found) {
    tree = found;
    totalBytes = tree.files().stream().mapToLong(SourceFile::size).sum();
    long start = System.nanoTime();
    return Window.forEach(tree.files(), this::put)
        .compose(stored -> {
          long putNanos = System.nanoTime() - start;
          return check().compose(checked -> {
            done.set(0);
            long getStart = System.nanoTime();
            return Window.forEach(tree.files(), this::get)
                .compose(read -> report(putNanos, System.nanoTime() - getStart));
          });
        });
  }

  // Storing

  private Future<Void> put(SourceFile file) {
    return load(file).compose(content -> vertx
        .executeBlocking(() -> Digest.of(content.bytes()), false)
        .compose(digest -> {
          sent.put(file.name(), digest);
          return blobs.put(file.name(), content);
        })
        .onComplete(any -> content.release())
        .compose(stored -> stored == file.size() ? progress("store", file)
            : Future.failedFuture(new IOException(file.path() + ": " + stored + " of "
                + file.size() + " bytes were stored"))));
  }

  private Future<Payload> load(SourceFile file) {
    if (file.size() > INLINE) {
      return Payload.file(vertx, file.path(), 0, file.size());
    }
    return vertx.executeBlocking(() -> Payload.copyOf(vertx,
        Buffer.buffer(Files.readAllBytes(file.path()))), false);
  }

  // Listing

  /** A long reply, of which nobody has to say how long it may be, and a long call. */
  private Future<Void> check() {
    return blobs.list("").compose(list -> list.size() == tree.files().size()
        ? blobs.differing(expected()) : Future.failedFuture(new IOException("The server lists "
            + list.size() + " of " + tree.files().size() + " blobs")))
        .compose(names -> names.isEmpty() ? Future.succeededFuture()
            : Future.failedFuture(new IOException("Stored with another digest: " + names)));
  }

  private List<BlobInfo> expected() {
    List<BlobInfo> all = new ArrayList<>(tree.files().size());
    for (SourceFile file : tree.files()) {
      all.add(new BlobInfo(file.name(), file.size(), sent.get(file.name())));
    }
    return all;
  }

  // Reading back

  private Future<Void> get(SourceFile file) {
    Payload target = Payload.allocate(vertx, file.size());
    return blobs.get(file.name(), target)
        .compose(content -> vertx.executeBlocking(() -> Digest.of(content.bytes()), false)
            .onComplete(any -> content.release()))
        .onComplete(any -> target.release())
        .compose(digest -> {
          BlobInfo report = reported.get(file.name());
          boolean same = digest.equals(sent.get(file.name()));
          equal += same && report != null && digest.equals(report.digest()) ? 1 : 0;
          return progress("read back", file);
        });
  }

  private Future<Void> progress(String phase, SourceFile file) {
    listener.progress(phase, done.addAndGet(file.size()), totalBytes);
    return Future.succeededFuture();
  }

  private Future<DemoReport> report(long putNanos, long getNanos) {
    return channel.connect().compose(RpcConnection::snapshot).map(snapshot ->
        new DemoReport(directory.toString(), tree.files().size(), totalBytes, tree.skipped(),
            reported.size(), equal, putNanos, getNanos, snapshot.messages()));
  }
}
