// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.service.eventbus.EventBusChannel;
import dev.rpcrdma.service.eventbus.RpcServiceBinder;
import dev.rpcrdma.service.fixture.Leases;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Owners of payloads that a service returns. */
class LeasesTest {

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Payload> given = new LinkedBlockingQueue<>();
  private Leases proxy;

  private Future<Payload> give(int length) {
    Payload payload = Payload.allocate(vertx, length);
    given.add(payload);
    return Future.succeededFuture(payload);
  }

  private static boolean isReleased(Payload payload) {
    try {
      payload.bytes();
      return false;
    } catch (IllegalStateException released) {
      return true;
    }
  }

  private void assertReleased() {
    Payload payload = Waiting.next(given);
    Waiting.until(() -> isReleased(payload));
  }

  @BeforeEach
  void open() {
    Waiting.await(new RpcServiceBinder(vertx).setAddress("leases").register(Leases.class, new Leases() {
      @Override
      public Future<Payload> copied(int length) {
        return give(length);
      }

      @Override
      public Future<Payload> placed(int length) {
        return give(length);
      }
    }));
    proxy = EventBusChannel.create(vertx, "leases").proxy(Leases.class);
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static void assertLength(Future<Payload> outcome, int length) {
    Payload payload = Waiting.await(outcome);
    assertThat(payload.length()).isEqualTo(length);
    payload.release();
  }

  /** Fails if {@code HandlerCall.Reply} leaves to the message what the message does not carry as a data item. */
  @Test
  @DisplayName("A payload that a service returns is released, with @DirectPlacement or without, also if it is too long")
  void released() {
    assertLength(proxy.placed(16), 16);
    assertReleased();
    assertLength(proxy.copied(16), 16);
    assertReleased();
    assertThat(Waiting.awaitFailure(proxy.placed(17))).isInstanceOf(RpcRejectedException.class);
    assertReleased();
    assertThat(Waiting.awaitFailure(proxy.copied(17))).isInstanceOf(RpcRejectedException.class);
    assertReleased();
  }
}
