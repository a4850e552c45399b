// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sends and Receives. */
public interface MessageContract extends ContractBase {

  /** A Receive posted in setup is in time for whatever the peer sends. */
  @Test
  @DisplayName("Receives posted in setup are found by the peer's first Send")
  default void receivesPostedInSetupAreFound() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      LocalMemory inbox = server.receive(7, 64);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      pair.client().send(1, "hello".getBytes(StandardCharsets.US_ASCII));
      Completed received = server.handler().completion(Opcode.RECEIVE);
      assertThat(received.status()).isEqualTo(Status.SUCCESS);
      assertThat(received.id()).isEqualTo(7);
      assertThat(received.byteLength()).isEqualTo(5);
      assertThat(received.invalidated()).isFalse();
      assertThat(Peer.bytes(inbox, 0, 5)).asString(StandardCharsets.US_ASCII).isEqualTo("hello");
    }
  }

  /** Neither side has to wait for the other. */
  @Test
  @DisplayName("The accepting side may send first")
  default void acceptingSideMaySendFirst() {
    try (VerbsBed bed = open()) {
      Peer client = bed.client();
      client.receive(7, 64);
      VerbsBed.Pair pair = bed.connect(client, bed.server());
      pair.server().send(1, new byte[] {1, 2, 3});
      assertThat(client.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(3);
    }
  }

  /** Each Send takes one Receive, also one of no bytes; a message may fill its Receive. */
  @Test
  @DisplayName("P-019: messages of no bytes and of full size take one Receive each")
  default void emptyAndFullMessages() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      int full = 200_001;
      server.receive(1, full);
      LocalMemory large = server.receive(2, full);
      server.receive(3, 0);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      byte[] data = new byte[full];
      new Random(3).nextBytes(data);
      LocalMemory source = pair.client().memory(data);
      pair.client().post(client -> {
        client.postSend(1, source, 0, 0);
        client.postSend(2, source, 0, full);
        client.postSend(3, source, full, 0);
      });
      assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isZero();
      assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(full);
      Completed last = server.handler().completion(Opcode.RECEIVE);
      assertThat(last.byteLength()).isZero();
      assertThat(last.id()).isEqualTo(3);
      assertThat(Peer.bytes(large, 0, full)).isEqualTo(data);
    }
  }

  /** Sends arrive in posting order, and complete in it, in both directions at once. */
  @Test
  @DisplayName("P-014, R-004: a thousand Sends each way keep their order")
  default void manySendsKeepOrder() {
    try (VerbsBed bed = open()) {
      int count = 1000;
      ConnectionOptions options = ConnectionOptions.DEFAULT.withQueueDepths(count, count);
      Peer client = bed.client();
      Peer server = bed.server();
      LocalMemory atClient = receiveMany(client, count);
      LocalMemory atServer = receiveMany(server, count);
      VerbsBed.Pair pair = bed.connect(client, options, server, options);
      sendMany(client, count);
      sendMany(server, count);
      for (Peer peer : new Peer[] {pair.client(), pair.server()}) {
        for (int i = 0; i < count; i++) {
          assertThat(peer.handler().completion(Opcode.RECEIVE).id()).isEqualTo(i);
          assertThat(peer.handler().completion(Opcode.SEND).id()).isEqualTo(i);
        }
      }
      for (int i = 0; i < count; i++) {
        assertThat(atClient.buffer().getInt(4 * i)).isEqualTo(i);
        assertThat(atServer.buffer().getInt(4 * i)).isEqualTo(i);
      }
    }
  }

  /** One message after the other may be placed into the same memory, where the device says so. */
  @Test
  @DisplayName("Receives share their memory, and each message is read before the next one is placed")
  default void serialReceives() {
    try (VerbsBed bed = open()) {
      int count = 300;
      int length = 3000;
      ConnectionOptions options = ConnectionOptions.DEFAULT.withQueueDepths(count, count);
      Peer server = bed.server();
      // One for all, or one for each.
      int slots = bed.device().attributes().serialReceives() ? 1 : count;
      LocalMemory memory = server.memory(slots * length);
      server.onSetup(created -> {
        for (int i = 0; i < count; i++) {
          created.postReceive(i, memory, i % slots * length, length);
        }
      });
      List<Integer> seen = new ArrayList<>();
      server.handler().reaction(event -> {
        if (event instanceof Completed completed && completed.opcode() == Opcode.RECEIVE) {
          int at = (int) completed.id() % slots * length;
          int first = memory.buffer().getInt(at);
          seen.add(first == memory.buffer().getInt(at + length - 4) ? first : -1);
        }
      });
      VerbsBed.Pair pair = bed.connect(bed.client(), options, server, options);
      LocalMemory source = pair.client().memory(count * length);
      for (int i = 0; i < count; i++) {
        source.buffer().putInt(i * length, i).putInt((i + 1) * length - 4, i);
      }
      pair.client().post(client -> {
        for (int i = 0; i < count; i++) {
          client.postSend(i, source, i * length, length);
        }
      });
      for (int i = 0; i < count; i++) {
        server.handler().completion(Opcode.RECEIVE);
      }
      assertThat(seen).isEqualTo(IntStream.range(0, count).boxed().toList());
    }
  }

  private static LocalMemory receiveMany(Peer peer, int count) {
    LocalMemory memory = peer.memory(4 * count);
    peer.onSetup(created -> {
      for (int i = 0; i < count; i++) {
        created.postReceive(i, memory, 4 * i, 4);
      }
    });
    return memory;
  }

  private static void sendMany(Peer peer, int count) {
    LocalMemory memory = peer.memory(4 * count);
    for (int i = 0; i < count; i++) {
      memory.buffer().putInt(4 * i, i);
    }
    peer.post(owned -> {
      for (int i = 0; i < count; i++) {
        owned.postSend(i, memory, 4 * i, 4);
      }
    });
  }

  /** A Send without a Receive ends the connection at both sides. */
  @Test
  @DisplayName("A Send that finds no Receive disconnects both sides")
  default void missingReceive() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory source = pair.client().memory(8);
      pair.client().post(client -> client.postSend(1, source, 0, 8));
      pair.awaitDisconnected();
    }
  }

  /** A message that does not fit is not cut. */
  @Test
  @DisplayName("P-019: a message longer than its Receive disconnects both sides")
  default void messageTooLong() {
    try (VerbsBed bed = open()) {
      Peer server = bed.server();
      LocalMemory memory = server.memory(64);
      server.onSetup(created -> created.postReceive(1, memory, 0, 16));
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      byte[] data = new byte[17];
      java.util.Arrays.fill(data, (byte) 0x55);
      LocalMemory source = pair.client().memory(data);
      pair.client().post(client -> client.postSend(1, source, 0, 17));
      pair.awaitDisconnected();
      assertThat(Peer.bytes(memory, 16, 48)).containsOnly(0);
    }
  }
}
