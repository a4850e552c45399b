// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.impl.replies.ReplyRoom.Share;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The reply rooms of one device. */
class ReplyRoomsTest {

  private final Vertx vertx = Vertx.vertx();
  private final ReplyRooms rooms = new ReplyRooms(vertx, "test");

  @AfterEach
  void close() {
    rooms.close();
    Waiting.await(vertx.close());
  }

  private static ReplyRoom.Waiting call(Runnable admitted) {
    return new ReplyRoom.Waiting() {

      @Override
      public int bytes() {
        return 30;
      }

      @Override
      public long deadline() {
        return Long.MAX_VALUE;
      }

      @Override
      public void admitted(Share share) {
        admitted.run();
      }
    };
  }

  /** Fails if {@code ReplyRooms.usual} takes another share, or more memory than there is. */
  @Test
  @DisplayName("There is a room for each bound; without a bound a quarter of the heap, or of direct memory")
  void bounds() {
    assertThat(rooms.of(100)).isSameAs(rooms.of(100)).isNotSameAs(rooms.of(101));
    assertThat(rooms.of(100).maxBytes()).isEqualTo(100);
    assertThat(rooms.of(0).maxBytes()).isPositive()
        .isEqualTo(Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.estimateMaxDirectMemory()) / 4);
  }

  /** Fails if {@code ReplyRooms.usedBytes} or {@code waiting} leaves out a room. */
  @Test
  @DisplayName("Bytes and calls of all rooms count together; a call that waits is let in when there is room")
  void sums() {
    Share first = rooms.of(100).enter(new ReplyRoom.Line(), 60, Long.MAX_VALUE);
    Share second = rooms.of(200).enter(new ReplyRoom.Line(), 7, Long.MAX_VALUE);
    assertThat(rooms.usedBytes()).isEqualTo(67);
    assertThat(rooms.waiting()).isZero();
    CountDownLatch admitted = new CountDownLatch(1);
    ReplyRoom.Line line = new ReplyRoom.Line();
    rooms.of(100).take(line, 1);
    rooms.of(100).await(line, call(admitted::countDown));
    assertThat(rooms.waiting()).isOne();
    first.run();
    second.run();
    Waiting.await(admitted);
    assertThat(rooms.waiting()).isZero();
    assertThat(rooms.usedBytes()).isEqualTo(31);
  }

  /** Fails if {@code ReplyRooms.tell} says nothing, or {@code room} hands it to nobody. */
  @Test
  @DisplayName("The log tells of calls that have waited for a second")
  void crowded() {
    try (LoggedMessages logged = new LoggedMessages(ReplyRooms.class.getName())) {
      rooms.of(100).enter(new ReplyRoom.Line(), 100, Long.MAX_VALUE);
      rooms.of(100).await(new ReplyRoom.Line(), call(() -> { }));
      Waiting.until(() -> !logged.all().isEmpty());
      assertThat(logged.all().get(0)).startsWith("1 calls wait before their services get them")
          .contains("replies of 100 bytes").contains("maxPendingReplyBytes is 100");
    }
  }
}
