// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.PairLife.State;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The states, turns and end that all providers' queue pairs have in common. */
class PairLifeTest {

  private final Vertx vertx = Vertx.vertx();
  private final ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
  /** What the provider, and the consumer, were called for. Used on the loop. */
  private final List<String> events = new ArrayList<>();
  private final Provider provider = new Provider();
  private final PairLife life = new PairLife(context, provider);
  private Runnable whenCompleted = () -> { };
  private Runnable whenBatchEnds = () -> { };
  private Runnable whenDisconnected = () -> { };

  @BeforeEach
  void setUp() throws Exception {
    onLoop(() -> life.setUp(Handler::new));
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private void onLoop(Runnable action) throws Exception {
    ask(() -> {
      action.run();
      return null;
    });
  }

  private <T> T ask(Callable<T> action) throws Exception {
    try {
      return context.nettyEventLoop().submit(action).get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  private static DisconnectReason why(Kind kind, String detail) {
    return new DisconnectReason(kind, detail);
  }

  /** Fails if {@code PairLife.open} begins from another state than STARTING, or does not open the gate. */
  @Test
  @DisplayName("It opens once, tells so in a turn, and not after it was closed")
  void opens() throws Exception {
    onLoop(() -> {
      assertThat(life.state()).isEqualTo(State.STARTING);
      assertThatIllegalStateException().isThrownBy(() -> life.gate().check(false));
      assertThat(life.open()).isTrue();
      assertThat(life.isOpen() && life.sends() && life.wasEstablished()).isTrue();
      life.gate().check(false);
      assertThat(events).containsExactly("established", "end", "turn ended");
      assertThat(life.open()).isFalse();
      PairLife other = new PairLife(context, provider);
      other.setUp(Handler::new);
      assertThat(other.beginClosing(why(Kind.LOCAL_CLOSE, "closed"))).isTrue();
      assertThat(other.open()).isFalse();
      assertThat(other.wasEstablished()).isFalse();
    });
  }

  /** Fails if a state can be entered from a later one. */
  @Test
  @DisplayName("States go forward alone, and the first reason counts")
  void forward() throws Exception {
    onLoop(() -> {
      life.open();
      assertThat(life.beginClosing(why(Kind.LOCAL_CLOSE, "first"))).isTrue();
      assertThat(life.state()).isEqualTo(State.CLOSING);
      assertThat(life.sends()).isTrue();
      assertThat(life.isOpen()).isFalse();
      assertThat(life.beginClosing(why(Kind.REMOTE_CLOSE, "second"))).isFalse();
      assertThat(life.beginEnding()).isTrue();
      assertThat(life.state()).isEqualTo(State.ENDING);
      assertThat(life.sends()).isFalse();
      assertThat(life.beginEnding()).isFalse();
      assertThat(life.beginClosing(why(Kind.REMOTE_CLOSE, "third"))).isFalse();
      life.because(why(Kind.LOCAL_ERROR, "fourth"));
      assertThat(life.reason()).isEqualTo(why(Kind.LOCAL_CLOSE, "first"));
      life.finish();
      assertThat(life.state()).isEqualTo(State.GONE);
      assertThat(life.beginEnding()).isFalse();
    });
  }

  /** Fails if {@code PairLife.turnLater} does not see the turn that is under way. */
  @Test
  @DisplayName("A turn that is under way tells what is asked for in it: no other one follows")
  void turnUnderWay() throws Exception {
    onLoop(() -> {
      life.open();
      events.clear();
      provider.done = 1;
      life.upcalls().beginTurn();
      life.turnLater();
      life.endTurn();
    });
    onLoop(() -> assertThat(events).containsExactly("SUCCESS", "end", "turn ended"));
  }

  /** Fails if {@code PairLife.endTurn} forgets what did not fit in the turn. */
  @Test
  @DisplayName("What does not fit in a turn has another one, and the provider sends behind each")
  void turns() throws Exception {
    onLoop(() -> {
      life.open();
      events.clear();
      provider.done = 300;
      life.upcalls().beginTurn();
      life.endTurn();
      assertThat(provider.done).isEqualTo(300 - 256);
    });
    onLoop(() -> {
      assertThat(provider.done).isZero();
      assertThat(events).hasSize(300 + 2 * 2).endsWith("SUCCESS", "end", "turn ended");
      life.beginEnding();
      provider.done = 1;
      life.turnLater();
    });
    onLoop(() -> assertThat(provider.done).as("told while the end is awaited").isZero());
  }

  /** Fails if {@code PairLife.turnLater} has a turn for each call, none when it is called by others, or throws. */
  @Test
  @DisplayName("Any thread may ask for a turn: many times for one, and in vain once it is over or the loop has ended")
  void turnsOfOthers() throws Exception {
    onLoop(() -> {
      life.turnLater();
      life.open();
      events.clear();
    });
    onLoop(() -> {
      events.clear();
      // What another thread has for it may come too late for this turn.
      life.upcalls().beginTurn();
      Thread other = new Thread(() -> {
        life.turnLater();
        life.turnLater();
      });
      other.start();
      try {
        other.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      life.endTurn();
    });
    onLoop(() -> {
      assertThat(events).containsExactly("turn ended", "turn ended");
      life.beginEnding();
      life.finish();
      events.clear();
      life.turnLater();
    });
    onLoop(() -> assertThat(events).isEmpty());
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    life.turnLater();
  }

  /** Fails if {@code PairLife.finish} stops before all is told, lets more be posted, or tells of the end too early. */
  @Test
  @DisplayName("At the end all is told of, also what is posted meanwhile, then the end, and nothing is taken any more")
  void finishes() throws Exception {
    onLoop(() -> {
      life.open();
      life.beginEnding();
      life.because(why(Kind.REMOTE_CLOSE, "gone"));
      events.clear();
      provider.posted = 2;
      provider.more = 1;
      assertThat(life.whenGone().isComplete()).isFalse();
      life.whenGone().onComplete(done -> events.add("closed"));
      life.finish();
      assertThat(events).startsWith("end work", "FLUSHED", "FLUSHED", "end", "end work", "FLUSHED", "end",
          "REMOTE_CLOSE gone");
      assertThatIllegalStateException().isThrownBy(() -> life.gate().check(true)).withMessageContaining("disconnected");
    });
    onLoop(() -> assertThat(events).last().isEqualTo("closed"));
  }

  /** Fails if {@code PairLife.finish} does not say to the gate that it flushes, or how much may still be posted. */
  @Test
  @DisplayName("While it is flushed as much may be posted as both queues hold")
  void bounded() throws Exception {
    onLoop(() -> {
      life.open();
      provider.posted = 1;
      whenCompleted = () -> {
        assertThat(life.state()).isEqualTo(State.FLUSHING);
        for (int i = 0; i < provider.capacity(); i++) {
          life.gate().count();
        }
        assertThatIllegalStateException().isThrownBy(life.gate()::count);
        events.add("bounded");
      };
      life.finish();
      assertThat(events).contains("bounded");
    });
  }

  /** Fails if {@code PairLife.endTurn} or {@code finish} forgets what a handler asks for as its batch ends. */
  @Test
  @DisplayName("What is revoked as a batch ends is told of in another turn, and before the end")
  void askedForAsBatchEnds() throws Exception {
    onLoop(() -> {
      life.open();
      whenBatchEnds = () -> {
        whenBatchEnds = () -> { };
        life.upcalls().revokedLater(new Token("owner"));
      };
      events.clear();
      provider.done = 1;
      life.upcalls().beginTurn();
      life.endTurn();
    });
    onLoop(() -> {
      assertThat(events).containsExactly("SUCCESS", "end", "turn ended", "revoked", "end", "turn ended");
      whenBatchEnds = () -> {
        whenBatchEnds = () -> { };
        life.upcalls().revokedLater(new Token("owner"));
      };
      events.clear();
      provider.posted = 1;
      life.finish();
      assertThat(events).containsExactly("end work", "FLUSHED", "end", "end work", "revoked", "end",
          "REMOTE_CLOSE The connection was lost");
    });
  }

  /** Fails if {@code PairLife.finish} closes the gate behind the last upcall. */
  @Test
  @DisplayName("The last upcall can post nothing")
  void nothingIsPostedAtTheEnd() throws Exception {
    onLoop(() -> {
      life.open();
      whenDisconnected = () -> assertThatIllegalStateException().isThrownBy(() -> life.gate().check(true))
          .withMessageContaining("disconnected");
      life.finish();
      assertThat(events).last().isEqualTo("REMOTE_CLOSE The connection was lost");
    });
  }

  /** Fails if {@code PairLife.reason} leaves out one of its conditions. */
  @Test
  @DisplayName("A connection that was never up was not established, unless this side has closed it")
  void neverUp() throws Exception {
    onLoop(() -> {
      life.because(why(Kind.LOCAL_ERROR, "no memory"));
      assertThat(life.reason()).isEqualTo(why(Kind.NOT_ESTABLISHED, "no memory"));
      PairLife closed = new PairLife(context, provider);
      closed.beginClosing(why(Kind.LOCAL_CLOSE, "closed"));
      assertThat(closed.reason()).isEqualTo(why(Kind.LOCAL_CLOSE, "closed"));
      PairLife lost = new PairLife(context, provider);
      lost.setUp(Handler::new);
      lost.open();
      assertThat(lost.reason()).isEqualTo(why(Kind.REMOTE_CLOSE, "The connection was lost"));
    });
  }

  @Test
  @DisplayName("A handler that throws ends the connection")
  void throwing() throws Exception {
    context.exceptionHandler(thrown -> { });
    whenCompleted = () -> {
      throw new IllegalStateException("on purpose");
    };
    onLoop(() -> {
      life.open();
      provider.done = 1;
      life.upcalls().beginTurn();
      life.endTurn();
      assertThat(events).anyMatch(event -> event.startsWith("fail The handler of the queue pair threw ")
          && event.contains("on purpose"));
    });
  }

  /** Has work requests that count down. */
  private final class Provider implements PairLife.Provider, CompletionSource {

    private int done;
    private int posted;
    /** Posted when all has been told of. */
    private int more;

    @Override
    public CompletionSource completions() {
      return this;
    }

    @Override
    public int capacity() {
      return 3;
    }

    @Override
    public void turnEnded() {
      events.add("turn ended");
    }

    @Override
    public void fail(String detail) {
      events.add("fail " + detail);
    }

    @Override
    public void endWork() {
      events.add("end work");
    }

    @Override
    public boolean hasPosted() {
      posted += more;
      more = 0;
      return posted > 0;
    }

    @Override
    public boolean nextDone(Completion into) {
      return done > 0 && done-- > 0 && into.of(1, Opcode.SEND, Status.SUCCESS) != null;
    }

    @Override
    public boolean nextFlushed(Completion into) {
      return posted > 0 && posted-- > 0 && into.of(1, Opcode.SEND, Status.FLUSHED) != null;
    }
  }

  private final class Handler implements QueuePairHandler {

    @Override
    public void established() {
      events.add("established");
    }

    @Override
    public void completed(WorkCompletion completion) {
      events.add(completion.status().toString());
      whenCompleted.run();
    }

    @Override
    public void exposed(Exposure exposure) {
      events.add("exposed");
    }

    @Override
    public void revoked(Exposure exposure) {
      events.add("revoked");
    }

    @Override
    public void batchEnd() {
      events.add("end");
      whenBatchEnds.run();
    }

    @Override
    public void disconnected(DisconnectReason reason) {
      whenDisconnected.run();
      events.add(reason.kind() + " " + reason.detail());
    }
  }
}
