// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Event;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How connections end: each work request completes once, and disconnected comes last, once. */
public interface TeardownContract extends ContractBase {

  private static void assertEnded(Peer peer) {
    List<Event> events = peer.handler().events();
    assertThat(events.get(events.size() - 1)).isInstanceOf(Disconnected.class);
    assertThat(events.stream().filter(Disconnected.class::isInstance)).hasSize(1);
  }

  private static List<Completed> completions(Peer peer, Opcode opcode) {
    return peer.handler().events().stream().filter(Completed.class::isInstance)
        .map(Completed.class::cast).filter(done -> done.opcode() == opcode).toList();
  }

  /** Whatever is posted completes, on both sides. */
  @Test
  @DisplayName("P-022, B-023: outstanding work completes exactly once, before disconnected")
  default void outstandingWorkIsFlushed() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      Peer server = bed.server();
      for (int i = 0; i < 5; i++) {
        client.receive(i, 16);
        server.receive(i, 16);
      }
      VerbsBed.Pair pair = bed.connect(client, server);
      LocalMemory memory = client.memory(16);
      client.run(owned -> {
        owned.postSend(100, memory, 0, 4);
        owned.postSend(101, memory, 0, 4);
        owned.close();
      });
      pair.awaitDisconnected();
      for (Peer peer : new Peer[] {client, server}) {
        assertThat(completions(peer, Opcode.RECEIVE)).extracting(Completed::id)
            .containsExactly(0L, 1L, 2L, 3L, 4L);
        assertEnded(peer);
      }
      assertThat(completions(client, Opcode.RECEIVE)).extracting(Completed::status)
          .containsOnly(Status.FLUSHED);
      assertThat(completions(client, Opcode.SEND)).extracting(Completed::id)
          .containsExactly(100L, 101L);
    }
  }

  /** Close is orderly: what was flushed is not lost. */
  @Test
  @DisplayName("B-022: what was flushed before a close still arrives")
  default void flushedWorkArrives() {
    try (VerbsBed bed = open()) {
      // More than what lies between two ends holds, such as the buffers of sockets.
      int length = Math.min(32 << 20, bed.device().attributes().maxMessageSize());
      Peer server = bed.server();
      server.receive(1, length);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory memory = pair.client().memory(length);
      pair.client().run(owned -> {
        owned.postSend(1, memory, 0, length);
        owned.flush();
        owned.close();
      });
      pair.awaitDisconnected();
      assertThat(completions(server, Opcode.RECEIVE).get(0).byteLength()).isEqualTo(length);
    }
  }

  /** Either side may go. */
  @Test
  @DisplayName("Either side may close; the other one is told")
  default void eitherSideMayClose() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair first = bed.connect();
      Waiting.await(first.client().close());
      first.awaitDisconnected();
      VerbsBed.Pair second = bed.connect();
      Waiting.await(second.server().close());
      assertThat(second.server().awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_CLOSE);
      second.client().awaitDisconnected();
    }
  }

  /** Close is for any thread and any number of times. */
  @Test
  @DisplayName("B-033: close is idempotent, from any thread and from any upcall")
  default void closeIsIdempotent() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      client.handler().reaction(event -> client.queuePair().close());
      VerbsBed.Pair pair = bed.connect(client, bed.server());
      Future<Void> first = client.close();
      Future<Void> second = client.call(QueuePair::close);
      Waiting.await(first);
      Waiting.await(second);
      Waiting.await(client.close());
      pair.server().awaitDisconnected();
      assertEnded(client);
    }
  }

  /** Close during setup means that the connection never comes up. */
  @Test
  @DisplayName("B-033: a close in setup fails the connect, and flushes what was posted")
  default void closeInSetup() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      client.receive(3, 16);
      client.onSetup(QueuePair::close);
      Waiting.awaitFailure(bed.connect(
          bed.listen(request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT))
              .localAddress(), client, ConnectionOptions.DEFAULT));
      client.awaitDisconnected();
      assertThat(completions(client, Opcode.RECEIVE)).extracting(Completed::status)
          .containsExactly(Status.FLUSHED);
      assertEnded(client);
    }
  }

  /** Callers need not race with the network. */
  @Test
  @DisplayName("A post while disconnecting is flushed; after disconnected it throws")
  default void postsWhileDisconnecting() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      LocalMemory memory = client.memory(16);
      client.receive(1, 16);
      AtomicInteger posted = new AtomicInteger();
      client.handler().reaction(event -> {
        if (event instanceof Completed done && done.status() == Status.FLUSHED
            && posted.getAndIncrement() == 0) {
          client.queuePair().postReceive(2, memory, 0, 16);
          client.queuePair().postSend(3, memory, 0, 16);
          client.queuePair().flush();
        }
      });
      bed.connect(client, bed.server());
      Waiting.await(client.close());
      assertThat(completions(client, Opcode.RECEIVE)).extracting(Completed::id)
          .containsExactly(1L, 2L);
      assertThat(completions(client, Opcode.SEND)).extracting(Completed::status)
          .containsExactly(Status.FLUSHED);
      assertEnded(client);
      client.run(owned -> assertThatThrownBy(() -> owned.postReceive(9, memory, 0, 16))
          .isInstanceOf(IllegalStateException.class));
    }
  }

  /** Whatever has ended the connection, what is posted on the way down is given back once. */
  @Test
  @DisplayName("P-022, B-023: posts behind an error of either side are flushed, each once; later ones throw")
  default void postsAfterFault() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      Peer server = bed.server();
      LocalMemory[] memories = new LocalMemory[2];
      int side = 0;
      for (Peer peer : List.of(client, server)) {
        LocalMemory memory = peer.memory(16);
        memories[side++] = memory;
        peer.receive(1, 16);
        AtomicInteger flushed = new AtomicInteger();
        peer.handler().reaction(event -> {
          if (event instanceof Completed done && done.status() != Status.SUCCESS
              && flushed.getAndIncrement() == 0) {
            QueuePair owned = peer.queuePair();
            owned.postReceive(2, memory, 0, 16);
            owned.postSend(20, memory, 0, 16);
            owned.postWrite(21, memory, 0, 16, 7, 7);
            owned.postRead(22, memory, 0, 16, 7, 7);
            owned.flush();
          }
        });
      }
      VerbsBed.Pair pair = bed.connect(client, server);
      // A Write to a tag that the server has not given out is its device's error, and then the client's.
      client.post(owned -> {
        for (int i = 10; i < 19; i++) {
          owned.postWrite(i, memories[0], 0, 16, 7, 7);
        }
      });
      client.run(owned -> {
        // Not rung. The error may have been told by now, or have ended the connection, and then this post is refused.
        if (client.handler().events().stream().noneMatch(event -> event instanceof Completed done
            && done.status() != Status.SUCCESS)) {
          owned.postWrite(19, memories[0], 0, 16, 7, 7);
        }
      });
      pair.awaitDisconnected();
      side = 0;
      for (Peer peer : List.of(client, server)) {
        assertThat(completions(peer, Opcode.RECEIVE)).extracting(Completed::id).containsExactly(1L, 2L);
        assertThat(completions(peer, Opcode.RECEIVE)).extracting(Completed::status)
            .containsOnly(Status.FLUSHED);
        assertThat(completions(peer, Opcode.SEND)).extracting(Completed::id).containsExactly(20L);
        assertThat(completions(peer, Opcode.READ)).extracting(Completed::id).containsExactly(22L);
        assertThat(completions(peer, Opcode.WRITE)).extracting(Completed::id).doesNotHaveDuplicates()
            .endsWith(21L);
        for (Opcode opcode : List.of(Opcode.SEND, Opcode.READ)) {
          assertThat(completions(peer, opcode)).extracting(Completed::status)
              .containsExactly(Status.FLUSHED);
        }
        assertEnded(peer);
        LocalMemory memory = memories[side++];
        peer.run(owned -> {
          for (Runnable post : List.<Runnable>of(() -> owned.postReceive(9, memory, 0, 16),
              () -> owned.postSend(9, memory, 0, 16), () -> owned.postRead(9, memory, 0, 16, 7, 7))) {
            assertThatThrownBy(post::run).isInstanceOf(IllegalStateException.class);
          }
        });
      }
      assertThat(completions(client, Opcode.WRITE)).extracting(Completed::id)
          .startsWith(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L);
    }
  }

  /** A handler that always reposts must not keep the end from coming. */
  @Test
  @DisplayName("A handler that reposts each flushed Receive still gets disconnected")
  default void repostingForEver() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      LocalMemory memory = client.memory(16);
      client.receive(1, 16);
      client.handler().reaction(event -> {
        if (event instanceof Completed) {
          client.queuePair().postReceive(2, memory, 0, 16);
        }
      });
      bed.connect(client, bed.server());
      client.queuePair().context().exceptionHandler(refused ->
          assertThat(refused).isInstanceOf(IllegalStateException.class));
      Waiting.await(client.close());
      assertEnded(client);
    }
  }

  /** Exposures and revocations are answered though the connection goes. */
  @Test
  @DisplayName("Pending exposures and revocations are answered before disconnected")
  default void exposuresAreAnswered() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      Peer client = pair.client();
      LocalMemory memory = client.memory(16);
      Exposure exposure = client.expose(memory, Access.REMOTE_READ);
      client.run(owned -> {
        owned.revoke(exposure);
        owned.close();
        owned.expose(77, memory, 0, 8, Access.REMOTE_READ);
      });
      client.awaitDisconnected();
      assertThat(client.handler().events()).filteredOn(RecordingHandler.Revoked.class::isInstance)
          .hasSize(1);
      assertThat(client.handler().next(Exposed.class).exposure().owner()).isEqualTo(77);
      assertEnded(client);
      assertThat(client.exposures()).isZero();
    }
  }

  /** What a handler throws is its own connection's end. */
  @Test
  @DisplayName("A handler that throws ends its own connection only")
  default void handlerThrows() {
    assertEndsItsOwn(new IllegalArgumentException("on purpose"));
  }

  /** Fails if a provider makes its reason with the words of what was thrown. */
  @Test
  @DisplayName("So does one that throws what cannot say what it is")
  default void handlerThrowsWordless() {
    assertEndsItsOwn(new IllegalArgumentException() {

      private static final long serialVersionUID = 1L;

      @Override
      public String getMessage() {
        throw new IllegalStateException("no words");
      }
    });
  }

  private void assertEndsItsOwn(RuntimeException thrown) {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      server.receive(1, 16);
      VerbsBed.Pair bad = bed.connect(bed.client(), server);
      Peer otherServer = bed.server();
      otherServer.receive(1, 16);
      VerbsBed.Pair good = bed.connect(bed.client(), otherServer);
      server.handler().reaction(event -> {
        if (event instanceof Completed done && done.status() == Status.SUCCESS) {
          throw thrown;
        }
      });
      server.queuePair().context().exceptionHandler(expected -> assertThat(expected == thrown).isTrue());
      bad.client().send(1, new byte[] {1});
      assertThat(server.awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_ERROR);
      bad.client().awaitDisconnected();
      good.client().send(2, new byte[] {1});
      assertThat(otherServer.handler().completion(Opcode.RECEIVE).status())
          .isEqualTo(Status.SUCCESS);
    }
  }

  /** A device takes its connections with it. */
  @Test
  @DisplayName("Closing the device disconnects its queue pairs, and may be repeated")
  default void deviceClose() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      Waiting.await(bed.device().close());
      assertEnded(pair.client());
      assertEnded(pair.server());
      Waiting.await(bed.device().close());
      Waiting.awaitFailure(bed.device().listen(bed.context(), bed.anyPort(), request -> {}));
    }
  }
}
