// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What goes wrong before there is a connection: each in its own words, none for ever. */
class ConnectingTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Throwable connectTo(Consumer<NetSocket> peer) {
    NetServer server = vertx.createNetServer().connectHandler(peer::accept);
    Waiting.await(server.listen(0, RpcBed.HOST));
    return connect(server.actualPort(), new RpcClientOptions());
  }

  private Throwable connect(int port, RpcClientOptions options) {
    RpcClient client = RpcClient.builder(vertx).with(options).build();
    RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(port, RpcBed.HOST));
    Throwable failure = Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1])));
    Waiting.await(client.close());
    return failure;
  }

  private static VerbsException.Kind kind(Throwable failure) {
    assertThat(failure).isInstanceOf(RpcConnectException.class);
    assertThat(failure.getCause()).isInstanceOf(VerbsException.class);
    return ((VerbsException) failure.getCause()).kind();
  }

  @Test
  void nobodyListens() {
    NetServer server = vertx.createNetServer().connectHandler(socket -> {});
    Waiting.await(server.listen(0, RpcBed.HOST));
    int port = server.actualPort();
    Waiting.await(server.close());
    Throwable failure = connect(port, new RpcClientOptions());
    assertThat(kind(failure)).isEqualTo(VerbsException.Kind.UNREACHABLE);
    assertThat(failure).hasMessageContaining(String.valueOf(port));
  }

  @Test
  void thePeerSpeaksHttp() {
    assertThat(kind(connectTo(socket -> socket.handler(any ->
        socket.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")))))
        .isEqualTo(VerbsException.Kind.PROTOCOL);
  }

  @Test
  void thePeerClosesAtOnce() {
    assertThat(kind(connectTo(NetSocket::close)))
        .isIn(VerbsException.Kind.DISCONNECTED, VerbsException.Kind.PROTOCOL);
  }

  @Test
  void thePeerClosesInTheMiddleOfItsAnswer() {
    assertThat(kind(connectTo(socket -> socket.handler(any ->
        socket.end(Buffer.buffer("MPA ID Rep Fra"))))))
        .isIn(VerbsException.Kind.DISCONNECTED, VerbsException.Kind.PROTOCOL);
  }

  @Test
  void thePeerIsSilent() {
    NetServer server = vertx.createNetServer().connectHandler(socket -> {});
    Waiting.await(server.listen(0, RpcBed.HOST));
    assertThat(kind(connect(server.actualPort(),
        new RpcClientOptions().setConnectTimeout(Duration.ofMillis(200)))))
        .isEqualTo(VerbsException.Kind.TIMEOUT);
  }

  @Test
  void aStrangerAtTheServersPortDisturbsNobody() {
    try (RpcBed bed = new RpcBed("siw")) {
      NetSocket socket = Waiting.await(vertx.createNetClient().connect(bed.address()));
      Future<Void> closed = Future.future(p -> socket.closeHandler(p::complete));
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
      Waiting.await(closed);
      Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
    }
  }

  /** Fails if {@code RpcChannelImpl.ended} forgets those that have asked for a connection. */
  @Test
  @DisplayName("connect() in the handler of a call that was lost with its connection brings another connection")
  void connectWhileTheConnectionEnds() {
    try (ServerGroup group = new ServerGroup()) {
      ServerGroup.Member member = group.start();
      group.clientOptions.setReplay(Replay.NEVER);
      Promise<RpcConnection> again = Promise.promise();
      group.vertx.runOnContext(started -> {
        RpcChannel channel = group.direct(member.address());
        channel.call(EchoService.call(EchoService.NEVER)).onFailure(lost -> channel.connect().onComplete(again));
      });
      Waiting.until(() -> member.echo.never.size() == 1);
      Waiting.await(member.accepted.get(0).shutdown(Duration.ZERO));
      assertThat(Waiting.await(again.future()).remoteAddress()).isEqualTo(member.address());
      assertThat(member.accepted).hasSize(2);
    }
  }

  @Test
  @DisplayName("B-100: two ends that dial each other at once have two connections, and keep both")
  void bothDial() {
    try (RpcBed here = new RpcBed("siw"); RpcBed there = new RpcBed("siw")) {
      List<RpcChannel> channels = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        channels.add(here.client.channel(there.address()));
        channels.add(there.client.channel(here.address()));
      }
      List<Future<RpcConnection>> dialled = channels.stream().map(RpcChannel::connect).toList();
      List<RpcConnection> connections = dialled.stream().map(Waiting::await).toList();
      for (int round = 0; round < 3; round++) {
        List<Future<Buffer>> calls = channels.stream()
            .map(channel -> channel.call(EchoService.echo(new byte[100]))).toList();
        calls.forEach(Waiting::await);
      }
      assertThat(channels).extracting(channel -> Waiting.await(channel.connect()))
          .isEqualTo(connections);
    }
  }

  @Test
  void thePortIsInUse() {
    NetServer other = vertx.createNetServer().connectHandler(socket -> {});
    Waiting.await(other.listen(0, RpcBed.HOST));
    RpcServer server = RpcServer.create(vertx);
    Throwable failure = Waiting.awaitFailure(server.listen(
        SocketAddress.inetSocketAddress(other.actualPort(), RpcBed.HOST)));
    assertThat(failure).isInstanceOf(RpcListenException.class)
        .hasMessageContaining(RpcBed.HOST + ":" + other.actualPort());
    assertThat(failure.getCause()).isInstanceOfSatisfying(VerbsException.class, e ->
        assertThat(e.kind()).isEqualTo(VerbsException.Kind.ADDRESS_UNAVAILABLE));
    // It may try again elsewhere.
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    Waiting.await(server.close());
  }

  @Test
  void connectingFailsAgainAndAgainHoweverQuickly() {
    RpcClient client = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setCapture("/no/such/folder/file.pcapng")).build();
    for (int i = 0; i < 200; i++) {
      RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(1, RpcBed.HOST));
      assertThat(kind(Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1])))))
          .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
    }
    Waiting.await(client.close());
  }

  @Test
  void thereIsNoSuchProvider() {
    Throwable failure = connect(1, new RpcClientOptions().setProvider("infiniband9000"));
    assertThat(kind(failure)).isEqualTo(VerbsException.Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("infiniband9000").hasMessageContaining("siw");
    Throwable listening = Waiting.awaitFailure(RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("infiniband9000")).build()
        .listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    assertThat(listening).isInstanceOf(RpcListenException.class)
        .hasMessageContaining("infiniband9000");
  }
}
