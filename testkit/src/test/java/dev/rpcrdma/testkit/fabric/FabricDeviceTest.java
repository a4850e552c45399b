// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Addresses, instances, bounds, and the end of things. */
@DisplayName("memory: device")
final class FabricDeviceTest {

  private final VerbsBed bed = new VerbsBed(new MemoryProvider(), DeviceOptions.DEFAULT);

  @AfterEach
  void close() {
    bed.close();
  }

  private static void assertKind(Future<?> future, VerbsException.Kind kind) {
    assertThat(Waiting.awaitFailure(future)).isInstanceOfSatisfying(VerbsException.class,
        e -> assertThat(e.kind()).isEqualTo(kind));
  }

  /** Fails if {@code Endpoint.close} lets through what the ended loop says, or waits for ever. */
  @Test
  @DisplayName("A device with a connection can be closed behind its Vert.x")
  void endedVertx() {
    VerbsBed ended = new VerbsBed(new MemoryProvider(), DeviceOptions.DEFAULT);
    ended.connect();
    Waiting.await(ended.vertx().close());
    Waiting.await(ended.device().close());
  }

  /** Fails if {@code Endpoint.close} tells the peer nothing, whose Vert.x is another one. */
  @Test
  @DisplayName("A peer hears of the end of a connection whose Vert.x has ended")
  void peerOfEndedVertx() {
    try (VerbsBed other = new VerbsBed(new MemoryProvider(), DeviceOptions.DEFAULT)) {
      Peer server = other.server();
      VerbsListener listener = other.listen(request -> other.accept(request, server, ConnectionOptions.DEFAULT));
      Peer client = bed.client();
      Waiting.await(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
      server.awaitEstablished();
      Waiting.await(other.vertx().close());
      Waiting.await(other.device().close());
      assertThat(client.awaitDisconnected().reason().kind()).isEqualTo(Kind.REMOTE_CLOSE);
    }
  }

  /** Fails if {@code IncomingRequest.accept} or {@code FabricConnecting.connect} lets through what a loop says. */
  @Test
  @DisplayName("Accepting and connecting on an event loop that has ended fail")
  void onEndedLoop() {
    Vertx gone = Vertx.vertx();
    Context ended = Contexts.newEventLoop(gone);
    Waiting.await(gone.close());
    assertKind(bed.device().connect(ended, SocketAddress.inetSocketAddress(1, "127.0.0.1"),
        bed.device().allocateProtectionDomain(), ConnectionOptions.DEFAULT, pair -> null), VerbsException.Kind.CLOSED);
    Promise<Future<QueuePair>> accepted = Promise.promise();
    Promise<Future<Void>> rejected = Promise.promise();
    VerbsListener listener = bed.listen(request -> {
      try {
        accepted.complete(request.accept(ended, bed.device().allocateProtectionDomain(), ConnectionOptions.DEFAULT,
            pair -> null));
        rejected.complete(request.reject(Buffer.buffer()));
      } catch (RuntimeException e) {
        accepted.fail(e);
      }
    });
    bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
    assertKind(Waiting.await(accepted.future()), VerbsException.Kind.CLOSED);
    Waiting.await(Waiting.await(rejected.future()));
  }

  @Test
  @DisplayName("Instances of one process reach each other, and each end is on a loop of its own instance")
  void instances() {
    try (VerbsBed other = new VerbsBed(new MemoryProvider(), DeviceOptions.DEFAULT)) {
      Peer server = other.server();
      server.receive(7, 8);
      VerbsListener listener = other.listen(request -> other.accept(request, server, ConnectionOptions.DEFAULT));
      Peer client = bed.client();
      QueuePair connected = Waiting.await(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
      server.awaitEstablished();
      assertThat(connected.context().owner()).isSameAs(bed.vertx());
      assertThat(server.queuePair().context().owner()).isSameAs(other.vertx());
      assertThat(server.queuePair().remoteAddress()).isEqualTo(connected.localAddress());
      client.send(1, new byte[] {1});
      assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(7);
      Waiting.await(other.device().close());
      assertThat(client.awaitDisconnected().reason().kind()).isEqualTo(Kind.REMOTE_CLOSE);
    }
  }

  @Test
  @DisplayName("All hosts share their ports with a listener on any host, and localhost is 127.0.0.1")
  void hosts() {
    VerbsListener any = bed.listen(SocketAddress.inetSocketAddress(0, "0.0.0.0"),
        request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
    int port = any.localAddress().port();
    assertThat(port).isBetween(49_152, 65_535);
    for (String host : List.of("127.0.0.1", "localhost", "storage.example", "::1")) {
      SocketAddress address = SocketAddress.inetSocketAddress(port, host);
      assertKind(bed.device().listen(bed.context(), address, request -> { }),
          VerbsException.Kind.ADDRESS_UNAVAILABLE);
      QueuePair connected = Waiting.await(bed.connect(address, bed.client(), ConnectionOptions.DEFAULT));
      assertThat(connected.remoteAddress()).isEqualTo(address);
    }
    VerbsListener local = bed.listen(SocketAddress.inetSocketAddress(7, "localhost"),
        request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
    VerbsListener elsewhere = bed.listen(SocketAddress.inetSocketAddress(7, "elsewhere"), request -> { });
    assertThat(elsewhere.localAddress()).isNotEqualTo(local.localAddress());
    Waiting.await(bed.connect(SocketAddress.inetSocketAddress(7, "127.0.0.1"), bed.client(),
        ConnectionOptions.DEFAULT));
    assertKind(bed.device().listen(bed.context(), SocketAddress.inetSocketAddress(7, "0.0.0.0"), request -> { }),
        VerbsException.Kind.ADDRESS_UNAVAILABLE);
  }

  @Test
  @DisplayName("So many requests wait for an answer, one more finds nobody, and all are rejected with the listener")
  void pendingRequests() {
    VerbsListener listener = bed.listen(request -> { });
    List<Future<QueuePair>> waiting = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      waiting.add(bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT));
    }
    // Each connect is handed over by a loop of its own, so which of them is the last one is open.
    Future<QueuePair> last = bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
    waiting.add(last);
    Waiting.until(() -> waiting.stream().anyMatch(Future::failed));
    assertKind(waiting.stream().filter(Future::failed).findFirst().orElseThrow(), VerbsException.Kind.UNREACHABLE);
    Waiting.await(listener.close());
    assertThat(waiting.stream().filter(each -> Waiting.awaitFailure(each) instanceof ConnectionRejectedException))
        .hasSize(1024);
  }

  @Test
  @DisplayName("A request that was not answered in time is answered, and takes no other answer")
  void lateAnswer() {
    Promise<ConnectionRequest> asked = Promise.promise();
    VerbsListener listener = bed.listen(asked::complete);
    assertKind(bed.connect(listener.localAddress(), bed.client(),
        ConnectionOptions.DEFAULT.withTimeout(Duration.ofMillis(50))), VerbsException.Kind.TIMEOUT);
    assertThat(Waiting.awaitFailure(bed.accept(Waiting.await(asked.future()), bed.server(),
        ConnectionOptions.DEFAULT))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("An acceptance whose peer does not come up fails, and flushes what was posted")
  void acceptedInVain() {
    Peer server = bed.server();
    server.receive(1, 8);
    Promise<QueuePair> accepted = Promise.promise();
    VerbsListener listener = bed.listen(request ->
        bed.accept(request, server, ConnectionOptions.DEFAULT).onComplete(accepted));
    Peer client = bed.client();
    client.onSetup(QueuePair::close);
    assertKind(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT), VerbsException.Kind.CLOSED);
    assertKind(accepted.future(), VerbsException.Kind.DISCONNECTED);
    assertThat(server.handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.FLUSHED);
    assertThat(server.awaitDisconnected().reason().kind()).isEqualTo(Kind.NOT_ESTABLISHED);
  }

  @Test
  @DisplayName("An end that is closed between its setup and its establishment ends the other one")
  void closedWhileComingUp() {
    Peer server = bed.server();
    server.onSetup(created -> created.context().runOnContext(ignored -> created.close()));
    Promise<QueuePair> accepted = Promise.promise();
    VerbsListener listener = bed.listen(request ->
        bed.accept(request, server, ConnectionOptions.DEFAULT).onComplete(accepted));
    Peer client = bed.client();
    Waiting.await(bed.connect(listener.localAddress(), client, ConnectionOptions.DEFAULT));
    assertKind(accepted.future(), VerbsException.Kind.DISCONNECTED);
    assertThat(server.awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_CLOSE);
    assertThat(client.awaitDisconnected().reason().kind()).isEqualTo(Kind.REMOTE_CLOSE);
  }

  @Test
  @DisplayName("A truncated file fails its own work request and connection, and no other")
  void truncatedFile(@TempDir Path directory) throws IOException {
    VerbsBed.Pair bad = bed.connect();
    VerbsBed.Pair good = bed.connect();
    Path file = Files.write(directory.resolve("file"), new byte[100_000]);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      LocalMemory source = Waiting.await(bad.client().domain().register(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, 100_000), LocalMemory.Backing.MAPPED_FILE));
      channel.truncate(0);
      bad.server().receive(1, 100_000);
      bad.client().post(client -> client.postSend(1, source, 0, 100_000));
      assertThat(bad.client().handler().completion(Opcode.SEND).status()).isEqualTo(Status.ERROR);
      bad.awaitDisconnected();
    }
    good.server().receive(1, 8);
    good.client().send(1, new byte[8]);
    good.server().handler().completion(Opcode.RECEIVE);
  }

  @Test
  @DisplayName("Read-only memory is sent from, and refused where something would be placed in it")
  void readOnlyMemory() {
    VerbsBed.Pair pair = bed.connect();
    Peer client = pair.client();
    LocalMemory readOnly = Waiting.await(client.domain().register(
        ByteBuffer.allocateDirect(8).asReadOnlyBuffer(), LocalMemory.Backing.MEMORY));
    assertThatThrownBy(
        () -> client.run(owned -> owned.postReceive(1, readOnly, 0, 8))).hasMessageContaining("read-only");
    assertThatThrownBy(
        () -> client.run(owned -> owned.postRead(1, readOnly, 0, 8, 1, 0))).hasMessageContaining("read-only");
    assertThat(client.expose(readOnly, Access.REMOTE_WRITE).failure()).hasValueSatisfying(
        failure -> assertThat(failure.kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT));
    pair.server().receive(1, 8);
    client.post(owned -> owned.postSend(2, readOnly, 0, 8));
    pair.server().handler().completion(Opcode.RECEIVE);
  }
}
