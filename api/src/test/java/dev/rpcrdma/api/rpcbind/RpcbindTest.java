// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcNotRegisteredException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client of rpcbind and the embedded one, over both families of the loopback. Fails if {@code RpcbindImpl} takes an
 * address of another netid, or {@code RecordCall} waits for ever, or takes what is longer than its bound.
 */
@DisplayName("rpcbind over TCP")
class RpcbindTest {

  private static final int PROGRAM = 0x20060001;

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcbindServer embedded(String host) {
    return embedded(host, RpcbindServerOptions.DEFAULT);
  }

  private RpcbindServer embedded(String host, RpcbindServerOptions options) {
    return Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, host), options));
  }

  private Rpcbind ask(int port, String host) {
    return Rpcbind.of(vertx, SocketAddress.inetSocketAddress(port, host), RpcbindOptions.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @DisplayName("R-180, R-181, R-182: what is registered for rdma and rdma6 is found, listed, and taken back")
  void registrations(String host) {
    RpcbindServer server = embedded(host);
    Rpcbind rpcbind = ask(server.actualPort(), host);
    Rpcb four = new Rpcb(PROGRAM, 1, Netid.RDMA, "192.0.2.7.78.81", "me");
    Rpcb six = new Rpcb(PROGRAM, 1, Netid.RDMA6, "2001:db8::7.78.82", "me");
    assertThat(Waiting.await(rpcbind.register(four))).isTrue();
    assertThat(Waiting.await(rpcbind.register(six))).isTrue();
    assertThat(Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 1, Netid.RDMA, "192.0.2.8.78.81", "me")))).isFalse();
    assertThat(Waiting.await(rpcbind.getAddress(PROGRAM, 1, Netid.RDMA)))
        .isEqualTo(new UniversalAddress("192.0.2.7", 20049));
    assertThat(Waiting.await(rpcbind.getAddress(PROGRAM, 1, Netid.RDMA6)))
        .isEqualTo(new UniversalAddress("2001:db8::7", 20050));
    assertThat(Waiting.await(rpcbind.locate(PROGRAM, 1))).isEqualTo(host.equals("::1")
        ? SocketAddress.inetSocketAddress(20050, "2001:db8::7") : SocketAddress.inetSocketAddress(20049, "192.0.2.7"));
    assertThat(Waiting.await(rpcbind.dump())).hasSize(5).contains(four, six).isEqualTo(server.entries());
    assertThat(Waiting.await(rpcbind.unregister(new Rpcb(PROGRAM, 1, "", "", "other")))).isFalse();
    assertThat(Waiting.await(rpcbind.unregister(new Rpcb(PROGRAM, 1, Netid.RDMA, "", "me")))).isTrue();
    assertThat(Waiting.await(rpcbind.locate(PROGRAM, 1))).as("the other family is better than none")
        .isEqualTo(SocketAddress.inetSocketAddress(20050, "2001:db8::7"));
    assertThat(Waiting.await(rpcbind.unregister(six))).isTrue();
    assertThat(server.entries()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @DisplayName("B-113: a wildcard is the address by which the host was reached, for RDMA and for TCP")
  void wildcards(String host) {
    Rpcbind rpcbind = ask(embedded(host).actualPort(), host);
    boolean six = host.equals("::1");
    Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 1, six ? Netid.RDMA6 : Netid.RDMA,
        six ? "::.78.81" : "0.0.0.0.78.81", "me")));
    Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 1, six ? Netid.TCP6 : Netid.TCP,
        six ? "::.0.7" : "0.0.0.0.0.7", "me")));
    assertThat(Waiting.await(rpcbind.locate(PROGRAM, 1)).host()).isEqualTo(host);
    assertThat(Waiting.await(rpcbind.getAddress(PROGRAM, 1, six ? Netid.TCP6 : Netid.TCP)))
        .isEqualTo(new UniversalAddress(host, 7));
  }

  /** Fails if {@code RpcbindImpl.locate} leaves the name out. */
  @Test
  @DisplayName("A server that is found keeps the name of the host that was asked, for TLS and Kerberos")
  void name() {
    Rpcbind rpcbind = ask(embedded("127.0.0.1").actualPort(), "localhost");
    Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 1, Netid.RDMA, "127.0.0.1.78.81", "me")));
    SocketAddress found = Waiting.await(rpcbind.locate(PROGRAM, 1));
    assertThat(found.host()).isEqualTo("localhost");
    assertThat(found.hostAddress()).isEqualTo("127.0.0.1");
  }

  @Test
  @DisplayName("What is not registered says so: for which netids, or which versions, there is something")
  void notRegistered() {
    Rpcbind rpcbind = ask(embedded("127.0.0.1").actualPort(), "127.0.0.1");
    assertThat(Waiting.awaitFailure(rpcbind.locate(PROGRAM, 1))).isInstanceOfSatisfying(
        RpcNotRegisteredException.class, e -> assertThat(e.netids()).isEmpty())
        .hasMessageContaining("0x20060001 version 1").hasMessageContaining("not registered there");
    assertThat(Waiting.awaitFailure(rpcbind.locate(100000, 4))).isInstanceOfSatisfying(
        RpcNotRegisteredException.class, e -> assertThat(e.netids()).containsExactly(Netid.TCP))
        .hasMessageContaining("for tcp only");
    assertThat(Waiting.awaitFailure(rpcbind.getAddress(100000, 9, Netid.RDMA)))
        .isInstanceOf(RpcNotRegisteredException.class).hasMessageContaining("version 2, 3, 4 only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @DisplayName("R-180: a channel asks rpcbind where a program is, and goes there; RDMA over IPv4 and IPv6")
  void channel(String host) {
    RpcServer server = RpcServer.create(vertx);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, host)));
    RpcbindServer embedded = embedded(host);
    UniversalAddress address = new UniversalAddress(host, server.actualPort());
    RpcbindAddress wanted = new RpcbindAddress(
        SocketAddress.inetSocketAddress(embedded.actualPort(), host), PROGRAM, 1);
    RpcClient client = RpcClient.create(vertx);
    assertThat(Waiting.awaitFailure(client.channel(wanted).connect())).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("not registered").hasCauseInstanceOf(RpcNotRegisteredException.class);
    Waiting.await(ask(embedded.actualPort(), host)
        .register(new Rpcb(PROGRAM, 1, address.rdmaNetid(), address.toString(), "me")));
    RpcChannel channel = client.channel(wanted);
    assertThat(Waiting.await(channel.connect()).remoteAddress().port()).isEqualTo(server.actualPort());
    Waiting.await(client.close());
    Waiting.await(server.close());
  }

  // What others do wrong

  private Rpcbind answering(Duration timeout, String digits) {
    NetServer server = vertx.createNetServer().connectHandler(socket -> socket.handler(asked ->
        socket.write(Buffer.buffer(java.util.HexFormat.of().parseHex(digits.replace(" ", ""))))));
    Waiting.await(server.listen(0, "127.0.0.1"));
    return Rpcbind.of(vertx, SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"),
        RpcbindOptions.DEFAULT.withTimeout(timeout).withMaxReply(1024));
  }

  @Test
  @DisplayName("Nobody there, no answer, half a record: each in time, each by its own name")
  void noAnswer() {
    assertThat(Waiting.awaitFailure(ask(FreePort.find(), "127.0.0.1").dump())).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("No rpcbind at");
    Duration soon = Duration.ofMillis(200);
    assertThat(Waiting.awaitFailure(answering(soon, "").dump())).isInstanceOf(RpcTimeoutException.class);
    assertThat(Waiting.awaitFailure(answering(soon, "80000020 0000").dump())).isInstanceOf(RpcTimeoutException.class);
  }

  /** Fails if {@code RecordCall} does not connect on an event loop: then the end of a few connections goes unheard. */
  @Test
  @DisplayName("The end of a connection is heard, however soon it comes")
  void endsAtOnce() {
    NetServer ends = vertx.createNetServer().connectHandler(NetSocket::close);
    Waiting.await(ends.listen(0, "127.0.0.1"));
    for (int i = 0; i < 500; i++) {
      assertThat(Waiting.awaitFailure(ask(ends.actualPort(), "127.0.0.1").dump()))
          .isInstanceOf(RpcConnectionLostException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffff", "80000401", "80000000", "80000004 00000001", "48545450 2f312e31",
      "8000001c 0000000100000001000000000000000000000000 00000000 00000000"})
  @DisplayName("A huge length, garbage, and the reply to another call are no rpcbind")
  void garbage(String answer) {
    assertThat(Waiting.awaitFailure(answering(Duration.ofSeconds(10), answer).dump()))
        .isInstanceOf(RpcDecodingException.class).hasMessageContaining("is no rpcbind");
  }

  // The bounds of the embedded one

  @Test
  @DisplayName("One connection more than there may be is ended, and one that is idle, or sends half a call")
  void connections() {
    RpcbindServer server = embedded("127.0.0.1", RpcbindServerOptions.DEFAULT.withMaxConnections(1)
        .withIdleTimeout(Duration.ofMillis(300)));
    NetClient client = vertx.createNetClient();
    NetSocket first = Waiting.await(client.connect(server.actualPort(), "127.0.0.1"));
    first.write(Buffer.buffer(new byte[] {(byte) 0x80, 0, 0, 40, 0}));
    assertThat(Waiting.awaitFailure(ask(server.actualPort(), "127.0.0.1").dump()))
        .isInstanceOf(RpcConnectionLostException.class);
    // The idle one makes room for others.
    Waiting.until(() -> Waiting.outcome(ask(server.actualPort(), "127.0.0.1").dump()) == null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"80001001", "80000004 00000000", "00000000 00000000 00000000 00000000 00000000 00000000"
      + "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"})
  @DisplayName("Who does not send calls in records is disconnected, and others are served")
  void noCalls(String digits) {
    RpcbindServer server = embedded("127.0.0.1");
    NetSocket socket = Waiting.await(vertx.createNetClient().connect(server.actualPort(), "127.0.0.1"));
    CountDownLatch ended = new CountDownLatch(1);
    socket.closeHandler(closed -> ended.countDown());
    socket.write(Buffer.buffer(java.util.HexFormat.of().parseHex(digits.replace(" ", ""))));
    Waiting.await(ended);
    assertThat(Waiting.await(ask(server.actualPort(), "127.0.0.1").dump())).hasSize(3);
  }

  @Test
  @DisplayName("It holds as many registrations as it may, its own included, and does not listen where others do")
  void bounds() {
    RpcbindServer server = embedded("127.0.0.1", RpcbindServerOptions.DEFAULT.withMaxEntries(4));
    Rpcbind rpcbind = ask(server.actualPort(), "127.0.0.1");
    assertThat(Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 1, Netid.RDMA, "0.0.0.0.78.81", "me")))).isTrue();
    assertThat(Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 2, Netid.RDMA, "0.0.0.0.78.81", "me")))).isFalse();
    assertThat(Waiting.awaitFailure(RpcbindServer.listen(Vertx.vertx(),
        SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1")))).isInstanceOf(RpcListenException.class);
    Waiting.await(server.close());
    assertThat(Waiting.awaitFailure(rpcbind.dump())).isInstanceOf(RpcConnectException.class);
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> RpcbindOptions.DEFAULT.withTimeout(Duration.ZERO)).hasMessageContaining("timeout");
    assertThatThrownBy(() -> RpcbindOptions.DEFAULT.withMaxReply(1)).hasMessageContaining("maxReply");
    assertThatThrownBy(() -> RpcbindServerOptions.DEFAULT.withMaxEntries(0)).hasMessageContaining("maxEntries");
    assertThatThrownBy(() -> RpcbindServerOptions.DEFAULT.withMaxConnections(0)).hasMessageContaining("1 to 65535");
    assertThatThrownBy(() -> RpcbindServerOptions.DEFAULT.withIdleTimeout(Duration.ZERO)).hasMessageContaining("idle");
    assertThat(List.of(RpcbindServerOptions.DEFAULT.withRemoteChanges(true).remoteChanges())).containsExactly(true);
  }
}
