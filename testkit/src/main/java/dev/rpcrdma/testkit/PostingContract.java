// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.RecordingHandler.Revoked;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a caller does wrong is refused at once and changes nothing. */
public interface PostingContract extends ContractBase {

  /** Each kind of post, for each kind of wrong memory. */
  @Test
  @DisplayName("P-023, B-019: invalid posts are refused at once and change nothing")
  default void invalidPosts() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      server.receive(1, 16);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory good = pair.client().memory(16);
      LocalMemory foreign = server.memory(16);
      LocalMemory gone = pair.client().memory(16);
      Waiting.await(gone.deregister());
      pair.client().run(client -> {
        for (Consumer<QueuePair> bad : List.of(
            post(good, 0, 17), post(good, 16, 1), post(good, -1, 4), post(good, 0, -1),
            post(good, Integer.MAX_VALUE, 2), post(foreign, 0, 4), post(gone, 0, 4))) {
          assertThatThrownBy(() -> bad.accept(client)).isInstanceOf(VerbsException.class)
              .extracting(e -> ((VerbsException) e).kind())
              .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
        }
        client.flush();
      });
      pair.client().send(5, new byte[] {1});
      assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(1);
    }
  }

  private static Consumer<QueuePair> post(LocalMemory memory, int offset, int length) {
    return owned -> {
      VerbsException first = null;
      for (Runnable each : List.<Runnable>of(
          () -> owned.postSend(1, memory, offset, length),
          () -> owned.postSendWithInvalidate(1, memory, offset, length, 1),
          () -> owned.postWrite(1, memory, offset, length, 1, 0),
          () -> owned.postRead(1, memory, offset, length, 1, 0),
          () -> owned.postReceive(1, memory, offset, length),
          () -> owned.expose(1, memory, offset, length, Access.REMOTE_READ))) {
        try {
          each.run();
          throw new AssertionError("Accepted " + offset + "+" + length);
        } catch (VerbsException e) {
          first = e;
        }
      }
      throw first;
    };
  }

  /** An exposure of nothing is none. */
  @Test
  @DisplayName("At least one byte must be exposed")
  default void emptyExposure() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory memory = pair.client().memory(16);
      pair.client().run(client -> assertThatThrownBy(
          () -> client.expose(1, memory, 0, 0, Access.REMOTE_READ))
          .isInstanceOf(VerbsException.class));
    }
  }

  /** An exposure is its own connection's. */
  @Test
  @DisplayName("P-026: revoking an exposure of another connection is refused at once and changes nothing")
  default void foreignRevoke() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair owner = bed.connect();
      VerbsBed.Pair other = bed.connect();
      LocalMemory target = owner.server().memory(8);
      Exposure exposure = owner.server().expose(target, Access.REMOTE_WRITE);
      refusesToRevoke(other.server(), exposure);
      assertThat(owner.server().exposures()).isEqualTo(1);
      owner.server().receive(1, 8);
      LocalMemory source = owner.client().memory(new byte[] {7});
      owner.client().post(client -> {
        client.postWrite(2, source, 0, 1, exposure.steeringTag(), exposure.remoteOffset());
        client.postSend(3, source, 0, 1);
      });
      owner.server().handler().completion(Opcode.RECEIVE);
      assertThat(Peer.bytes(target, 0, 1)).containsExactly(7);
      other.server().receive(4, 8);
      other.client().send(5, new byte[8]);
      assertThat(other.server().handler().completion(Opcode.RECEIVE).id()).isEqualTo(4);
    }
  }

  /** There is nothing to revoke, and nobody to tell of it. */
  @Test
  @DisplayName("Revoking an exposure that has failed is refused at once and changes nothing")
  default void failedRevoke() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      Peer server = pair.server();
      LocalMemory readOnly = Waiting.await(server.domain().register(
          ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), LocalMemory.Backing.MEMORY));
      Exposure failed = server.expose(readOnly, Access.REMOTE_WRITE);
      assertThat(failed.failure()).isPresent();
      refusesToRevoke(server, failed);
      assertThat(server.exposures()).isZero();
      server.receive(1, 8);
      pair.client().send(2, new byte[8]);
      server.handler().completion(Opcode.RECEIVE);
      assertThat(server.handler().events()).noneMatch(Revoked.class::isInstance);
    }
  }

  private static void refusesToRevoke(Peer peer, Exposure exposure) {
    peer.run(owned -> assertThatThrownBy(() -> owned.revoke(exposure)).isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT));
  }

  /** Full queues refuse; a completion makes room. */
  @Test
  @DisplayName("B-026: a full queue refuses, and takes more after a completion")
  default void fullQueues() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      Peer server = bed.server();
      for (int i = 0; i < 4; i++) {
        server.receive(i, 4);
      }
      ConnectionOptions options = ConnectionOptions.DEFAULT.withQueueDepths(2, 4);
      bed.connect(client, options, server, options);
      LocalMemory memory = client.memory(16);
      client.post(owned -> {
        owned.postSend(1, memory, 0, 4);
        owned.postSend(2, memory, 0, 4);
        assertThatThrownBy(() -> owned.postSend(3, memory, 0, 4))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> owned.postWrite(3, memory, 0, 4, 1, 0))
            .isInstanceOf(IllegalStateException.class);
      });
      client.handler().completion(Opcode.SEND);
      client.handler().completion(Opcode.SEND);
      client.post(owned -> owned.postSend(4, memory, 0, 4));
      assertThat(client.handler().completion(Opcode.SEND).id()).isEqualTo(4);
      server.handler().completion(Opcode.RECEIVE);
      LocalMemory more = server.memory(16);
      server.handler().completion(Opcode.RECEIVE);
      server.handler().completion(Opcode.RECEIVE);
      server.run(owned -> {
        for (int i = 0; i < 3; i++) {
          owned.postReceive(i, more, 0, 4);
        }
        assertThatThrownBy(() -> owned.postReceive(9, more, 0, 4))
            .isInstanceOf(IllegalStateException.class);
      });
    }
  }

  /** Queues belong to one connection, and so does their being full. */
  @Test
  @DisplayName("P-027, B-025: the full queues of one connection are no concern of another")
  default void fullQueuesOfAnother() {
    try (VerbsBed bed = open()) {
      ConnectionOptions small = ConnectionOptions.DEFAULT.withQueueDepths(2, 2);
      Peer client = bed.client();
      Peer server = bed.server();
      server.receive(1, 4);
      server.receive(2, 4);
      VerbsBed.Pair full = bed.connect(client, small, server, small);
      LocalMemory memory = client.memory(16);
      // Without flush() nothing starts, so the queue stays full for as long as it takes.
      client.run(owned -> {
        owned.postSend(1, memory, 0, 4);
        owned.postSend(2, memory, 0, 4);
        assertThatThrownBy(() -> owned.postSend(3, memory, 0, 4))
            .isInstanceOf(IllegalStateException.class);
      });
      VerbsBed.Pair other = bed.connect();
      for (int i = 0; i < 200; i++) {
        other.server().receive(i, 4);
        other.client().send(i, new byte[] {1});
        assertThat(other.server().handler().completion(Opcode.RECEIVE).id()).isEqualTo(i);
      }
      full.client().run(QueuePair::flush);
      assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(1);
      assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(2);
      assertThat(client.handler().completion(Opcode.SEND).id()).isEqualTo(1);
      assertThat(client.handler().completion(Opcode.SEND).id()).isEqualTo(2);
    }
  }

  /** Setup is for Receives. */
  @Test
  @DisplayName("In setup only Receives may be posted")
  default void onlyReceivesInSetup() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      LocalMemory memory = client.memory(16);
      client.onSetup(created -> {
        assertThatThrownBy(() -> created.postSend(1, memory, 0, 4))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> created.postRead(1, memory, 0, 4, 1, 0))
            .isInstanceOf(IllegalStateException.class);
        created.postReceive(2, memory, 0, 4);
      });
      VerbsBed.Pair pair = bed.connect(client, bed.server());
      pair.server().send(1, new byte[] {1, 2});
      assertThat(client.handler().completion(Opcode.RECEIVE).id()).isEqualTo(2);
    }
  }

  /** A device reads and writes memory outside the heap only. */
  @Test
  @DisplayName("A heap buffer cannot be registered")
  default void heapBuffer() {
    try (VerbsBed bed = open()) {
      assertThat(Waiting.awaitFailure(bed.client().domain()
          .register(ByteBuffer.allocate(16), LocalMemory.Backing.MEMORY)))
          .isInstanceOf(VerbsException.class)
          .extracting(e -> ((VerbsException) e).kind())
          .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
    }
  }

  /** Deregistering ends when nothing uses the memory, and once is enough. */
  @Test
  @DisplayName("Deregistering is idempotent and counted")
  default void deregistering() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      int before = client.domain().registrations();
      LocalMemory memory = client.memory(16);
      assertThat(client.domain().registrations()).isEqualTo(before + 1);
      Waiting.await(memory.deregister());
      Waiting.await(memory.deregister());
      assertThat(client.domain().registrations()).isEqualTo(before);
    }
  }
}
