// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contexts that a client makes over TCP, as Linux' NFS does, and uses over RDMA. */
@DisplayName("Contexts over TCP")
@Tag("large")
class ContextsOverTcpTest {

  private static final String SERVICE = "echo/127.0.0.1";
  private static final int CALLS = 200;
  private static final int FLOOD = 20_000;
  private static final int PROGRAM = EchoService.BINDING.program();
  private static final int VERSION = EchoService.BINDING.version();

  private static KerberosRealm realm;

  private final Vertx vertx = Vertx.vertx();
  private RpcServer server;
  private int port;

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", SERVICE);
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void serve(RpcServerOptions options) {
    server = RpcServer.create(vertx, options.setProvider("siw").setKerberos(realm.options(SERVICE)))
        .bind(new EchoService());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    port = Waiting.await(server.listenForContexts(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  private ContextClient established() throws IOException, GssFailure {
    ContextClient client = new ContextClient(port);
    client.establish(realm, "alice");
    return client;
  }

  private static String words(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Fails if {@code listenForContexts} takes another authenticator than the connections have. */
  @Test
  @DisplayName("R-336: a context that was made over TCP is good over RDMA")
  void shared() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = established();
        VerbsBed verbs = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT)) {
      RawClient rdma = new RawClient(verbs, SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
      byte[] call = client.ping();
      rdma.send(words(Arrays.copyOf(call, 4)) + "00000001 00000020 00000000 00000000 00000000 00000000" + words(call));
      byte[] answer = RawClient.bytes(rdma.answer());
      ReplyHeader reply = ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(answer, 28, answer.length - 28).slice()));
      assertThat(reply).isInstanceOfSatisfying(ReplyHeader.Accepted.class, accepted -> {
        assertThat(accepted.status()).isEqualTo(AcceptStatus.SUCCESS);
        assertThat(client.signed(accepted.verifier(), 1)).isTrue();
      });
    }
  }

  /** Fails if {@code ContextCall.answer} does not open or protect bodies, or {@code give} leaves the verifier out. */
  @ParameterizedTest
  @EnumSource(value = GssService.class, names = "CHANNEL", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("Calls of the null procedure are answered with each protection, and a context ends when it is told to")
  void nullProcedure(GssService service) throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = established()) {
      client.send(client.call(GssProcedure.DATA, service, PROGRAM, 0));
      XdrReader reply = client.receive();
      client.assertAccepted(ReplyHeader.decode(reply), AcceptStatus.SUCCESS);
      assertThat(client.opened(service, client.sequence - 1, reply)).isEmpty();
      byte[] destroy = client.call(GssProcedure.DESTROY, GssService.NONE, PROGRAM, 0);
      client.assertAccepted(destroy, AcceptStatus.SUCCESS);
      client.assertRefused(client.ping(), AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    }
  }

