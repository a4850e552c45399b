// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.impl.connection.DeviceWatch;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of calls when the key distribution center is away, or says nothing. */
@DisplayName("Kerberos without its center")
@Tag("large")
class KerberosCenterTest {

  private static final String SERVICE = "echo/127.0.0.1";
  private static final RpcClientOptions PLAIN = new RpcClientOptions().setProvider("siw");
  /** More than there are threads that can wait for the center. */
  private static final int CLIENTS = 12;
  private static final int THREADS = 8;
  private static final int LONG_MILLIS = 60_000;

  private static KerberosRealm realm;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final List<Socket> unanswered = new ArrayList<>();
  private DeviceWatch watch;
  private RpcServer server;

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", SERVICE);
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @BeforeEach
  void serve() {
    watch = new DeviceWatch(vertx, PLAIN);
    server = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")
        .setKerberos(realm.options(SERVICE).setMaxContexts(1))).bind(new EchoService())
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  @AfterEach
  void close() throws IOException {
    realm.movesBack();
    for (Socket each : unanswered) {
      each.close();
    }
    Waiting.await(server.close());
    watch.assertNothingLeft();
    Waiting.await(vertx.close());
  }

  private RpcClient client() {
    return RpcClient.create(vertx, new RpcClientOptions(PLAIN).setKerberos(
        realm.options("alice").setService("echo").setProtection(RpcProtection.PRIVACY)));
  }

  private RpcChannel channel(RpcClient client) {
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  private static Future<?> echo(RpcChannel channel, int bytes) {
    return channel.call(EchoService.echo(new byte[bytes]));
  }

  private static Future<?> impatient(RpcChannel channel) {
    return channel.call(EchoService.echo(new byte[1])
        .withOptions(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(200))));
  }

  private static void assertRefused(Future<?> call, String words) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcSecurityException.class,
        e -> assertThat(e.maybeExecuted()).isFalse()).hasMessageContaining(words);
  }

  private static ServerSocket silence() throws IOException {
    ServerSocket silent = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress());
    silent.setSoTimeout((int) Waiting.DEADLINE.toMillis());
    return silent;
  }

  /** Fails if {@code GssClient.Making.fail} leaves those who wait, or {@code failAll} the next call without a try. */
  @Test
  @DisplayName("Where nobody listens calls fail at once and say so, others go on, and when the center is back so do"
      + " these")
  void gone() throws IOException {
    RpcClient before = client();
    RpcChannel other = channel(before);
    Waiting.await(echo(other, 1));
    try (ServerSocket free = silence()) {
      realm.movesTo(free.getLocalPort(), 2000);
    }
    RpcClient client = client();
    RpcChannel channel = channel(client);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(echo(channel, 1));
    }
    calls.forEach(call -> assertRefused(call, "Connection refused"));
    Waiting.await(echo(other, 100_000));
    realm.movesBack();
    Waiting.await(echo(channel, 1));
    // Each takes the only place from the other, and makes its contexts by the ticket that it has.
    realm.stop();
    for (int i = 0; i < 3; i++) {
      Waiting.await(echo(other, 1));
      Waiting.await(echo(channel, 1));
    }
    realm.starts();
    Waiting.await(client.close());
    Waiting.await(before.close());
  }

  /**
   * Fails if {@code PeerContexts} gives what protects bodies to the threads that wait for tickets, or {@code
   * OutboundCall.giveUp} does not ask what there was to wait for.
   */
  @Test
  @DisplayName("A center that says nothing keeps no other channel waiting; calls fail in their own time and say why")
  void silent() throws IOException {
    RpcClient before = client();
    RpcChannel other = channel(before);
    Waiting.await(echo(other, 1));
    RpcClient client = client();
    List<RpcClient> clients = new ArrayList<>();
    List<Future<?>> patient = new ArrayList<>();
    try (ServerSocket silent = silence()) {
      realm.movesTo(silent.getLocalPort(), LONG_MILLIS);
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(client());
        patient.add(echo(channel(clients.get(i)), 1));
        if (i == 0) {
          // It has a thread, and does not wait for one until the center is back.
          unanswered.add(silent.accept());
        }
      }
      while (unanswered.size() < THREADS) {
        unanswered.add(silent.accept());
      }
      Waiting.await(echo(other, 1));
      Waiting.await(echo(other, 100_000));
      assertThat(patient).noneMatch(Future::isComplete);
      RpcChannel channel = channel(client);
      assertRefused(impatient(channel), "does the key distribution center answer?");
      assertRefused(impatient(channel), "does the key distribution center answer?");
      Waiting.await(client.close());
      for (RpcClient each : clients.subList(1, CLIENTS)) {
        Waiting.await(each.close());
      }
      assertThat(patient.subList(1, CLIENTS)).allSatisfy(call -> assertThat(Waiting.outcome(call)).isNotNull());
      realm.movesBack();
    }
    for (Socket each : unanswered) {
      each.close();
    }
    assertThat(Waiting.awaitFailure(patient.get(0))).isInstanceOf(RpcSecurityException.class);
    Waiting.await(echo(channel(clients.get(0)), 1));
    Waiting.await(clients.get(0).close());
    Waiting.await(before.close());
  }

  /** Fails if closing waits for the threads that wait for the center. */
  @Test
  @DisplayName("Vert.x closes while the center says nothing, and calls have their outcome")
  void closedMeanwhile() throws IOException {
    Vertx own = Vertx.vertx();
    try (ServerSocket silent = silence()) {
      realm.movesTo(silent.getLocalPort(), LONG_MILLIS);
      Future<?> call = echo(channel(RpcClient.create(own, new RpcClientOptions(PLAIN).setKerberos(
          realm.options("alice").setService("echo")))), 1);
      unanswered.add(silent.accept());
      Waiting.await(own.close());
      assertThat(call.cause()).isInstanceOf(RpcException.class);
    }
  }
}
