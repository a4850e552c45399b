// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.PayloadStreams;
import dev.rpcrdma.api.PayloadWriter;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.fixture.FileStore;
import dev.rpcrdma.service.fixture.FileStoreRpcProxy;
import dev.rpcrdma.testkit.ManualPage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/payloads.md: it is here, and it works over the embedded provider. */
class PayloadsPageTest {

  private static final int SIZE = 10_000_001;

  private final OnVertx onVertx = new OnVertx();
  private final Vertx vertx = onVertx.vertx();
  @TempDir
  private Path directory;
  private Path film;
  private byte[] bytes;
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;
  private FileStore store;

  /** Files of a directory, by their names. */
  private static final class Service implements FileStore {

    private final Vertx vertx;
    private final Path directory;

    Service(Vertx vertx, Path directory) {
      this.vertx = vertx;
      this.directory = directory;
    }

    @Override
    public Future<Void> write(String name, long offset, Payload part) {
      return part.writeTo(vertx, directory.resolve(name), offset);
    }

    @Override
    public Future<Payload> read(String name, long offset, int length) {
      return Payload.file(vertx, directory.resolve(name), offset, length);
    }
  }

  Future<Void> upload(Path film, long size) {
    return PayloadStreams.forEachRange(vertx, 0, size, PayloadStreamOptions.DEFAULT,
        (offset, length) -> Payload.file(vertx, film, offset, length),
        (offset, part) -> store.write("film", offset, part));
  }

  Future<Long> upload(ReadStream<Buffer> body) {
    return PayloadStreams.forEach(vertx, body, PayloadStreamOptions.DEFAULT.withMaxInFlight(8),
        (offset, part) -> store.write("film", offset, part));
  }

  Future<Void> download(long size, WriteStream<Buffer> response) {
    PayloadWriter writer = PayloadWriter.to(vertx, response);
    return PayloadStreams.forEachRange(vertx, 0, size, PayloadStreamOptions.DEFAULT,
        (offset, length) -> store.read("film", offset, length),
        (offset, part) -> writer.write(part));
  }

  Future<Void> download(long size, Path film) {
    return PayloadStreams.forEachRange(vertx, 0, size, PayloadStreamOptions.DEFAULT,
        (offset, length) -> store.read("film", offset, length),
        (offset, part) -> part.writeTo(vertx, film, offset));
  }

  Future<Void> upload(Path film, long size, Cancellation cancellation) {
    FileStore cancellable =
        FileStoreRpcProxy.with(store, CallOptions.DEFAULT.withCancellation(cancellation));
    return PayloadStreams.forEachRange(vertx, 0, size,
        PayloadStreamOptions.DEFAULT.withCancellation(cancellation),
        (offset, length) -> Payload.file(vertx, film, offset, length),
        (offset, part) -> cancellable.write("film", offset, part));
  }

  @BeforeEach
  void open() throws Throwable {
    bytes = new byte[SIZE];
    new Random(1).nextBytes(bytes);
    film = Files.write(directory.resolve("source"), bytes);
    Path stored = Files.createDirectory(directory.resolve("stored"));
    server = RpcServer.create(vertx).bind(FileStore.class, new Service(vertx, stored));
    onVertx.await(() -> server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(vertx);
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    store = channel.proxy(FileStore.class);
  }

  @AfterEach
  void close() throws Throwable {
    onVertx.await(() -> client.close());
    onVertx.await(() -> server.close());
    onVertx.close();
  }

  private Path stored() {
    return directory.resolve("stored/film");
  }

  private AsyncFile open(Path path, OpenOptions options) throws Throwable {
    return onVertx.await(() -> vertx.fileSystem().open(path.toString(), options));
  }

  @Test
  @DisplayName("A file goes there by ranges, and comes back into a file and into a stream")
  void files() throws Throwable {
    onVertx.await(() -> upload(film, SIZE));
    assertThat(stored()).hasBinaryContent(bytes);
    Path copy = directory.resolve("copy");
    onVertx.await(() -> download(SIZE, copy));
    assertThat(copy).hasBinaryContent(bytes);
    Path streamed = directory.resolve("streamed");
    AsyncFile response = open(streamed, new OpenOptions());
    onVertx.await(() -> download(SIZE, response).eventually(response::close));
    assertThat(streamed).hasBinaryContent(bytes);
    assertNothingExposed();
  }

  @Test
  @DisplayName("A stream goes there by payloads")
  void streams() throws Throwable {
    AsyncFile body = open(film, new OpenOptions().setWrite(false));
    assertThat(onVertx.await(() -> upload(body).eventually(body::close))).isEqualTo(SIZE);
    assertThat(stored()).hasBinaryContent(bytes);
    assertNothingExposed();
  }

  @Test
  @DisplayName("What the service refuses ends the stream with that")
  void refused() throws Throwable {
    Files.createDirectory(stored());
    assertThatThrownBy(() -> onVertx.await(() -> upload(film, SIZE))).isInstanceOf(RpcRejectedException.class);
    assertNothingExposed();
  }

  @Test
  @DisplayName("A range behind the end of the file ends the stream")
  void tooLong() {
    assertThatThrownBy(() -> onVertx.await(() -> upload(film, 2 * SIZE))).isInstanceOf(IOException.class)
        .hasMessageContaining("has " + SIZE + " bytes");
  }

  @Test
  @DisplayName("Cancelling ends the stream and its calls")
  void cancelled() {
    Cancellation cancellation = Cancellation.create();
    assertThatThrownBy(() -> onVertx.await(() -> {
      Future<Void> upload = upload(film, SIZE, cancellation);
      cancellation.cancel();
      return upload;
    })).isInstanceOf(RpcCancelledException.class);
  }

  private void assertNothingExposed() throws Throwable {
    ConnectionSnapshot snapshot = onVertx.await(() -> channel.connect().compose(RpcConnection::snapshot));
    assertThat(snapshot.memory().exposures()).isZero();
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(ManualPage.of("payloads.md").notIn(
        Path.of("src/test/java/dev/rpcrdma/service/PayloadsPageTest.java"),
        Path.of("src/test/java/dev/rpcrdma/service/fixture/FileStore.java"))).isEmpty();
  }
}
