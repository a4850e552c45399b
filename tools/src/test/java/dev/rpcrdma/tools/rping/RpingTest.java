// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both ends over loopback, and each end with a peer that does it wrong. */
@DisplayName("rping")
final class RpingTest {

  private static final SocketAddress ANY_PORT = SocketAddress.inetSocketAddress(0, "127.0.0.1");
  private static final VerbsProvider SIW = VerbsProviders.named("siw");

  private static VerbsBed bed() {
    return new VerbsBed(SIW, DeviceOptions.DEFAULT);
  }

  private static RpingServer listen(VerbsBed bed, RpingOptions options) {
    return Waiting.await(RpingServer.listen(bed.device(), bed.context(), ANY_PORT, options));
  }

  private static Future<RpingReport> ping(VerbsBed bed, SocketAddress server,
      RpingOptions options) {
    return RpingClient.run(bed.device(), bed.context(), server, options);
  }

  private static String failure(Future<RpingReport> report) {
    Throwable thrown = Waiting.awaitFailure(report);
    assertThat(thrown).isInstanceOf(RpingException.class);
    assertThat(thrown.getMessage()).doesNotContain("\n");
    return thrown.getMessage();
  }

  @ParameterizedTest
  @CsvSource({"1,26", "1,64", "10,3000", "70,1357", "3,65535"})
  @DisplayName("The data comes back as it went")
  void pings(int count, int size) {
    try (VerbsBed bed = bed()) {
      pings(bed, count, size);
    }
  }

  @Test
  @DisplayName("Late completions change nothing")
  void lateCompletions() {
    try (VerbsBed bed = new VerbsBed(new DelayedCompletions(SIW, 42, 20), DeviceOptions.DEFAULT)) {
      pings(bed, 20, 3000);
    }
  }

  private static void pings(VerbsBed bed, int count, int size) {
    List<String> there = Collections.synchronizedList(new ArrayList<>());
    List<String> back = Collections.synchronizedList(new ArrayList<>());
    RpingOptions options = RpingOptions.DEFAULT.verified(count, size);
    RpingServer server = listen(bed, options.withOutput(there::add));
    Future<RpingReport> client = ping(bed, server.localAddress(), options.withOutput(back::add));
    RpingReport expected = new RpingReport(count, (long) count * size);
    assertThat(Waiting.await(client)).isEqualTo(expected);
    assertThat(Waiting.await(server.finished())).isEqualTo(expected);
    assertThat(there).hasSize(count).isEqualTo(back.stream().map(s -> "server " + s).toList());
    assertThat(back.get(0)).startsWith("ping data: rdma-ping-0: ABC").hasSize(10 + size);
  }

  @Test
  @DisplayName("A second client is refused while one is served")
  void oneClient() {
    try (VerbsBed bed = bed()) {
      RpingServer server = listen(bed, RpingOptions.DEFAULT);
      Peer first = bed.client();
      Waiting.await(bed.connect(server.localAddress(), first, ConnectionOptions.DEFAULT));
      assertThat(Waiting.awaitFailure(ping(bed, server.localAddress(), RpingOptions.DEFAULT)))
          .hasMessageContaining("rejected");
      Waiting.await(first.close());
      assertThat(Waiting.await(server.finished())).isEqualTo(new RpingReport(0, 0));
    }
  }

  @Test
  @DisplayName("A server whose client leaves too early says so")
  void fewerPings() {
    try (VerbsBed bed = bed()) {
      RpingServer server = listen(bed, RpingOptions.DEFAULT.verified(3, 64));
      Waiting.await(ping(bed, server.localAddress(), RpingOptions.DEFAULT.verified(2, 64)));
      assertThat(failure(server.finished())).isEqualTo("The client left after 2 of 3 pings");
    }
  }

  @Test
  @DisplayName("A server that answers without writing is found out by verification")
  void nothingWritten() {
    assertThat(fakeServer(RpingInfo.BYTES, RpingInfo.BYTES))
        .isEqualTo("The data of ping 0 came back changed");
  }

  @Test
  @DisplayName("An answer of the wrong length is not taken for one")
  void wrongLength() {
    assertThat(fakeServer(RpingInfo.BYTES - 1)).contains("15 bytes").contains("16");
  }

  @Test
  @DisplayName("A server that does not answer is given up")
  void noAnswer() {
    assertThat(fakeServer()).isEqualTo(
        "The peer has not done its part of ping 0 within 300 ms");
  }

  /** A server that does nothing but send messages of these lengths, one for each it gets. */
  private static String fakeServer(int... answers) {
    try (VerbsBed bed = bed()) {
      Peer server = bed.server();
      server.receive(1, RpingInfo.BYTES);
      server.receive(2, RpingInfo.BYTES);
      VerbsListener listener = bed.listen(
          request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
      Future<RpingReport> report = ping(bed, listener.localAddress(),
          RpingOptions.DEFAULT.verified(1, 64).withTimeout(Duration.ofMillis(300)));
      for (int answer : answers) {
        server.handler().completion(Opcode.RECEIVE);
        server.send(9, new byte[answer]);
      }
      return failure(report);
    }
  }

  @Test
  @DisplayName("A client that is lost in the middle of a ping is reported with its ping")
  void lostInTheMiddle() {
    assertThat(fakeClient(new byte[64], 64, client -> {
      client.handler().completion(Opcode.RECEIVE);
      client.close();
    }, false)).startsWith("The connection ended in ping 0: ");
  }

  @Test
  @DisplayName("Data that rping does not send is found out by verification")
  void otherData() {
    assertThat(fakeClient(new byte[64], 64, client -> { }, true))
        .isEqualTo("The data of ping 0 is not what rping sends");
  }

  @Test
  @DisplayName("A size beyond the server's memory is refused, whatever its sign")
  void tooLarge() {
    assertThat(fakeClient(new byte[64], 65_536, client -> { }, true)).contains("65536 bytes");
    assertThat(fakeClient(new byte[64], -1, client -> { }, true)).contains("4294967295 bytes");
  }

  /** A client that advertises a source and then does what it is told. */
  private static String fakeClient(byte[] contents, int size, Consumer<Peer> then,
      boolean verify) {
    try (VerbsBed bed = bed()) {
      RpingServer server = listen(bed, new RpingOptions(0, 64, verify, Duration.ofSeconds(5),
          line -> { }));
      Peer client = bed.client();
      client.receive(1, RpingInfo.BYTES);
      Waiting.await(bed.connect(server.localAddress(), client, ConnectionOptions.DEFAULT));
      LocalMemory source = client.memory(contents);
      Exposure exposure = client.expose(source, Access.REMOTE_READ);
      ByteBuffer message = ByteBuffer.allocate(RpingInfo.BYTES);
      new RpingInfo(exposure.remoteOffset(), exposure.steeringTag(), size).put(message, 0);
      client.send(2, message.array());
      then.accept(client);
      return failure(server.finished());
    }
  }
}
