// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reply of data and holes in a number that nobody knows before: no call makes room for it. */
class SparseReadTest {

  private static final int BLOCK = ExtentReader.BLOCK;

  @TempDir
  Path directory;

  private final Vertx vertx = Vertx.vertx();
  private DirectoryBlobStore store;
  private RpcServer server;

  @BeforeEach
  void listen() {
    store = new DirectoryBlobStore(vertx, directory);
    server = RpcServer.builder(vertx).build();
    server.bind(BlobStore.class, store);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcChannel channel(RpcClientOptions options) {
    return RpcClient.builder(vertx).with(options).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  /** A blob of two blocks each: data, a hole, data, and so on. */
  private Buffer stripes(BlobStore blobs, int count) {
    Buffer all = Buffer.buffer();
    for (int i = 0; i < count; i++) {
      byte[] stripe = new byte[2 * BLOCK];
      stripe[BLOCK + i] = (byte) (1 - i % 2);
      stripe[i] = (byte) (1 - i % 2);
      all.appendBytes(stripe);
    }
    Payload content = Payload.copyOf(vertx, all);
    Waiting.await(blobs.put("stripes", content).onComplete(any -> content.release()));
    return all;
  }

  @Test
  @DisplayName("R-280 R-282: a sparse read is pulled, and offers no Reply chunk")
  void pulled() {
    RpcChannel channel = channel(new RpcClientOptions());
    BlobStore blobs = channel.proxy(BlobStore.class);
    Buffer all = stripes(blobs, 100);
    List<Extent> extents = Waiting.await(blobs.readSparse("stripes", 0, Long.MAX_VALUE));
    assertThat(extents).hasSize(100);
    for (int i = 0; i < 100; i++) {
      Extent extent = extents.get(i);
      assertThat(extent.offset()).isEqualTo(i * 2L * BLOCK);
      assertThat(extent.length()).isEqualTo(2L * BLOCK);
      assertThat(extent.data().isPresent()).isEqualTo(i % 2 == 0);
      extent.data().ifPresent(data -> assertThat(data)
          .isEqualTo(all.getBuffer((int) extent.offset(), (int) extent.end())));
    }
    ConnectionSnapshot snapshot = Waiting.await(Waiting.await(channel.connect()).snapshot());
    assertThat(snapshot.messages().pulledReplies()).isEqualTo(1);
    assertThat(snapshot.messages().replyChunks()).isZero();
  }

  @Test
  @DisplayName("C-25: without the feature it has to be said how large the reply may be")
  void bounded() {
    BlobStore blobs = channel(new RpcClientOptions().setPullReplies(false)).proxy(BlobStore.class);
    stripes(blobs, 100);
    assertThat(Waiting.awaitFailure(blobs.readSparse("stripes", 0, Long.MAX_VALUE)))
        .isInstanceOf(RpcTransportException.class).hasMessageContaining("withMaxReply");
    BlobStore roomy = BlobStoreRpcProxy.with(blobs, CallOptions.DEFAULT.withMaxReply(1 << 20));
    assertThat(Waiting.await(roomy.readSparse("stripes", 0, Long.MAX_VALUE))).hasSize(100);
  }

  @Test
  @DisplayName("What is larger than the store answers with is read by several calls")
  void several() throws IOException {
    Path file = directory.resolve("dense");
    try (FileChannel dense = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      byte[] megabyte = new byte[1 << 20];
      Arrays.fill(megabyte, (byte) 7);
      for (int i = 0; i < 20; i++) {
        dense.write(ByteBuffer.wrap(megabyte));
      }
    }
    store.offer("dense", file);
    BlobStore blobs = channel(new RpcClientOptions()).proxy(BlobStore.class);
    List<Extent> extents = new ArrayList<>();
    Digest digest = new Digest();
    for (long at = 0; at < 20 << 20; at = extents.get(extents.size() - 1).end()) {
      List<Extent> some = Waiting.await(blobs.readSparse("dense", at, (20 << 20) - at));
      some.forEach(digest::add);
      extents.addAll(some);
    }
    assertThat(extents).extracting(Extent::length).containsExactly(16L << 20, 4L << 20);
    assertThat(digest.hex()).isEqualTo(Waiting.await(blobs.list("dense")).get(0).digest());
  }

  @Test
  @DisplayName("A part that is not there is refused, and a file that was offered stays its owner's")
  void refused() throws IOException {
    Path file = Files.write(directory.resolve("mine"), new byte[10]);
    store.offer("blob", file);
    BlobStore blobs = channel(new RpcClientOptions()).proxy(BlobStore.class);
    assertThat(Waiting.awaitFailure(blobs.readSparse("blob", 11, 1))).isInstanceOf(ServiceException.class)
        .hasMessageContaining("blob has 10 bytes: nothing at 11");
    assertThat(Waiting.awaitFailure(blobs.readSparse("none", 0, 1))).hasMessageContaining("No blob named none");
    assertThat(Waiting.await(blobs.readSparse("blob", 10, 1))).isEmpty();
    Payload content = Payload.copyOf(vertx, Buffer.buffer("other"));
    Waiting.await(blobs.put("blob", content).onComplete(any -> content.release()));
    assertThat(file).exists();
  }
}
