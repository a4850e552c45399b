// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Faults that a test asks for while connections are in use. */
@DisplayName("memory: faults on demand")
final class MemoryFabricTest {

  private final VerbsBed bed = new VerbsBed(new MemoryProvider(),
      DeviceOptions.DEFAULT.withSettings(new JsonObject().put("closeTimeoutMillis", 50)));
  private final MemoryFabric fabric = MemoryFabric.of(bed.vertx());

  @AfterEach
  void close() {
    bed.close();
    assertThat(fabric.connections()).isZero();
  }

  /** What has been handed to its loop before has been looked at when this returns. */
  private static void look(Peer peer) {
    peer.run(owned -> { });
  }

  /** Does something while a loop is busy, so that what is handed to it meanwhile comes later. */
  private static void whileBusy(Peer peer, Runnable action) {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    peer.queuePair().context().runOnContext(ignored -> {
      busy.countDown();
      Waiting.await(release);
    });
    Waiting.await(busy);
    action.run();
    release.countDown();
    look(peer);
  }

  private static List<Completed> completions(Peer peer) {
    return peer.handler().events().stream().filter(Completed.class::isInstance).map(Completed.class::cast).toList();
  }

  @Test
  @DisplayName("A cut loses what is on its way, and both ends of each connection are told")
  void cut() {
    VerbsBed.Pair first = bed.connect();
    VerbsBed.Pair second = bed.connect();
    assertThat(fabric.connections()).isEqualTo(2);
    fabric.partition();
    first.server().receive(1, 8);
    LocalMemory memory = first.client().memory(8);
    first.client().post(client -> client.postSend(1, memory, 0, 8));
    assertThat(fabric.cut()).isEqualTo(2);
    fabric.heal();
    for (Peer peer : List.of(first.client(), first.server(), second.client(), second.server())) {
      assertThat(peer.awaitDisconnected().reason()).isEqualTo(
          new DisconnectReason(Kind.REMOTE_CLOSE, "The connection is cut on purpose"));
    }
    assertThat(completions(first.server())).extracting(Completed::status).containsExactly(Status.FLUSHED);
    assertThat(completions(first.client())).extracting(Completed::status).containsExactly(Status.FLUSHED);
  }

  @Test
  @DisplayName("A message that has reached the other loop, and was not taken there yet, is lost by a cut")
  void cutBeforeItIsTaken() {
    Peer server = bed.server();
    server.receive(1, 8);
    VerbsBed.Pair pair = bed.connect(bed.client(), server);
    LocalMemory memory = pair.client().memory(8);
    whileBusy(server, () -> {
      pair.client().post(client -> client.postSend(1, memory, 0, 8));
      fabric.cut();
    });
    pair.awaitDisconnected();
    assertThat(completions(server)).extracting(Completed::status).containsExactly(Status.FLUSHED);
  }

  @Test
  @DisplayName("A message that has reached the other loop, and was not taken there yet, is held by a partition")
  void partitionBeforeItIsTaken() {
    Peer server = bed.server();
    server.receive(1, 8);
    VerbsBed.Pair pair = bed.connect(bed.client(), server);
    LocalMemory memory = pair.client().memory(8);
    whileBusy(server, () -> {
      pair.client().post(client -> client.postSend(1, memory, 0, 8));
      fabric.partition();
    });
    assertThat(completions(server)).isEmpty();
    fabric.heal();
    assertThat(server.handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.SUCCESS);
  }

  @Test
  @DisplayName("All connections are cut together after so many messages, and the next ones are not")
  void cutAfter() {
    VerbsBed.Pair other = bed.connect();
    Peer server = bed.server();
    server.receive(1, 8);
    server.receive(2, 8);
    LocalMemory third = server.receive(3, 8);
    VerbsBed.Pair pair = bed.connect(bed.client(), server);
    fabric.cutAfter(2);
    pair.client().send(1, new byte[] {1});
    pair.client().send(2, new byte[] {2});
    LocalMemory memory = pair.client().memory(new byte[] {3, 4, 5, 6});
    pair.client().post(client -> client.postSend(3, memory, 0, 4));
    other.awaitDisconnected();
    pair.awaitDisconnected();
    assertThat(completions(server)).extracting(Completed::status)
        .containsExactly(Status.SUCCESS, Status.SUCCESS, Status.FLUSHED);
    assertThat(Peer.bytes(third, 0, 4)).containsExactly(3, 4, 0, 0);
    VerbsBed.Pair next = bed.connect();
    for (int i = 0; i < 5; i++) {
      next.server().receive(i, 8);
      next.client().send(i, new byte[8]);
      next.server().handler().completion(Opcode.RECEIVE);
    }
  }

  @Test
  @DisplayName("Nothing passes a partition, and all goes on in its order when it is healed")
  void partition() {
    Peer server = bed.server();
    server.receive(1, 8);
    server.receive(2, 8);
    VerbsBed.Pair pair = bed.connect(bed.client(), server);
    fabric.partition();
    LocalMemory memory = pair.client().memory(8);
    for (int i = 1; i <= 2; i++) {
      int id = i;
      pair.client().post(client -> client.postSend(id, memory, 0, 8));
    }
    look(server);
    assertThat(completions(server)).isEmpty();
    assertThat(completions(pair.client())).isEmpty();
    fabric.heal();
    assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(1);
    assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(2);
  }

