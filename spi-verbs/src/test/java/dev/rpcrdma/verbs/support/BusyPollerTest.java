// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event loop that is kept awake: it does all else as ever, ends as ever, and sleeps again. */
@Timeout(60)
class BusyPollerTest {

  private static final long NEVER_OVER = TimeUnit.HOURS.toNanos(1);

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = ((ContextInternal) vertx.getOrCreateContext()).nettyEventLoop();

  @AfterEach
  void closesAsEver() throws Exception {
    await(vertx.close());
  }

  private static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Callable<T> action) throws Exception {
    return loop.submit(action).get(20, TimeUnit.SECONDS);
  }

  private boolean arrived(long window) throws Exception {
    return onLoop(() -> {
      BusyPoller.moved(loop, this, window);
      return BusyPoller.isPolling();
    });
  }

  private boolean isPolling() throws Exception {
    return onLoop(BusyPoller::isPolling);
  }

  @Test
  void tasksAndTimersAreDoneMeanwhile() throws Exception {
    assertThat(arrived(NEVER_OVER)).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(isPolling()).isTrue();
    }
    await(vertx.timer(1));
    assertThat(isPolling()).isTrue();
  }

  @Test
  void isNotKeptAwakeLongerThanWanted() throws Exception {
    assertThat(arrived(TimeUnit.MILLISECONDS.toNanos(1))).isTrue();
    while (isPolling()) {
      Thread.onSpinWait();
    }
    awaitNoTasks();
  }

  /** The look that was due is the last one; it may come after whatever else the loop is given to do. */
  private void awaitNoTasks() throws Exception {
    while (onLoop(((SingleThreadEventLoop) loop)::pendingTasks) > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void sleepsWhenItIsFound() throws Exception {
    assertThat(arrived(NEVER_OVER)).isTrue();
    assertThat(onLoop(() -> {
      BusyPoller.found(this);
      return BusyPoller.isPolling();
    })).isFalse();
    awaitNoTasks();
  }

  @Test
  void staysAwakeForOthersWhenItIsFound() throws Exception {
    assertThat(onLoop(() -> {
      BusyPoller.moved(loop, "first", NEVER_OVER);
      BusyPoller.moved(loop, "second", NEVER_OVER);
      BusyPoller.found("first");
      return BusyPoller.isPolling();
    })).isTrue();
  }

  @Test
  void looksOnceInEachIterationWhateverIsFoundBetween() throws Exception {
    onLoop(() -> {
      for (int i = 0; i < 10; i++) {
        BusyPoller.moved(loop, this, NEVER_OVER);
        BusyPoller.found(this);
      }
      BusyPoller.moved(loop, this, NEVER_OVER);
      return null;
    });
    for (int i = 0; i < 100; i++) {
      assertThat(onLoop(((SingleThreadEventLoop) loop)::pendingTasks)).as("looks")
          .isLessThanOrEqualTo(1);
    }
  }

  @Test
  void otherLoopsAreNotKeptAwake() throws Exception {
    assertThat(arrived(NEVER_OVER)).isTrue();
    EventLoop other = loop.parent().next();
    while (other == loop) {
      other = loop.parent().next();
    }
    assertThat(other.submit(BusyPoller::isPolling).get(20, TimeUnit.SECONDS)).isFalse();
  }

  /** Counts what the loop does with it. */
  private static class Counted implements BusyPoller.Source {

    private int looks;
    private int rests;
    /** Nothing comes behind this look. */
    private int last = -1;

    @Override
    public boolean look() {
      return ++looks != last;
    }

    @Override
    public void rest() {
      rests++;
    }
  }

  /** Fails if {@code BusyPoller.look} does not look at sources, or does not tell them at the end. */
  @Test
  void looksAtSourcesUntilItSleeps() throws Exception {
    Counted source = new Counted();
    assertThat(onLoop(() -> BusyPoller.lookAt(source))).as("asleep").isFalse();
    arrived(NEVER_OVER);
    assertThat(onLoop(() -> BusyPoller.lookAt(source))).isTrue();
    while (onLoop(() -> source.looks) < 10) {
      Thread.onSpinWait();
    }
    assertThat(onLoop(() -> source.rests)).isZero();
    onLoop(() -> {
      BusyPoller.found(this);
      return null;
    });
    awaitNoTasks();
    int looks = onLoop(() -> source.looks);
    assertThat(onLoop(() -> source.rests)).isEqualTo(1);
    arrived(NEVER_OVER);
    awaitLooks();
    assertThat(onLoop(() -> source.looks)).as("it has to ask anew").isEqualTo(looks);
  }

  private void awaitLooks() throws Exception {
    Counted other = new Counted();
    onLoop(() -> BusyPoller.lookAt(other));
    while (onLoop(() -> other.looks) < 3) {
      Thread.onSpinWait();
    }
  }

  /** What comes between the last look and the rest is the source's to tell. */
  @Test
  void sourcesThatFindSomethingWhenTheyRestAreLookedAtAgain() throws Exception {
    Counted source = new Counted() {
      @Override
      public void rest() {
        super.rest();
        BusyPoller.moved(loop, this, NEVER_OVER);
        BusyPoller.lookAt(this);
      }
    };
    arrived(NEVER_OVER);
    onLoop(() -> BusyPoller.lookAt(source));
    onLoop(() -> {
      BusyPoller.found(this);
      return null;
    });
    while (onLoop(() -> source.rests) == 0 || onLoop(() -> source.looks) < 3) {
      Thread.onSpinWait();
    }
    assertThat(isPolling()).isTrue();
  }

  /** Fails if {@code BusyPoller.lookAtSources} keeps them, or leaves out others. */
  @Test
  void sourcesThatHaveEndedAreForgotten() throws Exception {
    Counted first = new Counted();
    Counted ending = new Counted();
    ending.last = 3;
    Counted other = new Counted();
    arrived(NEVER_OVER);
    onLoop(() -> BusyPoller.lookAt(first) && BusyPoller.lookAt(ending) && BusyPoller.lookAt(other));
    awaitLooks();
    while (onLoop(() -> Math.min(first.looks, other.looks)) < 20) {
      Thread.onSpinWait();
    }
    assertThat(onLoop(() -> ending.looks)).isEqualTo(3);
    assertThat(onLoop(() -> Math.abs(first.looks - other.looks))).isZero();
    onLoop(() -> {
      BusyPoller.found(this);
      return null;
    });
    awaitNoTasks();
    assertThat(onLoop(() -> ending.rests)).isZero();
    assertThat(onLoop(() -> first.rests)).isEqualTo(1);
  }

  @Test
  void countsHowOftenItHasBegun() throws Exception {
    assertThat(onLoop(BusyPoller::begun)).isZero();
    arrived(NEVER_OVER);
    arrived(NEVER_OVER);
    assertThat(onLoop(BusyPoller::begun)).isEqualTo(1);
  }

  /** Fails if {@code BusyPoller.afterThisIteration} says that a loop will look which does not any more. */
  @Test
  void aLoopThatEndsLooksAtNothing() throws Exception {
    EventLoop ending = new DefaultEventLoop();
    assertThat(ending.submit(() -> {
      ending.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      BusyPoller.moved(ending, this, NEVER_OVER);
      return BusyPoller.lookAt(new Counted());
    }).get(20, TimeUnit.SECONDS)).isFalse();
  }

  /** Fails if {@code BusyPoller.lookAt} has no bound. */
  @Test
  void looksAtSomeOnly() throws Exception {
    arrived(NEVER_OVER);
    assertThat(onLoop(() -> {
      int taken = 0;
      for (int i = 0; i < 1000; i++) {
        taken += BusyPoller.lookAt(new Counted()) ? 1 : 0;
      }
      return taken;
    })).isEqualTo(64);
  }
}
