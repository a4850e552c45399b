// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.service.fixture.Ages;
import dev.rpcrdma.service.fixture.Ages.Grade;
import dev.rpcrdma.service.fixture.Ages.Item;
import dev.rpcrdma.service.fixture.Ages.LaterGrade;
import dev.rpcrdma.service.fixture.Ages.LaterShape;
import dev.rpcrdma.service.fixture.Ages.LongerItem;
import dev.rpcrdma.service.fixture.Ages.RenamedItem;
import dev.rpcrdma.service.fixture.Ages.Shape;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What docs/service-proxy.md says of changes: an end that is older than the other answers, or refuses. */
@DisplayName("Interfaces of different ages")
class ChangedInterfaceTest {

  private final Vertx vertx = Vertx.vertx();
  private final RpcServer server = RpcServer.builder(vertx).build();
  private final RpcClient client = RpcClient.create(vertx);

  private static final class OlderService implements Ages.Older {
    @Override
    public Future<Item> item(Item item) {
      return Future.succeededFuture(item);
    }

    @Override
    public Future<Grade> grade(Grade grade) {
      return Future.succeededFuture(grade);
    }

    @Override
    public Future<Shape> shape(Shape shape) {
      return Future.succeededFuture(shape);
    }

    @Override
    public Future<Integer> bounded(String text) {
      return Future.succeededFuture(text.length());
    }

    @Override
    public Future<Boolean> present(Optional<String> text) {
      return Future.succeededFuture(text.isPresent());
    }

    @Override
    public Future<Integer> count(Item item) {
      return Future.succeededFuture(item.count());
    }
  }

  private static final class YoungerService implements Ages.Younger {
    @Override
    public Future<RenamedItem> renamed(RenamedItem other) {
      return Future.succeededFuture(other);
    }

    @Override
    public Future<LaterGrade> grade(LaterGrade grade) {
      return Future.succeededFuture(LaterGrade.UGLY);
    }

    @Override
    public Future<LaterShape> shape(LaterShape shape) {
      return Future.succeededFuture(new LaterShape.Line(1, 2));
    }

    @Override
    public Future<Integer> bounded(String text) {
      return Future.succeededFuture(text.length());
    }

    @Override
    public Future<Boolean> present(String text) {
      return Future.succeededFuture(text != null);
    }

    @Override
    public Future<Integer> count(LongerItem item) {
      return Future.succeededFuture(item.count());
    }

    @Override
    public Future<String> added() {
      return Future.succeededFuture("added");
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private <T> T caller(Class<T> program) {
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1")).proxy(program);
  }

  private static void assertRejected(Future<?> call, AcceptStatus status) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcRejectedException.class,
        e -> assertThat(e.acceptStatus()).contains(status));
  }

  /** Fails if a name crosses. */
  @Test
  @DisplayName("A younger client of an older server: names do not matter; what is new is refused, and nothing misread")
  void youngerClient() {
    server.bind(Ages.Older.class, new OlderService());
    Ages.Younger younger = caller(Ages.Younger.class);

    assertThat(Waiting.await(younger.renamed(new RenamedItem("tea", 2)))).isEqualTo(new RenamedItem("tea", 2));
    assertThat(Waiting.await(younger.grade(LaterGrade.BAD))).isEqualTo(LaterGrade.BAD);
    assertRejected(younger.grade(LaterGrade.UGLY), AcceptStatus.GARBAGE_ARGS);
    assertThat(Waiting.await(younger.shape(new LaterShape.Point(3)))).isEqualTo(new LaterShape.Point(3));
    assertRejected(younger.shape(new LaterShape.Line(1, 2)), AcceptStatus.GARBAGE_ARGS);
    assertThat(Waiting.await(younger.bounded("four"))).isEqualTo(4);
    assertRejected(younger.bounded("longer"), AcceptStatus.GARBAGE_ARGS);
    assertThat(Waiting.await(younger.present(null))).isFalse();
    assertThat(Waiting.await(younger.present("here"))).isTrue();
    assertRejected(younger.count(new LongerItem("tea", 2, true)), AcceptStatus.GARBAGE_ARGS);
    assertRejected(younger.added(), AcceptStatus.PROC_UNAVAIL);
  }

  /** Fails if what is left of a message, or is missing in it, is not noticed. */
  @Test
  @DisplayName("An older client of a younger server: results that are new to it are refused by it")
  void olderClient() {
    server.bind(Ages.Younger.class, new YoungerService());
    Ages.Older older = caller(Ages.Older.class);

    assertThat(Waiting.await(older.item(new Item("tea", 2)))).isEqualTo(new Item("tea", 2));
    assertThat(Waiting.awaitFailure(older.grade(Grade.GOOD))).isInstanceOf(RpcDecodingException.class);
    assertThat(Waiting.awaitFailure(older.shape(new Shape.Dot(1)))).isInstanceOf(RpcDecodingException.class);
    assertThat(Waiting.await(older.bounded("four"))).isEqualTo(4);
    assertThat(Waiting.await(older.present(Optional.empty()))).isFalse();
    assertRejected(older.count(new Item("tea", 2)), AcceptStatus.GARBAGE_ARGS);
  }

  /** Fails if a server keeps programs by their numbers alone. */
  @Test
  @DisplayName("One server serves both versions of a program")
  void versions() {
    server.bind(Ages.Older.class, new OlderService());
    server.bind(Ages.Next.class, () -> Future.succeededFuture("next"));
    Ages.Older older = caller(Ages.Older.class);
    Ages.Next next = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
        .proxy(Ages.Next.class);

    assertThat(Waiting.await(older.bounded("four"))).isEqualTo(4);
    assertThat(Waiting.await(next.name())).isEqualTo("next");
  }
}