  @Test
  @DisplayName("A close during a partition has its deadline, and the other end is told when it is healed")
  void closeDuringPartition() {
    VerbsBed.Pair pair = bed.connect();
    fabric.partition();
    Waiting.await(pair.client().close());
    assertThat(pair.client().awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_CLOSE);
    look(pair.server());
    assertThat(pair.server().handler().events()).noneMatch(event -> event.toString().startsWith("Disconnected"));
    fabric.heal();
    assertThat(pair.server().awaitDisconnected().reason().kind()).isEqualTo(Kind.REMOTE_CLOSE);
  }

  @Test
  @DisplayName("Memory that was given back by a close during a partition is not touched when it is healed")
  void memoryIsGivenBack() {
    VerbsBed.Pair pair = bed.connect();
    LocalMemory source = pair.server().memory(new byte[] {1, 2, 3, 4});
    LocalMemory target = pair.server().memory(4);
    Exposure readable = pair.server().expose(source, Access.REMOTE_READ);
    Exposure writable = pair.server().expose(target, Access.REMOTE_WRITE);
    LocalMemory sink = pair.client().memory(4);
    LocalMemory written = pair.client().memory(new byte[] {9, 9, 9, 9});
    fabric.partition();
    pair.client().post(client -> {
      client.postRead(1, sink, 0, 4, readable.steeringTag(), readable.remoteOffset());
      client.postWrite(2, written, 0, 4, writable.steeringTag(), writable.remoteOffset());
    });
    Waiting.await(pair.client().close());
    assertThat(completions(pair.client())).extracting(Completed::status)
        .containsExactly(Status.FLUSHED, Status.FLUSHED);
    fabric.heal();
    pair.server().awaitDisconnected();
    assertThat(Peer.bytes(sink, 0, 4)).containsOnly(0);
    assertThat(Peer.bytes(target, 0, 4)).containsOnly(0);
  }

  @Test
  @DisplayName("A connect waits for the end of a partition, until its deadline")
  void connectDuringPartition() {
    VerbsListener listener = bed.listen(request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
    fabric.partition();
    assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(),
        ConnectionOptions.DEFAULT.withTimeout(Duration.ofMillis(50))))).isInstanceOfSatisfying(VerbsException.class,
            e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.TIMEOUT));
    Future<QueuePair> patient = bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
    Waiting.until(() -> fabric.heldConnects() == 1);
    fabric.heal();
    Waiting.await(patient);
  }

  @Test
  @DisplayName("A partition of one instance holds connects to it and its connections, and leaves others alone")
  void partitionOfOneInstance() {
    try (VerbsBed other = new VerbsBed(new MemoryProvider(), DeviceOptions.DEFAULT)) {
      Peer server = other.server();
      server.receive(1, 8);
      server.receive(2, 8);
      VerbsListener listener = other.listen(request -> other.accept(request, server, ConnectionOptions.DEFAULT));
      MemoryFabric ofServer = MemoryFabric.of(other.vertx());
      ofServer.partition();
      assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(),
          ConnectionOptions.DEFAULT.withTimeout(Duration.ofMillis(50))))).hasMessageContaining("within 50 ms");
      Peer client = bed.client();
      Future<QueuePair> connecting = bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT);
      Waiting.until(() -> ofServer.heldConnects() == 1);
      VerbsBed.Pair own = bed.connect();
      own.server().receive(1, 8);
      own.client().send(1, new byte[8]);
      ofServer.heal();
      Waiting.await(connecting);
      server.awaitEstablished();
      LocalMemory memory = client.memory(8);
      for (MemoryFabric either : List.of(fabric, ofServer)) {
        int before = completions(server).size();
        either.partition();
        client.post(owned -> owned.postSend(1, memory, 0, 8));
        look(server);
        assertThat(completions(server)).hasSize(before);
        either.heal();
        server.handler().completion(Opcode.RECEIVE);
      }
      assertThat(ofServer.connections()).isEqualTo(1);
      assertThat(ofServer.cut()).isEqualTo(1);
      assertThat(ofServer).isNotSameAs(fabric).isSameAs(MemoryFabric.of(other.vertx()));
    }
  }

  @Test
  @DisplayName("So many connects find nobody, and the next one finds its listener")
  void refuse() {
    VerbsListener listener = bed.listen(request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
    fabric.refuse(2);
    for (int i = 0; i < 2; i++) {
      assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT)))
          .isInstanceOfSatisfying(VerbsException.class,
              e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.UNREACHABLE))
          .hasMessageContaining("on purpose");
    }
    Waiting.await(bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT));
  }

  @Test
  @DisplayName("A negative count is refused")
  void negative() {
    assertThatThrownBy(() -> fabric.cutAfter(-1)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> fabric.refuse(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
