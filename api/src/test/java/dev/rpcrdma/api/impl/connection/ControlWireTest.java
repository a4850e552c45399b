// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUnsupportedException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The control program and the handles that it gives, byte by byte, as each end sends and takes them. */
class ControlWireTest {

  /** Version, credits, RDMA_MSG and empty lists: of a call, and of its reply. */
  private static final String OF_CALL = " 00000001 00000040 00000000 00000000 00000000 00000000 ";
  /** CALL, RPC version 2, the control program in version 1. */
  private static final String CONTROL = " 00000000 00000002 2006f000 00000001 ";
  private static final String NOBODY = " 00000000 00000000 00000000 00000000";
  private static final String SUCCESS = " 00000001 00000000 00000000 00000000 00000000";
  private static final String HANDLE = "a1a2a3a4 a5a6a7a8 a9aaabac adaeafb0";
  /** The flavor of a handle and its length. */
  private static final String FLAVOR = "2006f005 00000010 ";

  private final Vertx vertx = Vertx.vertx();
  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);

  @AfterEach
  void close() {
    raw.close();
    Waiting.await(vertx.close());
  }

  /** A program of one procedure, whose numbers occur nowhere else; it tells who calls. */
  private static final class Told implements RpcService {

    static final UpperLayerBinding BINDING = new UpperLayerBinding(0x20061234, 0x0506, OptionalInt.empty(),
        Map.of(0x78, new ProcedureBinding("TELL", 0, 0, ReplyBound.of(0))));

    private final BlockingQueue<String> callers = new LinkedBlockingQueue<>();

    static RpcRequest<Void> call() {
      return RpcRequest.to(BINDING, 0x78).build();
    }

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      callers.add(call.user().map(user -> user.proof() + " " + user.name()).orElse("nobody"));
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  /** A header type that is never asked for. */
  private static final class Numbered implements HeaderType {

    @Override
    public int number() {
      return 0x52440708;
    }

    @Override
    public Buffer received(RpcConnection connection, Buffer body) {
      return body;
    }
  }

  @Nested
  class TheClient {

    private final RawServer server = new RawServer(raw, 10);

    private void reply(String call, String results) {
      String xid = call.substring(0, 8);
      server.send(xid + "00000001 00000008 00000000 00000000 00000000 00000000" + xid + SUCCESS + results);
    }

    /** What the client sends next, behind the XID, which is in it twice. */
    private String call(String message) {
      String xid = message.substring(0, 8);
      assertThat(message.substring(8)).startsWith(OF_CALL + xid);
      return message.substring(8 + OF_CALL.length() + xid.length());
    }

    /** Fails if {@code ControlProgram.announce} or {@code Announcements.Announced.headerType} writes another word. */
    @Test
    @DisplayName("ANNOUNCE has the programs that the client serves, and its header types as versions of 0x2006F002")
    void announces() {
      RpcClient client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("siw")).build()
          .register(new Numbered());
      Future<RpcConnection> connection = client.channel(server.address).bind(new Told()).connect();
      String announce = server.next();
      assertThat(call(announce)).isEqualTo(CONTROL + "00000001" + NOBODY
          + " 00000002 20061234 00000506 2006f002 52440708");
      reply(announce, "");
      Waiting.await(connection);
      Waiting.await(client.close());
    }

    /** Fails if {@code ControlProgram.exchange} writes or reads otherwise, or {@code TokenHandles.FLAVOR} changes. */
    @Test
    @DisplayName("EXCHANGE has the token in UTF-8, also before its time is over; calls have the handle of the answer")
    void exchanges() {
      RpcClient client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("siw"))
          .withToken(() -> Future.succeededFuture("tök")).build();
      RpcChannel channel = client.channel(server.address);
      Future<RpcConnection> connection = channel.connect();
      String announce = server.next();
      assertThat(call(announce)).isEqualTo(CONTROL + "00000001" + NOBODY + " 00000000");
      reply(announce, "");
      String exchange = server.next();
      assertThat(call(exchange)).isEqualTo(CONTROL + "00000002" + NOBODY + " 00000004 74c3b66b");
      reply(exchange, HANDLE + "00000001");
      Waiting.await(connection);
      Future<Void> called = channel.call(Told.call());
      String call = server.next();
      assertThat(call(call)).isEqualTo(" 00000000 00000002 20061234 00000506 00000078 " + FLAVOR + HANDLE
          + " 00000000 00000000");
      reply(call, "");
      Waiting.await(called);
      String again = server.next();
      assertThat(call(again)).as("three quarters of a second later").startsWith(CONTROL + "00000002");
      reply(again, HANDLE + "00000000");
      Waiting.await(client.close());
    }
  }

  @Nested
  class TheServer {

    private final Told told = new Told();
    private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private RpcServer server;
    private RawClient client;

    private void serve(RpcServer.RpcServerBuilder builder) {
      server = builder.build().bind(told).connectionHandler(accepted::add);
      Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
      client = new RawClient(raw, SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    }

    /** The answer to a call, behind its XID. */
    private String answer(String call) {
      client.send("51525354" + OF_CALL + "51525354" + call);
      String answer = client.answer();
      client.receive();
      String head = "51525354" + OF_CALL + "51525354";
      assertThat(answer).startsWith(head);
      return answer.substring(head.length());
    }

    @AfterEach
    void close() {
      Waiting.await(client.peer.close());
      Waiting.await(server.close());
    }

    /** Fails if {@code ControlProgram.announced} reads other words, or {@code HEADER_TYPES} is another program. */
    @Test
    @DisplayName("What ANNOUNCE has may be called back, and nothing else")
    void announced() {
      serve(RpcServer.builder(vertx));
      RpcConnection connection = Waiting.next(accepted);
      assertThat(Waiting.awaitFailure(connection.call(Told.call()))).hasMessageContaining("has not announced");
      assertThat(answer(CONTROL + "00000001" + NOBODY + " 00000002 20061234 00000506 2006f002 52440708"))
          .isEqualTo(SUCCESS);
      Future<Void> back = connection.call(Told.call());
      String call = client.answer();
      assertThat(call).endsWith(" 00000000 00000002 20061234 00000506 00000078" + NOBODY);
      client.receive();
      String xid = call.substring(0, 8);
      client.send(xid + OF_CALL + xid + SUCCESS);
      Waiting.await(back);
      connection.exchange(0x52440708, Buffer.buffer("twelve bytes"));
      assertThat(client.answer()).endsWith("52440708 7477656c 76652062 79746573");
      client.receive();
      assertThat(Waiting.awaitFailure(connection.exchange(0x52440709, Buffer.buffer("twelve bytes"))))
          .isInstanceOf(RpcUnsupportedException.class).hasMessageContaining("has not announced");
    }

    /** Fails if {@code ControlProgram.given} writes otherwise, or {@code TokenHandles.FLAVOR} changes. */
    @Test
    @DisplayName("EXCHANGE is answered by 16 bytes and their time; a call that has them is one of the token's user")
    void exchanged() {
      serve(RpcServer.builder(vertx).withTokens((token, connection) -> {
        tokens.add(token);
        return Future.succeededFuture(new RpcUser("alice", new JsonObject(), Optional.of(Duration.ofSeconds(0x0304))));
      }));
      String answer = answer(CONTROL + "00000002" + NOBODY + " 00000004 74c3b66b");
      assertThat(Waiting.next(tokens)).isEqualTo("tök");
      assertThat(answer).startsWith(SUCCESS).endsWith(" 00000304").hasSize((SUCCESS + " " + HANDLE).length() + 9);
      String handle = answer.substring(SUCCESS.length() + 1, answer.length() - 9);
      assertThat(answer(" 00000000 00000002 20061234 00000506 00000078 " + FLAVOR + handle + " 00000000 00000000"))
          .isEqualTo(SUCCESS);
      assertThat(Waiting.next(told.callers)).isEqualTo("TOKEN alice");
      assertThat(answer(" 00000000 00000002 20061234 00000506 00000078 " + FLAVOR + HANDLE + " 00000000 00000000"))
          .as("AUTH_ERROR, AUTH_REJECTEDCRED").isEqualTo(" 00000001 00000001 00000001 00000002");
    }
  }
}