  @Test
  @DisplayName("A body that its caller has not protected is GARBAGE_ARGS")
  void wrongBody() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = established()) {
      byte[] call = client.call(GssProcedure.DATA, GssService.INTEGRITY, PROGRAM, 0);
      call[call.length - 1] ^= 1;
      client.assertAccepted(call, AcceptStatus.GARBAGE_ARGS);
    }
  }

  @Test
  @DisplayName("Nothing but the null procedure of what is bound is served")
  void nothingElse() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = established()) {
      client.assertAccepted(client.call(GssProcedure.DATA, GssService.NONE, PROGRAM, 1), AcceptStatus.PROC_UNAVAIL);
      client.assertAccepted(client.call(GssProcedure.DATA, GssService.NONE, PROGRAM + 1, 0), AcceptStatus.PROG_UNAVAIL);
      XdrWriter writer = new XdrWriter();
      new CallHeader(7, PROGRAM, VERSION, 0, OpaqueAuth.NONE).encode(writer);
      assertThat(client.exchange(writer.toByteArray())).isEqualTo(new ReplyHeader.Accepted(7, AcceptStatus.SUCCESS));
      byte[] old = writer.toByteArray();
      old[11] = 1;
      assertThat(client.exchange(old)).isEqualTo(new ReplyHeader.RpcMismatch(7));
    }
  }

  /** Fails if {@code ContextConnection.judged} answers what is to be dropped, or does not go on behind it. */
  @Test
  @DisplayName("RFC 2203 §5.3.3.1: a repeated number has no answer, a wrong proof is refused, and others go on")
  void badNumbers() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = established()) {
      byte[] first = client.ping();
      client.assertAccepted(first, AcceptStatus.SUCCESS);
      client.send(first);
      byte[] forged = client.ping();
      forged[forged.length - 1] ^= 1;
      client.assertRefused(forged, AuthStatus.RPCSEC_GSS_CREDPROBLEM);
      client.assertAccepted(client.ping(), AcceptStatus.SUCCESS);
    }
  }

  @Test
  @DisplayName("What is no call, or too long, ends the connection, and others stay")
  void garbage() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient good = established(); ContextClient reply = new ContextClient(port);
        ContextClient tooLong = new ContextClient(port)) {
      XdrWriter writer = new XdrWriter();
      new ReplyHeader.RpcMismatch(1).encode(writer);
      reply.send(writer.toByteArray());
      assertThat(reply.isEnded()).isTrue();
      tooLong.socket.getOutputStream().write(new byte[] {(byte) 0x80, 0x10, 0, 0});
      assertThat(tooLong.isEnded()).isTrue();
      good.assertAccepted(good.ping(), AcceptStatus.SUCCESS);
    }
  }

  /** Fails if {@code next} does not wait for the answer before the next call: a token costs more than a refusal. */
  @Test
  @DisplayName("Calls that come at once are answered in their order, also those behind a token")
  void order() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = new ContextClient(port)) {
      for (int round = 0; round < 10; round++) {
        client.send(client.init(realm, "alice"));
        for (int i = 0; i < CALLS; i++) {
          XdrWriter unknown = new XdrWriter();
          new CallHeader(i, PROGRAM + 1, VERSION, 0, OpaqueAuth.NONE).encode(unknown);
          client.send(unknown.toByteArray());
        }
        client.established(client.receive());
        for (int i = 0; i < CALLS; i++) {
          assertThat(client.reply()).isEqualTo(new ReplyHeader.Accepted(i, AcceptStatus.PROG_UNAVAIL));
        }
        client.handle = new byte[0];
      }
    }
  }

  /** Fails if {@code ContextConnection.next} goes on by itself from within an answer: its stack overflows. */
  @Test
  @DisplayName("Thousands of calls that are refused at once, within one segment, are all answered")
  void floodOfRefusals() throws Exception {
    serve(new RpcServerOptions());
    XdrWriter writer = new XdrWriter();
    new CallHeader(7, PROGRAM, VERSION, 0, OpaqueAuth.NONE).encode(writer);
    byte[] call = writer.toByteArray();
    // The version of RPC.
    call[11] = 3;
    byte[] framed = RecordMark.framed(call);
    ByteBuffer all = ByteBuffer.allocate(FLOOD * framed.length);
    IntStream.range(0, FLOOD).forEach(i -> all.put(framed));
    try (ContextClient client = new ContextClient(port)) {
      client.socket.getOutputStream().write(all.array());
      for (int i = 0; i < FLOOD; i++) {
        assertThat(client.reply()).isEqualTo(new ReplyHeader.RpcMismatch(7));
      }
      client.establish(realm, "alice");
      client.assertAccepted(client.ping(), AcceptStatus.SUCCESS);
    }
  }

  @Test
  @DisplayName("Many calls that come at once are answered, with contexts being made among them")
  void manyAtOnce() throws Exception {
    serve(new RpcServerOptions());
    try (ContextClient client = established(); ContextClient other = new ContextClient(port)) {
      for (int i = 0; i < CALLS; i++) {
        client.send(client.ping());
      }
      other.establish(realm, "alice");
      for (int i = 1; i <= CALLS; i++) {
        int number = i;
        assertThat(client.reply()).isInstanceOfSatisfying(ReplyHeader.Accepted.class,
            accepted -> assertThat(client.signed(accepted.verifier(), number)).isTrue());
      }
    }
  }

  @Test
  @DisplayName("Connections have the server's limits, and end with it")
  void limits() throws Exception {
    serve(new RpcServerOptions().setMaxConnectionsPerHost(2));
    try (ContextClient first = established(); ContextClient second = established();
        ContextClient third = new ContextClient(port)) {
      assertThat(third.isEnded()).isTrue();
      first.socket.close();
      second.assertAccepted(second.ping(), AcceptStatus.SUCCESS);
      Waiting.await(server.close());
      assertThat(second.isEnded()).isTrue();
    }
  }

  @Test
  @DisplayName("A server without Kerberos has no contexts, and a port that is taken is told of")
  void refused() {
    serve(new RpcServerOptions());
    assertThat(Waiting.awaitFailure(server.listenForContexts(SocketAddress.inetSocketAddress(port, "127.0.0.1"))))
        .isInstanceOf(RpcListenException.class).hasMessageContaining("127.0.0.1:" + port);
    assertThat(Waiting.awaitFailure(RpcServer.create(vertx)
        .listenForContexts(SocketAddress.inetSocketAddress(0, "127.0.0.1"))))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("kerberos");
    Waiting.await(server.close());
    assertThat(Waiting.awaitFailure(server.listenForContexts(SocketAddress.inetSocketAddress(0, "127.0.0.1"))))
        .isInstanceOf(RpcClosedException.class);
  }
}
