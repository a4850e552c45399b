// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.atomic.AtomicInteger;
import jnr.ffi.LibraryLoader;
import jnr.ffi.annotations.Out;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A descriptor of another library's, an eventfd, on loops of Vert.x with both transports. */
class DescriptorWatchTest {

  private static final int NON_BLOCKING = 2048;

  /** What a device's library would do. */
  public interface Libc {
    int eventfd(int initial, int flags);

    long write(int descriptor, long[] bytes, long count);

    long read(int descriptor, @Out long[] bytes, long count);

    int close(int descriptor);
  }

  private final Libc libc = LibraryLoader.create(Libc.class).load("c");
  private final int descriptor = libc.eventfd(0, NON_BLOCKING);
  private final AtomicInteger told = new AtomicInteger();
  private final AtomicInteger elsewhere = new AtomicInteger();
  private Vertx vertx;

  @AfterEach
  void close() {
    if (vertx != null) {
      Waiting.await(vertx.close());
    }
    assertThat(libc.write(descriptor, new long[] {1}, Long.BYTES)).as("it is still open").isEqualTo(Long.BYTES);
    libc.close(descriptor);
  }

  private EventLoop loop(boolean nativeTransport) {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(nativeTransport));
    return ((ContextInternal) vertx.getOrCreateContext()).nettyEventLoop();
  }

  private void raise() {
    libc.write(descriptor, new long[] {1}, Long.BYTES);
  }

  private DescriptorWatch watch(EventLoop loop, boolean reads) {
    return Waiting.await(DescriptorWatch.begin(loop, descriptor, () -> {
      // Before it is counted: what is raised then has not been read with this.
      if (reads) {
        libc.read(descriptor, new long[1], Long.BYTES);
      }
      (loop.inEventLoop() ? told : elsewhere).incrementAndGet();
    }));
  }

  /** Fails if {@code DescriptorWatch.begin} tells a loop that is not its own without a hop. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("Each event is told on the loop, until it is watched no more")
  void events(boolean nativeTransport) {
    EventLoop loop = loop(nativeTransport);
    DescriptorWatch watch = watch(loop, true);
    assertThat(watch.hops()).isEqualTo(!nativeTransport);
    for (int i = 1; i <= 3; i++) {
      int count = i;
      raise();
      Waiting.until(() -> told.get() >= count);
    }
    watch.end(() -> {});
    watch.end(() -> {});
    DescriptorWatch again = watch(loop, true);
    int before = told.get();
    raise();
    Waiting.until(() -> told.get() > before);
    again.end(() -> {});
    assertThat(elsewhere).hasValue(0);
  }

  /** A lost wake-up would be a silent stall. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("What is there before it is watched is told, and each time something comes it is told again")
  void levels(boolean nativeTransport) {
    EventLoop loop = loop(nativeTransport);
    raise();
    DescriptorWatch watch = watch(loop, false);
    Waiting.until(() -> told.get() >= 1);
    raise();
    Waiting.until(() -> told.get() >= 2);
    watch.end(() -> {});
  }

  /** Fails if {@code DescriptorWatch.begin} waits for the level where it hops: the loop that waits would spin. */
  @Test
  @DisplayName("A loop that hops is told once of what it leaves")
  void once() {
    EventLoop loop = loop(false);
    DescriptorWatch watch = watch(loop, false);
    for (int i = 1; i <= 20; i++) {
      int count = i;
      raise();
      Waiting.until(() -> told.get() >= count);
      Waiting.await(((ContextInternal) vertx.getOrCreateContext()).executeBlocking(() -> null));
    }
    assertThat(told).hasValue(20);
    watch.end(() -> {});
  }

  @Test
  @DisplayName("A loop that has ended is told nothing, and nothing fails")
  void ended() {
    EventLoop loop = loop(false);
    DescriptorWatch watch = watch(loop, true);
    Waiting.await(vertx.close());
    vertx = null;
    Waiting.until(loop::isTerminated);
    raise();
    watch.end(() -> {});
    assertThat(told).hasValue(0);
  }
}
