// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UpcallsTest {

  private final Vertx vertx = Vertx.vertx();
  private final ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
  private final List<Throwable> failures = new ArrayList<>();
  private final Upcalls upcalls = new Upcalls(context, failures::add);
  private final Handler handler = new Handler();
  private final Queue queue = new Queue();

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private void onLoop(Runnable action) throws Exception {
    context.nettyEventLoop().submit(action).get(20, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("The upcalls of a turn are one batch, in the handler's context; a turn without any is none")
  void batches() throws Exception {
    upcalls.setUp(() -> handler);
    onLoop(() -> {
      upcalls.beginTurn();
      assertThat(upcalls.inTurn()).isTrue();
      upcalls.established();
      upcalls.received(7, 5, false, 0);
      upcalls.endTurn();
      assertThat(upcalls.inTurn()).isFalse();
      upcalls.beginTurn();
      upcalls.endTurn();
      upcalls.beginTurn();
      upcalls.received(8, 5, true, 99);
      upcalls.endTurn();
      assertThat(ContextInternal.current()).isNotSameAs(context);
    });
    assertThat(handler.events).containsExactly("established", "RECEIVE 7 SUCCESS", "end", "RECEIVE 8 SUCCESS", "end");
  }

  @Test
  @DisplayName("Completions beyond so many in a turn wait for the next, and others come meanwhile")
  void bounded() throws Exception {
    upcalls.setUp(() -> handler);
    queue.done = 300;
    onLoop(() -> {
      upcalls.beginTurn();
      assertThat(upcalls.deliver(queue)).as("all").isFalse();
      upcalls.endTurn();
      assertThat(queue.done).isEqualTo(300 - 256);
      upcalls.beginTurn();
      assertThat(upcalls.deliver(queue)).isTrue();
      upcalls.endTurn();
    });
    assertThat(handler.events).hasSize(302).endsWith("SEND 300 SUCCESS", "end");
  }

  @Test
  @DisplayName("An exposure that is asked for while others are told of has its turn later")
  void exposures() throws Exception {
    upcalls.setUp(() -> handler);
    Token first = new Token("first");
    Token second = new Token("second");
    handler.whenExposed = () -> upcalls.exposedLater(second);
    onLoop(() -> {
      upcalls.exposedLater(first);
      upcalls.revokedLater(first);
      upcalls.beginTurn();
      assertThat(upcalls.deliver(queue)).isTrue();
      upcalls.endTurn();
      assertThat(upcalls.hasPending()).isTrue();
      handler.whenExposed = () -> { };
      upcalls.beginTurn();
      upcalls.deliver(queue);
      upcalls.endTurn();
      assertThat(upcalls.hasPending()).isFalse();
    });
    assertThat(handler.events).containsExactly("exposed first", "revoked first", "end", "exposed second", "end");
  }

  @Test
  @DisplayName("What a handler throws is reported, ends the connection, and stops no other upcall")
  void throwing() throws Exception {
    List<Throwable> reported = new ArrayList<>();
    context.exceptionHandler(reported::add);
    upcalls.setUp(() -> handler);
    handler.thrown = new IllegalStateException("on purpose");
    onLoop(() -> {
      upcalls.beginTurn();
      upcalls.received(1, 0, false, 0);
      upcalls.received(2, 0, false, 0);
      upcalls.endTurn();
    });
    assertThat(handler.events).containsExactly("RECEIVE 1 SUCCESS", "RECEIVE 2 SUCCESS", "end");
    assertThat(failures).containsExactly(handler.thrown, handler.thrown).isEqualTo(reported);
  }

  @Test
  @DisplayName("What is flushed is told of to the last, and then the end; without a handler to nobody")
  void flushed() throws Exception {
    queue.posted = 2;
    onLoop(() -> {
      upcalls.beginTurn();
      upcalls.flush(queue);
      upcalls.disconnected(new DisconnectReason(DisconnectReason.Kind.LOCAL_CLOSE, "nobody hears"));
      upcalls.endTurn();
    });
    assertThat(handler.events).isEmpty();
    upcalls.setUp(() -> handler);
    queue.posted = 2;
    onLoop(() -> {
      upcalls.beginTurn();
      upcalls.flush(queue);
      upcalls.disconnected(new DisconnectReason(DisconnectReason.Kind.LOCAL_CLOSE, "over"));
      upcalls.endTurn();
    });
    assertThat(handler.events).containsExactly("SEND 2 FLUSHED", "SEND 1 FLUSHED", "over", "end");
  }

  /** Fails if {@code Upcalls.flush} does not tell of exposures before or between the work requests. */
  @Test
  @DisplayName("Exposures and revocations are told before what is flushed, and those that a handler asks for as well")
  void flushedExposures() throws Exception {
    upcalls.setUp(() -> handler);
    queue.posted = 1;
    handler.whenExposed = () -> upcalls.revokedLater(new Token("later"));
    onLoop(() -> {
      upcalls.exposedLater(new Token("first"));
      upcalls.beginTurn();
      upcalls.flush(queue);
      upcalls.endTurn();
    });
    assertThat(handler.events).containsExactly("exposed first", "revoked later", "SEND 1 FLUSHED", "end");
    handler.events.clear();
    queue.posted = 1;
    handler.whenCompleted = () -> upcalls.revokedLater(new Token("last"));
    onLoop(() -> {
      upcalls.beginTurn();
      upcalls.flush(queue);
      upcalls.endTurn();
    });
    assertThat(handler.events).containsExactly("SEND 1 FLUSHED", "revoked last", "end");
  }

  /** Fails if {@code Upcalls.setUp} leaves its context behind, or {@code Upcalls.guard} keeps what is thrown. */
  @Test
  @DisplayName("The setup is in the context, what follows it is not; any upcall that throws ends the connection")
  void contextsAndFailures() throws Exception {
    context.exceptionHandler(thrown -> { });
    onLoop(() -> {
      upcalls.setUp(() -> {
        assertThat(ContextInternal.current()).isSameAs(context);
        return handler;
      });
      assertThat(ContextInternal.current()).isNotSameAs(context);
      IllegalStateException thrown = new IllegalStateException("on purpose");
      handler.whenExposed = () -> {
        throw thrown;
      };
      upcalls.exposedLater(new Token("failing"));
      upcalls.beginTurn();
      upcalls.deliver(queue);
      upcalls.endTurn();
      assertThat(failures).containsExactly(thrown);
    });
  }

  /** Fails if what a context's own handler throws ends the turn, or the connection does not end. */
  @Test
  @DisplayName("A context whose handler of exceptions throws as well is warned of, and the connection ends")
  void throwingTwice() throws Exception {
    List<String> warnings = new ArrayList<>();
    Logger logger = Logger.getLogger(Upcalls.class.getName());
    Filter filter = message -> {
      warnings.add(message.getMessage());
      return false;
    };
    logger.setFilter(filter);
    try {
      context.exceptionHandler(thrown -> {
        throw new IllegalArgumentException("in the handler");
      });
      upcalls.setUp(() -> handler);
      handler.thrown = new IllegalStateException("on purpose");
      onLoop(() -> {
        upcalls.beginTurn();
        upcalls.received(1, 0, false, 0);
        upcalls.endTurn();
      });
    } finally {
      logger.setFilter(null);
    }
    assertThat(failures).containsExactly(handler.thrown);
    assertThat(warnings).hasSize(1).first().asString().contains("on purpose");
  }

  /** Work requests that count down. */
  private static final class Queue implements CompletionSource {

    private int done;
    private int posted;
    private int told;

    @Override
    public boolean nextDone(Completion into) {
      if (done == 0) {
        return false;
      }
      done--;
      into.of(++told, Opcode.SEND, Status.SUCCESS);
      return true;
    }

    @Override
    public boolean nextFlushed(Completion into) {
      if (posted == 0) {
        return false;
      }
      into.of(posted--, Opcode.SEND, Status.FLUSHED);
      return true;
    }
  }

  private final class Handler implements QueuePairHandler {

    private final List<String> events = new ArrayList<>();
    private Runnable whenExposed = () -> { };
    private Runnable whenCompleted = () -> { };
    private RuntimeException thrown;

    private void note(String event) {
      assertThat(ContextInternal.current()).isSameAs(context);
      events.add(event);
    }

    @Override
    public void established() {
      note("established");
    }

    @Override
    public void completed(WorkCompletion completion) {
      note(completion.opcode() + " " + completion.id() + " " + completion.status());
      whenCompleted.run();
      if (thrown != null) {
        throw thrown;
      }
    }

    @Override
    public void exposed(Exposure exposure) {
      note("exposed " + exposure.owner());
      whenExposed.run();
    }

    @Override
    public void revoked(Exposure exposure) {
      note("revoked " + exposure.owner());
    }

    @Override
    public void batchEnd() {
      note("end");
    }

    @Override
    public void disconnected(DisconnectReason reason) {
      note(reason.detail());
    }
  }
}
