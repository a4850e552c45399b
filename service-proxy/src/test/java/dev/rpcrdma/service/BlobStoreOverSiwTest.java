// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.fixture.BlobEvents;
import dev.rpcrdma.service.fixture.BlobInfo;
import dev.rpcrdma.service.fixture.BlobStore;
import dev.rpcrdma.service.fixture.BlobStoreRpcProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store of blobs over a real connection of the embedded provider. */
class BlobStoreOverSiwTest {

  private final OnVertx onVertx = new OnVertx();
  /** What calls to get "later" wait for. */
  private final BlockingQueue<Promise<Payload>> later = new LinkedBlockingQueue<>();
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;
  private BlobStore blobs;

  @BeforeEach
  void open() throws Throwable {
    server = RpcServer.create(onVertx.vertx()).bind(BlobStore.class, new Store());
    onVertx.await(() -> server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(onVertx.vertx());
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    blobs = channel.proxy(BlobStore.class);
  }

  @AfterEach
  void close() throws Throwable {
    onVertx.await(() -> client.close());
    onVertx.await(() -> server.close());
    onVertx.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 3_000, 70_001, 1 << 20})
  void blobsOfEachSizeComeBack(int length) throws Throwable {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Buffer expected = Buffer.buffer(bytes);
    Payload content = Payload.copyOf(onVertx.vertx(), expected);
    assertThat(onVertx.await(() -> blobs.put("k", content))).isEqualTo(length);
    content.release();

    Payload target = Payload.allocate(onVertx.vertx(), length + 10);
    Payload got = onVertx.await(() -> blobs.get("k", target));
    assertThat(got.toBuffer()).isEqualTo(expected);
    assertThat(target.toBuffer().slice(0, length)).as("in the target").isEqualTo(expected);
    got.release();
    target.release();
    assertThat(onVertx.await(() -> blobs.read("k", 0, length + 1))).isEqualTo(expected);
    assertThat(onVertx.await(() -> blobs.list("")))
        .containsExactly(new BlobInfo("k", length, Buffer.buffer("digest")));

    ConnectionSnapshot snapshot =
        onVertx.await(() -> channel.connect().compose(RpcConnection::snapshot));
    assertThat(snapshot.memory().exposures()).isZero();
    assertThat(snapshot.messages().readChunks() > 0).isEqualTo(length > 4096);
    assertThat(snapshot.messages().writeChunks() > 0).isEqualTo(length > 4096);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 69_999})
  @DisplayName("A result that does not fit into its target fails its call with the room and the cure, however it came")
  void targetTooSmall(int room) throws Throwable {
    Payload content = Payload.copyOf(onVertx.vertx(), Buffer.buffer(new byte[70_000]));
    onVertx.await(() -> blobs.put("k", content));
    Payload target = Payload.allocate(onVertx.vertx(), room);
    assertThatThrownBy(() -> onVertx.await(() -> blobs.get("k", target))).isInstanceOf(RpcException.class)
        .hasMessageNotContaining("A value was refused").hasMessageContaining("@Into")
        .hasMessageContaining("" + room).hasMessageContaining("longer");
    content.release();
    target.release();
  }

  @Test
  void failuresComeBack() {
    assertThatThrownBy(() -> onVertx.await(() -> blobs.read("none", 0, 100_000)))
        .isInstanceOfSatisfying(ServiceException.class,
            e -> assertThat(e.failureCode()).isEqualTo(404)).hasMessage("no none");
  }

  @Test
  @DisplayName("R-326: a call of a proxy is cancelled; its target is the caller's, and not written to")
  void callsOfAProxyAreCancelled() throws Throwable {
    // The server is not told, so that its reply is late.
    onVertx.await(() -> client.close());
    client = RpcClient.create(onVertx.vertx(), new RpcClientOptions().setMetadata(false));
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    blobs = channel.proxy(BlobStore.class);
    Cancellation cancellation = Cancellation.create();
    BlobStore cancellable =
        BlobStoreRpcProxy.with(blobs, CallOptions.DEFAULT.withCancellation(cancellation));
    Buffer old = Buffer.buffer(new byte[70_000]);
    Payload target = Payload.copyOf(onVertx.vertx(), old);
    RpcConnection connection = onVertx.await(channel::connect);
    Future<Payload> get = onVertx.await(() ->
        Future.succeededFuture(cancellable.get("later", target)));
    Promise<Payload> asked = later.poll(10, TimeUnit.SECONDS);
    cancellation.cancel();
    assertThatThrownBy(() -> onVertx.await(() -> get)).isInstanceOf(RpcCancelledException.class);
    assertThatThrownBy(() -> onVertx.await(() -> cancellable.list("")))
        .isInstanceOf(RpcCancelledException.class);
    asked.complete(Payload.copyOf(onVertx.vertx(), Buffer.buffer("x".repeat(70_000))));
    onVertx.await(connection::closeFuture);
    assertThat(target.toBuffer()).isEqualTo(old);
    target.release();
    assertThat(onVertx.await(() -> blobs.list(""))).isEmpty();
  }

  @Test
  void theServerCallsBack() throws Throwable {
    LinkedBlockingQueue<BlobInfo> events = new LinkedBlockingQueue<>();
    channel.bind(BlobEvents.class, info -> {
      events.add(info);
      return Future.succeededFuture();
    });
    Payload content = Payload.copyOf(onVertx.vertx(), Buffer.buffer("abc"));
    onVertx.await(() -> blobs.put("notify", content));
    content.release();
    assertThat(events.poll(10, TimeUnit.SECONDS))
        .isEqualTo(new BlobInfo("notify", 3, Buffer.buffer("digest")));
  }

  @Test
  void eachConnectionMayHaveAServiceOfItsOwn() throws Throwable {
    RpcServer own = RpcServer.create(onVertx.vertx())
        .bindPerConnection(BlobStore.class, connection -> new Store());
    onVertx.await(() -> own.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    SocketAddress address = SocketAddress.inetSocketAddress(own.actualPort(), "127.0.0.1");
    BlobStore first = client.channel(address).proxy(BlobStore.class);
    BlobStore second = client.channel(address).proxy(BlobStore.class);
    Payload content = Payload.copyOf(onVertx.vertx(), Buffer.buffer("abc"));
    onVertx.await(() -> first.put("k", content));
    content.release();
    assertThat(onVertx.await(() -> first.list(""))).hasSize(1);
    assertThat(onVertx.await(() -> second.list(""))).isEmpty();
    onVertx.await(own::close);
  }

  private final class Store implements BlobStore {

    private final Map<String, Buffer> blobs = new ConcurrentHashMap<>();

    @Override
    public Future<Long> put(String name, Payload content) {
      blobs.put(name, content.toBuffer());
      Future<Void> told = name.equals("notify")
          ? RpcCall.current().connection().proxy(BlobEvents.class).stored(info(name))
          : Future.succeededFuture();
      return told.map(none -> (long) content.length());
    }

    @Override
    public Future<Payload> get(String name, Payload target) {
      if (name.equals("later")) {
        Promise<Payload> promise = Promise.promise();
        later.add(promise);
        return promise.future();
      }
      return Future.succeededFuture(Payload.copyOf(onVertx.vertx(), blobs.get(name)));
    }

    @Override
    public Future<Buffer> read(String name, long offset, int length) {
      Buffer blob = blobs.get(name);
      if (blob == null) {
        throw new ServiceException(404, "no " + name);
      }
      int end = (int) Math.min(blob.length(), offset + length);
      return Future.succeededFuture(blob.slice((int) offset, end));
    }

    @Override
    public Future<List<BlobInfo>> list(String prefix) {
      return Future.succeededFuture(blobs.keySet().stream().map(this::info).toList());
    }

    private BlobInfo info(String name) {
      return new BlobInfo(name, blobs.get(name).length(), Buffer.buffer("digest"));
    }
  }
}
