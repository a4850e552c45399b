package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChunkPoolTest {

  private final Vertx vertx = Vertx.vertx();
  private final ChunkPool pool = new ChunkPool(vertx, 100, 2);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Memory is used again by the next one when its last owner has let go, and not before")
  void usedAgain() {
    Payload first = Waiting.await(pool.take());
    Payload second = Waiting.await(pool.take());
    first.bytes().put(0, (byte) 7);
    Future<Payload> third = pool.take();
    Future<Payload> fourth = pool.take();
    Payload slice = first.slice(0, 1);
    first.retain();
    first.release();
    first.release();
    assertThat(third.isComplete()).isFalse();
    slice.release();
    assertThat(third.isComplete()).isTrue();
    assertThat(third.result().bytes().get(0)).isEqualTo((byte) 7);
    assertThat(fourth.isComplete()).isFalse();
    assertThat(pool.bytes()).isEqualTo(200);
    assertThat(first.tryRetain()).isFalse();
    third.result().release();
    assertThat(fourth.isComplete()).isTrue();
    fourth.result().release();
    second.release();
    assertThat(Waiting.await(pool.take()).length()).isEqualTo(100);
    assertThat(pool.bytes()).isEqualTo(200);
  }

  @Test
  @DisplayName("Closing fails those who wait; what is in use comes back later")
  void closing() {
    Payload first = Waiting.await(pool.take());
    Waiting.await(pool.take());
    Future<Payload> waiting = pool.take();
    pool.close();
    assertThat(Waiting.awaitFailure(waiting)).isInstanceOf(VerbsException.class);
    assertThat(Waiting.awaitFailure(pool.take())).isInstanceOf(VerbsException.class);
    assertThat(first.bytes().remaining()).isEqualTo(100);
    first.release();
  }
}
