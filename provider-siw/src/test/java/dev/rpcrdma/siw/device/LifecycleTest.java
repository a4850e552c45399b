// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What siw does beyond the contract of all providers. */
@DisplayName("siw: files and lifecycle")
final class LifecycleTest {

  @TempDir
  Path directory;

  private LocalMemory mapped(Peer peer, FileChannel channel) throws IOException {
    ByteBuffer mapping = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
    return Waiting.await(peer.domain().register(mapping, LocalMemory.Backing.MAPPED_FILE));
  }

  private FileChannel file(byte[] contents) throws IOException {
    Path path = directory.resolve("file");
    Files.write(path, contents);
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Test
  @DisplayName("A mapped file is read and written like memory")
  void mappedFile() throws IOException {
    byte[] data = new byte[300_000];
    new Random(5).nextBytes(data);
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
        FileChannel channel = file(data)) {
      VerbsBed.Pair pair = bed.connect();
      Exposure exposure =
          pair.server().expose(mapped(pair.server(), channel), Access.REMOTE_READ);
      LocalMemory sink = pair.client().memory(data.length);
      pair.client().post(client -> client.postRead(1, sink, 0, data.length,
          exposure.steeringTag(), exposure.remoteOffset()));
      pair.client().handler().completion(Opcode.READ);
      assertThat(Peer.bytes(sink, 0, data.length)).isEqualTo(data);
    }
  }

  @Test
  @DisplayName("A truncated file fails its own work request and connection, and no other")
  void truncatedFile() throws IOException {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
        FileChannel channel = file(new byte[100_000])) {
      VerbsBed.Pair bad = bed.connect();
      VerbsBed.Pair good = bed.connect();
      LocalMemory source = mapped(bad.client(), channel);
      channel.truncate(0);
      bad.client().post(client -> client.postSend(1, source, 0, 100_000));
      assertThat(bad.client().handler().completion(Opcode.SEND).status())
          .isEqualTo(Status.ERROR);
      assertThat(bad.client().awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_ERROR);
      bad.server().awaitDisconnected();
      good.server().receive(1, 8);
      good.client().send(1, new byte[8]);
      good.server().handler().completion(Opcode.RECEIVE);
    }
  }

  @Test
  @DisplayName("A read-only mapping is sent from, and refused where something would be placed in it")
  void readOnlyMemory() throws IOException {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
        FileChannel channel = file(new byte[8])) {
      VerbsBed.Pair pair = bed.connect();
      Peer client = pair.client();
      LocalMemory readOnly = Waiting.await(client.domain().register(
          channel.map(FileChannel.MapMode.READ_ONLY, 0, 8), LocalMemory.Backing.MAPPED_FILE));
      assertReadOnly(() -> client.run(owned -> owned.postReceive(1, readOnly, 0, 8)));
      assertReadOnly(() -> client.run(owned -> owned.postRead(1, readOnly, 0, 8, 1, 0)));
      assertThat(client.expose(readOnly, Access.REMOTE_WRITE).failure()).hasValueSatisfying(
          failure -> assertThat(failure.kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT));
      pair.server().receive(1, 8);
      client.post(owned -> owned.postSend(2, readOnly, 0, 8));
      pair.server().handler().completion(Opcode.RECEIVE);
    }
  }

  private static void assertReadOnly(ThrowingCallable post) {
    assertThatThrownBy(post).isInstanceOf(VerbsException.class).hasMessageContaining("read-only");
  }

  @Test
  @DisplayName("An Error of a setup fails its own connect or accept at once, as an exception does")
  void setupThrowsError() {
    ConnectionOptions patient = ConnectionOptions.DEFAULT.withTimeout(Duration.ofMinutes(1));
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      Promise<Void> accepted = Promise.promise();
      VerbsListener listener = bed.listen(request ->
          bed.accept(request, throwing(bed.server()), patient).<Void>mapEmpty()
              .onComplete(accepted));
      assertThat(Waiting.awaitFailure(bed.connect(listener.localAddress(), bed.client(), patient)))
          .isInstanceOf(VerbsException.class);
      assertThat(Waiting.awaitFailure(accepted.future())).isInstanceOf(StackOverflowError.class);

      Peer server = bed.server();
      VerbsListener other = bed.listen(request -> bed.accept(request, server, patient));
      assertThat(Waiting.awaitFailure(
          bed.connect(other.localAddress(), throwing(bed.client()), patient)))
          .isInstanceOf(StackOverflowError.class);
      server.awaitDisconnected();
    }
  }

  private static Peer throwing(Peer peer) {
    peer.onSetup(created -> {
      throw new StackOverflowError("on purpose");
    });
    return peer;
  }

  @Test
  @DisplayName("What is no address of TCP is refused, and the device closes as ever")
  void noTcpAddress() {
    SocketAddress path = SocketAddress.domainSocketAddress("/nowhere");
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      for (Future<?> refused : List.of(
          bed.device().listen(bed.context(), path, request -> {}),
          bed.connect(path, bed.client(), ConnectionOptions.DEFAULT))) {
        assertThat(Waiting.awaitFailure(refused)).isInstanceOf(VerbsException.class)
            .extracting(failure -> ((VerbsException) failure).kind())
            .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
      }
      Waiting.await(bed.device().close());
    }
  }

  @Test
  @DisplayName("A handler that exposes anew whenever something was exposed leaves others their turn")
  void exposesAnew() {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      Peer client = bed.connect().client();
      LocalMemory memory = client.memory(8);
      AtomicInteger exposed = new AtomicInteger();
      client.handler().reaction(event -> {
        if (event instanceof Exposed made && made.exposure().failure().isEmpty()
            && exposed.incrementAndGet() < 1000) {
          client.queuePair().revoke(made.exposure());
          client.queuePair().expose(1, memory, 0, 8, Access.REMOTE_READ);
        }
      });
      Promise<Integer> others = Promise.promise();
      client.run(owned -> {
        owned.expose(1, memory, 0, 8, Access.REMOTE_READ);
        owned.context().runOnContext(turn -> others.complete(exposed.get()));
      });
      assertThat(Waiting.await(others.future())).isLessThan(10);
    }
  }

  @Test
  @DisplayName("An exception handler that throws holds up neither a turn nor the connection's end")
  void exceptionHandlerThrows() {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT)) {
      VerbsBed.Pair pair = bed.connect();
      pair.server().receive(1, 8);
      pair.server().receive(2, 8);
      pair.server().queuePair().context().exceptionHandler(thrown -> {
        throw new IllegalStateException("on purpose", thrown);
      });
      pair.server().handler().reaction(event -> {
        if (event instanceof Completed) {
          throw new IllegalArgumentException("on purpose");
        }
      });
      pair.client().send(1, new byte[8]);
      assertThat(pair.server().awaitDisconnected().reason().kind()).isEqualTo(Kind.LOCAL_ERROR);
      pair.client().awaitDisconnected();
      Waiting.await(pair.server().close());
    }
  }
}
