// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What may be posted when. */
class PostGateTest {

  private final EventLoop loop = new DefaultEventLoop();
  private final PostGate gate = new PostGate(loop);

  @AfterEach
  void end() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private void onLoop(Runnable action) throws Throwable {
    try {
      loop.submit(action).get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  private void passes(boolean duringSetup) {
    assertThatCode(() -> onLoop(() -> gate.check(duringSetup))).doesNotThrowAnyException();
  }

  private void refuses(boolean duringSetup, String why) {
    assertThatIllegalStateException().isThrownBy(() -> onLoop(() -> gate.check(duringSetup)))
        .withMessageContaining(why);
  }

  /** Fails if {@code PostGate.check} leaves out one of its three conditions. */
  @Test
  @DisplayName("Receives are taken from the setup on, all else while it is connected and flushed, nothing afterwards")
  void phases() {
    passes(true);
    refuses(false, "only Receives");
    gate.connected();
    passes(true);
    passes(false);
    gate.flushing(1);
    passes(true);
    passes(false);
    gate.over();
    refuses(true, "disconnected");
    refuses(false, "disconnected");
  }

  @Test
  @DisplayName("A thread that is not the owning loop's is refused")
  void thread() {
    gate.connected();
    assertThatIllegalStateException().isThrownBy(() -> gate.check(true)).withMessageContaining("event loop");
  }

  /** Fails if {@code PostGate.count} does not count down. */
  @Test
  @DisplayName("While it is flushed, as much is taken as the queues hold")
  void bounded() {
    for (int i = 0; i < 100; i++) {
      gate.count();
    }
    gate.flushing(2);
    gate.count();
    gate.count();
    assertThatIllegalStateException().isThrownBy(gate::count).withMessageContaining("disconnected");
  }
}
