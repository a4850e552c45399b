// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.service.fixture.Library;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods whose results have no bound, over a real connection of the embedded provider. */
class LargeResultsTest {

  private static final int PAGE = 4096;

  private final OnVertx onVertx = new OnVertx();
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;
  private Library library;

  private void open(boolean pull) throws Throwable {
    server = RpcServer.create(onVertx.vertx()).bind(Library.class, new Shelf());
    onVertx.await(() -> server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.builder(onVertx.vertx()).with(new RpcClientOptions().setPullReplies(pull)).build();
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    library = channel.proxy(Library.class);
  }

  @AfterEach
  void close() throws Throwable {
    onVertx.await(() -> client.close());
    onVertx.await(() -> server.close());
    onVertx.close();
  }

  private ConnectionSnapshot snapshot() throws Throwable {
    return onVertx.await(() -> channel.connect().compose(RpcConnection::snapshot));
  }

  @ParameterizedTest(name = "pulled: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("R-280: a payload, a buffer and a list without a bound, with the feature and without")
  void withoutBound(boolean pull) throws Throwable {
    open(pull);
    for (int pages : new int[] {0, 1, 15}) {
      Payload book = onVertx.await(() -> library.book(pages));
      assertThat(book.length()).isEqualTo(pages * PAGE);
      assertThat(book.toBuffer()).isEqualTo(Shelf.bytes(pages));
      book.release();
    }
    assertThat(onVertx.await(() -> library.page(1))).isEqualTo(Shelf.bytes(1));
    List<String> titles = onVertx.await(() -> library.titles(1000));
    assertThat(titles).hasSize(1000);
    ConnectionSnapshot snapshot = snapshot();
    assertThat(snapshot.messages().pulledReplies()).isEqualTo(pull ? 4 : 0);
    assertThat(snapshot.messages().replyChunks()).isEqualTo(pull ? 0 : 4);
  }

  @Test
  @DisplayName("A payload that was pulled is the memory it was pulled into, and stays when the call is over")
  void payloadStays() throws Throwable {
    open(true);
    Payload first = onVertx.await(() -> library.book(500));
    Payload second = onVertx.await(() -> library.book(501));
    assertThat(first.toBuffer()).isEqualTo(Shelf.bytes(500));
    assertThat(second.toBuffer()).isEqualTo(Shelf.bytes(501));
    first.release();
    second.release();
    assertThat(first.tryRetain()).isFalse();
    assertThat(snapshot().memory().exposures()).isZero();
  }

  /** Makes up what it is asked for. */
  private final class Shelf implements Library {

    private static Buffer bytes(int pages) {
      Buffer buffer = Buffer.buffer();
      for (int i = 0; i < pages * PAGE / 4; i++) {
        buffer.appendInt(i);
      }
      return buffer;
    }

    @Override
    public Future<Payload> book(int pages) {
      return Future.succeededFuture(Payload.copyOf(onVertx.vertx(), bytes(pages)));
    }

    @Override
    public Future<Buffer> page(int number) {
      return Future.succeededFuture(bytes(1));
    }

    @Override
    public Future<List<String>> titles(int count) {
      return Future.succeededFuture(Collections.nCopies(count, "a title of some length"));
    }
  }
}
