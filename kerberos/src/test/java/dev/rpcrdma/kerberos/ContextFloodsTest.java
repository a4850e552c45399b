// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssServer;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.mechanism.KerberosServer;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that have contexts made without end, over RDMA, and one that just wants to call. */
@DisplayName("Kerberos, flooded")
@Tag("large")
class ContextFloodsTest {

  private static final String SERVICE = "echo/127.0.0.1";
  /** Of {@code KerberosServer}. */
  private static final int UNFINISHED = 256;
  private static final int CONTEXTS = 8;
  private static final int CREDITS = 64;
  private static final int CLIENTS = 6;
  private static final int ANSWER = 1024;

  private static KerberosRealm realm;

  private final Vertx vertx = Vertx.vertx();
  private KerberosServer contexts;
  private GssServer server;
  private ContextBed bed;

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", "bob", SERVICE);
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @BeforeEach
  void serve() {
    KerberosOptions kerberos = realm.options(SERVICE).setMaxContexts(CONTEXTS);
    contexts = KerberosServer.acquire(vertx, kerberos);
    server = (GssServer) contexts.authenticator();
    bed = new ContextBed(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")
        .setForwardCredits(CREDITS).setKerberos(kerberos)).bind(new EchoService()));
  }

  @AfterEach
  void close() {
    contexts.close();
    bed.close();
    Waiting.await(vertx.close());
  }

  /** One that sends as many tokens as it has credits for. */
  private final class Flooding {

    private final Peer peer = bed.verbs.client();
    private final List<LocalMemory> answers;
    private int sent;

    Flooding() {
      answers = IntStream.range(0, CREDITS).mapToObj(id -> peer.receive(id, ANSWER)).toList();
      Waiting.await(bed.verbs.connect(bed.address, peer, ConnectionOptions.DEFAULT));
      peer.awaitEstablished();
    }

    void send(byte[] call) {
      peer.send(sent++, ContextBed.message(call, CREDITS));
    }

    void flood() {
      while (sent < CREDITS) {
        XdrWriter call = new XdrWriter();
        new CallHeader(sent, EchoService.PROGRAM, 1, 0, new GssCredential(GssProcedure.INIT, 0, GssService.NONE,
            new byte[0]).encode()).encode(call);
        send(call.opaque(new byte[100]).toByteArray());
      }
    }

    /** What the server says to each token. */
    List<Integer> majors() {
      List<Integer> majors = new ArrayList<>();
      for (int i = 0; i < sent; i++) {
        int length = peer.handler().completion(WorkCompletion.Opcode.RECEIVE).byteLength();
        XdrReader reader = ContextBed.content(Peer.bytes(answers.get(i), 0, length));
        assertThat(ReplyHeader.decode(reader)).isInstanceOf(ReplyHeader.Accepted.class);
        majors.add(GssInitResult.decode(reader).major());
      }
      return majors;
    }
  }

  private RpcChannel honest(String principal) {
    return RpcClient.create(vertx, new RpcClientOptions().setProvider("siw")
        .setKerberos(realm.options(principal).setService("echo"))).channel(bed.address);
  }

  private static Future<?> echo(RpcChannel channel) {
    return channel.call(EchoService.echo(new byte[10]));
  }

  /** Fails if {@code ContextTable.begin} drops none, or {@code Making.answered} gives up what was not looked at. */
  @Test
  @DisplayName("Tokens from many clients take no more places than there are, and who was there before them gets its"
      + " context")
  void tokens() {
    List<Flooding> clients = new ArrayList<>();
    HeldThreads held = new HeldThreads(vertx);
    Future<?> call = echo(honest("bob"));
    Waiting.until(() -> server.unfinished() == 1);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Flooding());
      clients.get(i).flood();
    }
    Waiting.until(() -> server.unfinished() == UNFINISHED);
    held.end();
    Waiting.await(call);
    List<Integer> majors = new ArrayList<>();
    clients.forEach(client -> majors.addAll(client.majors()));
    assertThat(majors).hasSize(CLIENTS * CREDITS).doesNotContain(GssInitResult.COMPLETE);
    assertThat(server.unfinished()).isZero();
    assertThat(server.contexts()).isEqualTo(1);
  }

  /** Fails if {@code ContextTable.stands} drops none. */
  @Test
  @DisplayName("Contexts of one who has tickets are no more than there may be, and another one does not notice")
  void contexts() throws Exception {
    RpcChannel bob = honest("bob");
    Waiting.await(echo(bob));
    Flooding alice = new Flooding();
    for (int i = 0; i < 3 * CONTEXTS; i++) {
      try (ContextClient client = new ContextClient(bed.port)) {
        alice.send(client.init(realm, "alice"));
      }
      Waiting.await(echo(bob));
    }
    assertThat(alice.majors()).containsOnly(GssInitResult.COMPLETE);
    assertThat(server.contexts()).isEqualTo(CONTEXTS);
    assertThat(server.unfinished()).isZero();
    Waiting.await(echo(bob));
  }
}
