// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcUnsupportedException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client of ours sends of OPTIONAL header types, message by message. */
class HeaderTypeProbesTest {

  private static final int SEVEN = 7;
  private static final int EIGHT = 8;
  private static final Buffer BODY = Buffer.buffer("twelve bytes");
  private static final String BODY_WORDS = "7477656c 76652062 79746573";
  /** How a call begins behind its XID: version, credits, RDMA_MSG. */
  private static final String CALL = " 00000001 00000040 00000000 ";
  private static final Duration SHORT = Duration.ofMillis(100);

  private final Vertx vertx = Vertx.vertx();
  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private final RawServer server = new RawServer(raw, 10);
  private RpcClient client;
  private RpcConnection connection;

  @BeforeEach
  void connect() {
    client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("siw")).build();
    connection = Waiting.await(client.channel(server.address).connect());
  }

  @AfterEach
  void close() {
    Waiting.await(client.close());
    raw.close();
    Waiting.await(vertx.close());
  }

  private static String xid(String message) {
    return message.substring(0, 8);
  }

  private Future<Void> call() {
    return connection.call(EchoService.call(EchoService.NEVER));
  }

  /** Answers a call, and lets eight more be in flight. */
  private void reply(String call) {
    server.send(xid(call) + "00000001 00000008 00000000 00000000 00000000 00000000" + xid(call)
        + "00000001 00000000 00000000 00000000 00000000");
  }

  private void grantMore() {
    Future<Void> call = call();
    reply(server.next());
    Waiting.await(call);
  }

  private void errChunk(String message) {
    server.send(xid(message) + "00000001 00000001 00000004 00000002");
  }

  @Test
  @DisplayName("R-303 R-305: one message is sent of a type that the server does not know, and no more")
  void noSecondMessage() {
    grantMore();
    Future<Buffer> first = connection.exchange(SEVEN, BODY);
    Future<Buffer> second = connection.exchange(SEVEN, BODY);
    String probe = server.next();
    assertThat(probe.substring(8)).isEqualTo(" 00000001 00000040 00000007 " + BODY_WORDS);
    errChunk(probe);
    assertThat(Waiting.awaitFailure(first)).isInstanceOf(RpcUnsupportedException.class)
        .hasMessageContaining("header type 7").hasMessageContaining("found out by trying");
    assertThat(Waiting.awaitFailure(second)).isInstanceOf(RpcUnsupportedException.class);
    assertThat(Waiting.awaitFailure(connection.exchange(SEVEN, BODY)))
        .isInstanceOf(RpcUnsupportedException.class);
    Future<Void> call = call();
    String next = server.next();
    assertThat(next.substring(8)).startsWith(CALL);
    reply(next);
    Waiting.await(call);
  }

  @Test
  @DisplayName("R-303 R-306: several at once wait for the first; calls do not")
  void waitForTheProbe() {
    grantMore();
    Future<Buffer> first = connection.exchange(SEVEN, BODY);
    Future<Buffer> second = connection.exchange(SEVEN, BODY);
    Future<Buffer> other = connection.exchange(EIGHT, BODY);
    Future<Void> call = call();
    String probe = server.next();
    assertThat(probe).contains(" 00000007 ");
    String between = server.next();
    assertThat(between.substring(8)).startsWith(CALL);
    server.send(xid(probe) + "00000001 00000008 00000007 0a0b0c0d");
    assertThat(Waiting.await(first)).isEqualTo(Buffer.buffer(new byte[] {10, 11, 12, 13}));
    String now = server.next();
    assertThat(now).contains(" 00000007 ");
    String nextProbe = server.next();
    assertThat(nextProbe).contains(" 00000008 ");
    // Each answer goes where its XID says.
    server.send(xid(nextProbe) + "00000001 00000008 00000008");
    server.send(xid(now) + "00000001 00000008 00000007 0000002a");
    reply(between);
    assertThat(Waiting.await(other).length()).isZero();
    assertThat(Waiting.await(second)).isEqualTo(Buffer.buffer(new byte[] {0, 0, 0, 42}));
    Waiting.await(call);
  }

  @Test
  @DisplayName("A message without an answer fails after the call timeout")
  void timeout() {
    RawServer silent = new RawServer(raw, 1);
    RpcClient hasty = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("siw")
        .setCallTimeout(SHORT).setDrainTimeout(SHORT)).build();
    RpcConnection unanswered = Waiting.await(hasty.channel(silent.address).connect());
    assertThat(Waiting.awaitFailure(unanswered.exchange(SEVEN, BODY)))
        .isInstanceOf(RpcTimeoutException.class).hasMessageContaining("header type 7");
    assertThat(silent.next()).contains(" 00000007 ");
    Waiting.await(hasty.close());
  }

  @Test
  @DisplayName("A lost connection fails what was sent over it, and says that it was sent")
  void lost() {
    Future<Buffer> sent = connection.exchange(SEVEN, BODY);
    Future<Buffer> waiting = connection.exchange(SEVEN, BODY);
    server.next();
    Waiting.await(server.peer.close());
    assertThat(Waiting.awaitFailure(sent)).isInstanceOfSatisfying(RpcConnectionLostException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    assertThat(Waiting.awaitFailure(waiting)).isInstanceOfSatisfying(RpcConnectionLostException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(Waiting.awaitFailure(connection.exchange(SEVEN, BODY)))
        .isInstanceOf(RpcClosedException.class);
  }
}
