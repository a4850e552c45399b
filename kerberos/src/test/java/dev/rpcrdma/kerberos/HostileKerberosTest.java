// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that know a context which is not theirs, or misuse their own, over RDMA. */
@DisplayName("Kerberos, misused")
@Tag("large")
class HostileKerberosTest {

  private static final String SERVICE = "echo/127.0.0.1";
  private static final int PROGRAM = EchoService.PROGRAM;
  private static final int CREDITS = 32;
  /** Where the length of the credential is in a call. */
  private static final int CREDENTIAL = 28;
  /** More than a credential or verifier may have, and little enough for a message without chunks. */
  private static final int SPARE = 404;
  /** An opaque of four bytes. */
  private static final byte[] ARGUMENTS = {0, 0, 0, 4, 1, 2, 3, 4};

  private static KerberosRealm realm;

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> served = new LinkedBlockingQueue<>();
  private final EchoService service = new EchoService();
  private ContextBed bed;
  private RawClient rdma;

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
    bed = new ContextBed(RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("siw").setKerberos(realm.options(SERVICE)))
        .addServiceInterceptor((call, next) -> {
          served.add(call.user().map(RpcUser::name).orElse("nobody"));
          return next.handle(call);
        }).build().bind(service));
    rdma = new RawClient(bed.verbs, bed.address);
  }

  @AfterEach
  void close() {
    bed.close();
    Waiting.await(vertx.close());
  }

  private ContextClient client(String principal) throws IOException, GssFailure {
    ContextClient client = new ContextClient(bed.port);
    client.establish(realm, principal);
    return client;
  }

  private static byte[] echo(ContextClient client, GssService service) {
    return client.call(GssProcedure.DATA, service, PROGRAM, EchoService.ECHO, ARGUMENTS);
  }

  private void send(byte[] call) {
    rdma.peer.send(1, ContextBed.message(call, CREDITS));
  }

  /** The next answer, at its head. */
  private XdrReader receive() {
    byte[] answer = RawClient.bytes(rdma.answer());
    rdma.receive();
    return ContextBed.content(answer);
  }

  private ReplyHeader exchange(byte[] call) {
    send(call);
    return ReplyHeader.decode(receive());
  }

  /** The context is as good as before. */
  private void assertGood(ContextClient client, String principal) {
    client.assertAccepted(exchange(echo(client, GssService.NONE)), AcceptStatus.SUCCESS);
    assertThat(Waiting.next(served)).isEqualTo(principal + '@' + KerberosRealm.NAME);
    assertThat(served).isEmpty();
  }

  /** Fails if {@code GssServer.signed} does not look at the proof, or takes the number before it does. */
  @Test
  @DisplayName("B-114: a handle that was seen is of no use without a proof of its call's head, and uses up no number")
  void proofs() throws Exception {
    try (ContextClient alice = client("alice"); ContextClient bob = client("bob")) {
      byte[] proven = alice.head(GssProcedure.DATA, GssService.NONE, PROGRAM, EchoService.ECHO);
      byte[] copied = alice.proof(proven).body();
      alice.sequence--;
      byte[] head = alice.head(GssProcedure.DATA, GssService.NONE, PROGRAM, EchoService.ECHO);
      byte[] right = alice.proof(head).body();
      byte[] flipped = right.clone();
      flipped[flipped.length - 1] ^= 1;
      for (OpaqueAuth wrong : List.of(OpaqueAuth.NONE, new OpaqueAuth(AuthFlavor.GSS, new byte[0]),
          new OpaqueAuth(AuthFlavor.GSS, Arrays.copyOf(right, right.length - 1)),
          new OpaqueAuth(AuthFlavor.GSS, Arrays.copyOf(right, right.length + 4)),
          new OpaqueAuth(AuthFlavor.GSS, flipped), new OpaqueAuth(AuthFlavor.GSS, copied), bob.proof(head),
          new OpaqueAuth(AuthFlavor.SYS, right))) {
        ContextClient.assertRefused(exchange(ContextClient.call(head, wrong, ARGUMENTS)),
            AuthStatus.RPCSEC_GSS_CREDPROBLEM);
      }
      assertThat(served).isEmpty();
      alice.assertAccepted(exchange(ContextClient.call(head, new OpaqueAuth(AuthFlavor.GSS, right), ARGUMENTS)),
          AcceptStatus.SUCCESS);
      assertThat(Waiting.next(served)).isEqualTo("alice@" + KerberosRealm.NAME);
    }
  }

  /** Fails if {@code GssServer.judge} ends contexts before {@code signed} has looked at the call. */
  @Test
  @DisplayName("B-115: nobody ends the context of another one, and handles tell nothing of each other")
  void destruction() throws Exception {
    try (ContextClient alice = client("alice"); ContextClient bob = client("bob")) {
      assertGood(alice, "alice");
      byte[] head = alice.head(GssProcedure.DESTROY, GssService.NONE, PROGRAM, 0);
      for (OpaqueAuth wrong : List.of(OpaqueAuth.NONE, bob.proof(head))) {
        ContextClient.assertRefused(exchange(ContextClient.call(head, wrong, new byte[0])),
            AuthStatus.RPCSEC_GSS_CREDPROBLEM);
      }
      alice.sequence = 1;
      // Proven, with a number that was there: dropped.
      send(alice.call(GssProcedure.DESTROY, GssService.NONE, PROGRAM, 0));
      assertGood(alice, "alice");
      assertGood(bob, "bob");
    }
    Set<String> starts = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      try (ContextClient client = client("alice")) {
        assertThat(client.handle).hasSize(16);
        starts.add(HexFormat.of().formatHex(client.handle, 0, 4));
      }
    }
    assertThat(starts).as("handles that begin differently").hasSize(20);
  }

  /** The JDK remembers them; a server of another library may not, and a client must not count on either. */
  @Test
  @DisplayName("A token that was there makes no second context")
  void replayedToken() throws Exception {
    try (ContextClient alice = new ContextClient(bed.port)) {
      byte[] init = alice.init(realm, "alice");
      alice.send(init);
      alice.established(alice.receive());
      alice.send(init);
      XdrReader reply = alice.receive();
      assertThat(ReplyHeader.decode(reply)).isInstanceOf(ReplyHeader.Accepted.class);
      GssInitResult result = GssInitResult.decode(reply);
      assertThat(result.isGood()).isFalse();
      assertThat(result.minor()).as("KRB_AP_ERR_REPEAT").isEqualTo(-1765328384 + 34);
      assertThat(result.handle()).isEmpty();
      assertGood(alice, "alice");
    }
  }

  /**
   * The message has as many bytes as the smallest of these lengths promises. Fails if {@code OpaqueAuth.decode} and its
   * constructor take any length, or {@code decode} takes another one than the message says.
   */
  @Test
  @DisplayName("B-121: a credential or verifier that is longer than may be is refused, and the connection stays")
  void lengths() throws Exception {
    try (ContextClient alice = client("alice")) {
      for (int length : new int[] {401, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
        byte[] right = echo(alice, GssService.NONE);
        alice.sequence--;
        int verifier = CREDENTIAL + Integer.BYTES + ByteBuffer.wrap(right).getInt(CREDENTIAL) + Integer.BYTES;
        for (int at : new int[] {CREDENTIAL, verifier}) {
          byte[] wrong = Arrays.copyOf(right, right.length + SPARE);
          ByteBuffer.wrap(wrong).putInt(at, length);
          send(wrong);
          assertThat(rdma.answer()).as("RDMA_ERROR, ERR_CHUNK").endsWith(" 00000004 00000002");
          rdma.receive();
        }
        assertGood(alice, "alice");
      }
    }
  }

  /** Fails if {@code Destruction.serve} ends nothing. */
  @ParameterizedTest
  @EnumSource(names = "CHANNEL", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("RFC 2203 §5.4: calls that are being served when their context ends still have protected replies")
  void destroyedInFlight(GssService protection) throws Exception {
    try (ContextClient alice = client("alice")) {
      send(alice.call(GssProcedure.DATA, protection, PROGRAM, EchoService.NEVER));
      int number = alice.sequence - 1;
      assertThat(Waiting.next(served)).isEqualTo("alice@" + KerberosRealm.NAME);
      alice.assertAccepted(exchange(alice.call(GssProcedure.DESTROY, GssService.NONE, PROGRAM, 0)),
          AcceptStatus.SUCCESS);
      for (GssProcedure kind : new GssProcedure[] {GssProcedure.DATA, GssProcedure.DESTROY}) {
        ContextClient.assertRefused(exchange(alice.call(kind, GssService.NONE, PROGRAM, 0)),
            AuthStatus.RPCSEC_GSS_CREDPROBLEM);
      }
      service.never.get(0).complete(writer -> writer.int32(42));
      XdrReader reply = receive();
      assertThat(ReplyHeader.decode(reply)).isInstanceOfSatisfying(ReplyHeader.Accepted.class, accepted -> {
        assertThat(accepted.status()).isEqualTo(AcceptStatus.SUCCESS);
        assertThat(alice.signed(accepted.verifier(), number)).isTrue();
      });
      assertThat(alice.opened(protection, number, reply)).isEqualTo(new byte[] {0, 0, 0, 42});
      assertThat(served).isEmpty();
    }
  }

  /** Fails if {@code GssCredential.isExhausted} is never asked, or compares signed numbers. */
  @Test
  @DisplayName("B-118: the last numbers are taken, and those behind them are told of, so that the client makes a new"
      + " context")
  void lastNumbers() throws Exception {
    try (ContextClient alice = client("alice")) {
      alice.sequence = GssCredential.SEQUENCE_LIMIT - 1;
      assertGood(alice, "alice");
      for (int number : new int[] {GssCredential.SEQUENCE_LIMIT, GssCredential.SEQUENCE_LIMIT + 1, -1}) {
        alice.sequence = number;
        ContextClient.assertRefused(exchange(echo(alice, GssService.NONE)), AuthStatus.RPCSEC_GSS_CTXPROBLEM);
      }
      assertThat(served).isEmpty();
    }
  }

  /** Fails if {@code Responder.opened} serves a body that is not there, or refuses it as a credential. */
  @ParameterizedTest
  @EnumSource(value = GssService.class, names = {"INTEGRITY", "PRIVACY"})
  @DisplayName("B-119: arguments that their caller has not protected are GARBAGE_ARGS, and the context stays")
  void bodies(GssService service) throws Exception {
    try (ContextClient alice = client("alice"); ContextClient bob = client("bob")) {
      byte[] right = alice.body(service, 1, ARGUMENTS);
      byte[] flipped = right.clone();
      flipped[flipped.length - 9] ^= 1;
      GssService other = service == GssService.PRIVACY ? GssService.INTEGRITY : GssService.PRIVACY;
      byte[] huge = right.clone();
      huge[0] = 0x7f;
      for (byte[] wrong : List.of(flipped, new byte[0], Arrays.copyOf(right, right.length - 4),
          Arrays.copyOf(right, right.length + 4), huge, ARGUMENTS, alice.body(service, 7, ARGUMENTS),
          bob.body(service, 1, ARGUMENTS), alice.body(other, 1, ARGUMENTS))) {
        alice.sequence = 1;
        try (ContextClient fresh = client("alice")) {
          byte[] head = fresh.head(GssProcedure.DATA, service, PROGRAM, EchoService.ECHO);
          fresh.assertAccepted(exchange(ContextClient.call(head, fresh.proof(head), wrong)), AcceptStatus.GARBAGE_ARGS);
          assertThat(served).isEmpty();
          assertGood(fresh, "alice");
        }
      }
    }
  }

  /** Fails if {@code SignedCall.bodies} takes the service from anywhere but its own call. */
  @Test
  @DisplayName("B-120: each reply is protected as its own call was, whatever others of the context have")
  void alternating() throws Exception {
    try (ContextClient alice = client("alice")) {
      for (int i = 0; i < 9; i++) {
        GssService service = GssService.values()[i % 3];
        send(echo(alice, service));
        XdrReader reader = receive();
        alice.assertAccepted(ReplyHeader.decode(reader), AcceptStatus.SUCCESS);
        byte[] numbered = ByteBuffer.allocate(4 + ARGUMENTS.length).putInt(alice.sequence - 1).put(ARGUMENTS).array();
        switch (service) {
          case NONE -> assertThat(reader.opaque(100)).isEqualTo(new byte[] {1, 2, 3, 4});
          case INTEGRITY -> {
            byte[] body = reader.opaque(1000);
            assertThat(body).isEqualTo(numbered);
            assertThat(alice.context.verifies(ByteBuffer.wrap(body), reader.opaque(1000))).isTrue();
          }
          case PRIVACY -> assertThat(alice.context.unwrap(ByteBuffer.wrap(reader.opaque(1000)))).contains(numbered);
        }
        reader.end();
      }
    }
  }
}
