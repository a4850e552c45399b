// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RDMA Writes and Reads that the peer allows. */
public interface DirectDataContract extends ContractBase {

  /** What has come of a Read shows before it is complete, if the device can tell at all. */
  @Test
  @DisplayName("B-101: a large Read shows how far it is")
  default void progressOfReads() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      byte[] data = random(Math.min(8 << 20, bed.device().attributes().maxMessageSize()), 9);
      LocalMemory source = server.memory(data);
      Exposure exposure = server.expose(source, Access.REMOTE_READ);
      Peer client = pair.client();
      LocalMemory sink = client.memory(data.length);
      long[] seen = new long[2];
      client.handler().reaction(event -> {
        if (event instanceof Completed) {
          seen[1] = client.queuePair().bytesRead();
        }
      });
      client.post(reader -> {
        seen[0] = reader.bytesRead();
        reader.postRead(1, sink, 0, data.length, exposure.steeringTag(), exposure.remoteOffset());
      });
      client.handler().completion(Opcode.READ);
      assertThat(seen[0]).isZero();
      assertThat(seen[1]).isIn(0L, (long) data.length);
    }
  }

  /** A delivered Send means that all Writes before it are there (RFC 5040 §5.5). */
  @Test
  @DisplayName("B-014, R-005: a Send arrives after the Writes posted before it")
  default void sendArrivesAfterWrites() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      server.receive(1, 8);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      byte[] data = random(1 << 20, 1);
      LocalMemory target = server.memory(data.length);
      Exposure exposure = server.expose(target, Access.REMOTE_WRITE);
      LocalMemory source = pair.client().memory(data);
      byte[][] seen = new byte[1][];
      server.handler().reaction(event -> {
        if (event instanceof Completed) {
          seen[0] = Peer.bytes(target, 0, data.length);
        }
      });
      pair.client().post(client -> {
        client.postWrite(1, source, 0, data.length, exposure.steeringTag(),
            exposure.remoteOffset());
        client.postSend(2, source, 0, 8);
      });
      server.handler().completion(Opcode.RECEIVE);
      assertThat(seen[0]).isEqualTo(data);
      assertThat(pair.client().handler().completion(Opcode.WRITE).status())
          .isEqualTo(Status.SUCCESS);
    }
  }

  /** Small, large and in the middle; what is around stays as it was. */
  @Test
  @DisplayName("R-004: Writes land exactly where they are aimed")
  default void writesLandExactly() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      server.receive(1, 8);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      byte[] data = random(100_000, 4);
      LocalMemory target = server.memory(200_000);
      Exposure exposure = server.expose(target, 50_000, 100_000, Access.REMOTE_WRITE);
      LocalMemory source = pair.client().memory(data);
      pair.client().post(client -> {
        int[] cuts = {0, 1, 3, 4096, 8193, 70_000, 100_000};
        for (int i = 1; i < cuts.length; i++) {
          client.postWrite(i, source, cuts[i - 1], cuts[i] - cuts[i - 1],
              exposure.steeringTag(), exposure.remoteOffset() + cuts[i - 1]);
        }
        client.postSend(9, source, 0, 0);
      });
      server.handler().completion(Opcode.RECEIVE);
      assertThat(Peer.bytes(target, 0, 50_000)).containsOnly(0);
      assertThat(Peer.bytes(target, 50_000, 100_000)).isEqualTo(data);
      assertThat(Peer.bytes(target, 150_000, 50_000)).containsOnly(0);
    }
  }

  /** A Read is done when its data is here. */
  @Test
  @DisplayName("P-018, R-004, R-006: Reads bring the peer's bytes in order, unseen by the peer")
  default void readsBringBytes() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      byte[] data = random(300_000, 2);
      Exposure exposure = pair.server().expose(pair.server().memory(data), Access.REMOTE_READ);
      LocalMemory sink = pair.client().memory(data.length);
      pair.client().post(client -> {
        client.postRead(1, sink, 0, 200_000, exposure.steeringTag(), exposure.remoteOffset());
        client.postRead(2, sink, 200_000, 1, exposure.steeringTag(),
            exposure.remoteOffset() + 200_000);
        client.postRead(3, sink, 200_001, 99_999, exposure.steeringTag(),
            exposure.remoteOffset() + 200_001);
      });
      for (int i = 1; i <= 3; i++) {
        Completed read = pair.client().handler().completion(Opcode.READ);
        assertThat(read.status()).isEqualTo(Status.SUCCESS);
        assertThat(read.id()).isEqualTo(i);
      }
      assertThat(Peer.bytes(sink, 0, data.length)).isEqualTo(data);
      assertThat(pair.server().handler().events()).noneMatch(Completed.class::isInstance);
    }
  }

  /** A Send behind a Read may be over long before, and is told of behind it all the same. */
  @Test
  @DisplayName("P-014, P-018: a Send behind a Read is told of behind it, and the Read once its data is here")
  default void sendsBehindReads() {
    try (VerbsBed bed = open()) {
      int length = 4 << 20;
      byte[] data = random(length, 9);
      Peer server = bed.server();
      server.receive(1, 8);
      server.receive(2, 8);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      Exposure exposure = server.expose(server.memory(data), Access.REMOTE_READ);
      LocalMemory sink = pair.client().memory(length + 8);
      List<Boolean> whole = new CopyOnWriteArrayList<>();
      pair.client().handler().reaction(event -> {
        if (event instanceof Completed completed && completed.opcode() == Opcode.READ) {
          whole.add(sink.buffer().slice(0, length).mismatch(ByteBuffer.wrap(data)) < 0);
        }
      });
      pair.client().post(client -> {
        client.postRead(10, sink, 0, length, exposure.steeringTag(), exposure.remoteOffset());
        client.postSend(11, sink, length, 8);
        client.postRead(12, sink, 0, length, exposure.steeringTag(), exposure.remoteOffset());
        client.postSend(13, sink, length, 8);
      });
      List<Long> told = new ArrayList<>();
      while (told.size() < 4) {
        told.add(pair.client().handler().next(Completed.class).id());
      }
      assertThat(told).containsExactly(10L, 11L, 12L, 13L);
      assertThat(whole).containsExactly(true, true);
    }
  }

  /** Whoever has more to transfer cuts it. */
  @Test
  @DisplayName("R-004: Writes and Reads of as many bytes as the device says, and not one more")
  default void longestMessages() {
    try (VerbsBed bed = open()) {
      int max = bed.device().attributes().maxMessageSize();
      int length = Math.min(max, 16 << 20);
      VerbsBed.Pair pair = bed.connect();
      LocalMemory target = pair.server().memory(length);
      byte[] data = random(length, 8);
      Exposure writable = pair.server().expose(target, Access.REMOTE_WRITE);
      Exposure readable = pair.server().expose(target, Access.REMOTE_READ);
      LocalMemory source = pair.client().memory(data);
      LocalMemory sink = pair.client().memory(length == max ? length + 1 : length);
      pair.client().post(client -> {
        client.postWrite(1, source, 0, length, writable.steeringTag(), writable.remoteOffset());
        client.postRead(2, sink, 0, length, readable.steeringTag(), readable.remoteOffset());
        if (length == max) {
          assertThatThrownBy(() -> client.postSend(3, sink, 0, length + 1)).isInstanceOf(VerbsException.class);
          assertThatThrownBy(() -> client.postWrite(4, sink, 0, length + 1, writable.steeringTag(),
              writable.remoteOffset())).isInstanceOf(VerbsException.class);
          assertThatThrownBy(() -> client.postRead(5, sink, 0, length + 1, readable.steeringTag(),
              readable.remoteOffset())).isInstanceOf(VerbsException.class);
        }
      });
      assertThat(pair.client().handler().completion(Opcode.READ).status()).isEqualTo(Status.SUCCESS);
      assertThat(Peer.bytes(sink, 0, length)).isEqualTo(data);
    }
  }

  /** Who wants to know whether the peer is alive reads nothing (RFC 5040 §5.2.1). */
  @Test
  @DisplayName("P-016: a Read of no bytes needs no exposure, keeps its place, and is not seen")
  default void readsOfNothing() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      Exposure exposure = pair.server().expose(pair.server().memory(random(8, 7)), Access.REMOTE_READ);
      LocalMemory sink = pair.client().memory(8);
      List<Consumer<QueuePair>> reads = List.of(
          client -> client.postRead(1, sink, 0, 0, 0, 0),
          client -> client.postRead(2, sink, 0, 8, exposure.steeringTag(), exposure.remoteOffset()),
          client -> client.postRead(3, sink, 8, 0, exposure.steeringTag() ^ 0x100, -1));
      boolean together = bed.device().attributes().emptyReadsServed();
      if (together) {
        pair.client().post(client -> reads.forEach(read -> read.accept(client)));
      }
      for (int i = 1; i <= 3; i++) {
        if (!together) {
          pair.client().post(reads.get(i - 1));
        }
        Completed read = pair.client().handler().completion(Opcode.READ);
        assertThat(read.id()).isEqualTo(i);
        assertThat(read.status()).isEqualTo(Status.SUCCESS);
      }
      assertThat(Peer.bytes(sink, 0, 8)).isEqualTo(random(8, 7));
      assertThat(pair.server().handler().events()).noneMatch(Completed.class::isInstance);
      pair.server().receive(4, 8);
      pair.client().send(5, new byte[8]);
      assertThat(pair.server().handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.SUCCESS);
    }
  }

  /** ORD is what the peer's IRD allows, and is a hard limit. */
  @Test
  @DisplayName("P-017, B-010: as many Reads as ORD, and one more is refused")
  default void readsUpToOrd() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      Peer server = bed.server();
      bed.connect(client, ConnectionOptions.DEFAULT.withReads(7, 1), server,
          ConnectionOptions.DEFAULT.withReads(2, 3));
      boolean negotiated = bed.device().attributes().readsNegotiated();
      assertThat((int) client.call(owned -> owned.outboundReads())).isEqualTo(negotiated ? 3 : 7);
      assertThat((int) server.call(owned -> owned.outboundReads())).isEqualTo(negotiated ? 1 : 2);
      Exposure exposure = server.expose(server.memory(random(64, 5)), Access.REMOTE_READ);
      LocalMemory sink = client.memory(64);
      for (int round = 0; round < 3; round++) {
        client.post(owned -> {
          for (int i = 0; i < 3; i++) {
            owned.postRead(i, sink, 16 * i, 16, exposure.steeringTag(), exposure.remoteOffset());
          }
          if (negotiated) {
            assertThatThrownBy(() -> owned.postRead(9, sink, 0, 16, exposure.steeringTag(),
                exposure.remoteOffset())).isInstanceOf(IllegalStateException.class);
          }
        });
        for (int i = 0; i < 3; i++) {
          assertThat(client.handler().completion(Opcode.READ).status()).isEqualTo(Status.SUCCESS);
        }
      }
    }
  }

  /** The peer's Send ends an exposure, and its Receive tells which. */
  @Test
  @DisplayName("P-020: a Send With Invalidate ends the exposure that it names")
  default void sendWithInvalidate() {
    try (VerbsBed bed = open()) {
      if (!bed.device().attributes().remotelyInvalidatable()) {
        return;
      }
      Peer server = bed.server();
      server.receive(1, 8);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory target = server.memory(16);
      Exposure exposure = server.expose(target, Access.REMOTE_WRITE);
      LocalMemory source = pair.client().memory(random(16, 6));
      pair.client().post(client -> {
        client.postWrite(1, source, 0, 16, exposure.steeringTag(), exposure.remoteOffset());
        client.postSendWithInvalidate(2, source, 0, 8, exposure.steeringTag());
      });
      Completed received = server.handler().completion(Opcode.RECEIVE);
      assertThat(received.invalidated()).isTrue();
      assertThat(received.invalidatedTag()).isEqualTo(exposure.steeringTag());
      LeakCheck.assertNoExposures(server.queuePair());
      byte[] before = Peer.bytes(target, 0, 16);
      source.buffer().putLong(0, 0);
      pair.client().post(client ->
          client.postWrite(3, source, 0, 16, exposure.steeringTag(), exposure.remoteOffset()));
      pair.awaitDisconnected();
      assertThat(Peer.bytes(target, 0, 16)).isEqualTo(before);
    }
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
