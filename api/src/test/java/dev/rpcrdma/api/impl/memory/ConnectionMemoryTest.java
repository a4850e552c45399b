// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.fabric.RegionListener;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionMemoryTest {

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
  private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();

  /** A domain whose registrations are what a test wants. */
  private record Domain(Future<LocalMemory> registration) implements ProtectionDomain {

    @Override
    public Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing) {
      return registration;
    }

    @Override
    public int registrations() {
      return 0;
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void register(Future<LocalMemory> registration) {
    Payload payload = Payload.allocate(vertx, 100);
    new ConnectionMemory(loop, new Domain(registration), null, null).regionOf((PayloadImpl) payload,
        new RegionListener() {
          @Override
          public void ready(Region region) {
            reasons.add("there is memory");
          }

          @Override
          public void failed(String reason) {
            reasons.add(String.valueOf(reason));
          }
        });
    payload.release();
  }

  /** Fails if a machine is told null, by which it sends a reply without what it promises. */
  @Test
  @DisplayName("What fails without a message fails, at once and later")
  void withoutMessage() {
    VerbsException failure = new VerbsException(VerbsException.Kind.RESOURCES, null);
    register(Future.failedFuture(failure));
    assertThat(Waiting.next(reasons)).contains("VerbsException");
    Promise<LocalMemory> later = Promise.promise();
    register(later.future());
    later.fail(failure);
    assertThat(Waiting.next(reasons)).contains("VerbsException");
  }
}
