// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contexts that are bound to what protects a connection below: a client and a server (RFC 5403). */
@DisplayName("RFC 5403")
class ChannelBindingTest {

  private static final String BINDINGS = "tls-server-end-point:a certificate";
  private static final long LIFETIME = 1L << 20;
  private static final int WINDOW = 8;

  /** One end of a connection. */
  private static final class End implements SecureChannel {

    private final Optional<byte[]> bindings;

    /** With these; with none if they are empty. */
    End(String bindings) {
      this.bindings = bindings.isEmpty() ? Optional.empty()
          : Optional.of(bindings.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public Optional<byte[]> bindings() {
      return bindings;
    }
  }

  /** A connection between two ends that may see different ones. */
  private static final class Connection {

    private final End client;
    private final End server;

    Connection(String client, String server) {
      this.client = new End(client);
      this.server = new End(server);
    }
  }

  /** What a control call is answered. */
  private static final class Answer implements ControlCall.Exchange {

    private final XdrReader arguments;
    private GssInitResult result;
    private AcceptStatus status;

    Answer(XdrReader arguments) {
      this.arguments = arguments;
    }

    @Override
    public XdrReader arguments() {
      return arguments;
    }

    @Override
    public void reply(XdrEncoder results) {
      XdrWriter writer = new XdrWriter();
      results.encode(writer);
      result = GssInitResult.decode(new XdrReader(ByteBuffer.wrap(writer.toByteArray())));
    }

    @Override
    public void fail(AcceptStatus with) {
      status = with;
    }
  }

  private final List<Connection> connections = new ArrayList<>();
  private final List<GssCredential> sent = new ArrayList<>();
  private final ArrayDeque<Runnable> network = new ArrayDeque<>();
  private int handles;
  private long now;
  private boolean lossy;
  private int attempts;
  private GssServer server = server();
  private final GssClient client = new GssClient(GssService.CHANNEL,
      new ToyMechanism(1, Optional.of(Duration.ofNanos(LIFETIME))).initiator("alice"), new GssExchange() {
        @Override
        public void after(long nanos, Runnable task) {
          throw new AssertionError("No context is one of several here");
        }

        @Override
        public void create(OpaqueAuth credential, byte[] token, Listener listener) {
          network.add(() -> {
            Answer answer = new Answer(new XdrReader(ByteBuffer.wrap(new XdrWriter().opaque(token).toByteArray())));
            ControlCall call = (ControlCall) arrive(connections.get(0).server, 0, credential);
            call.serve(answer);
            listener.answered(answer.result, call.verifier());
          });
        }

        @Override
        public void bind(SecureChannel channel, Credential credential, BindListener listener) {
          attempts++;
          network.add(() -> {
            if (lossy) {
              listener.lost();
              return;
            }
            Verdict verdict = arrive(serverEnd(channel), 0, credential);
            if (verdict instanceof Verdict.Refused refused) {
              listener.refused(refused.status());
            } else {
              serve(verdict);
              listener.answered(((ControlCall) verdict).verifier());
            }
          });
        }

        @Override
        public void destroy(Credential credential) {
          network.add(() -> serve(arrive(connections.get(0).server, 0, credential)));
        }
      }, Runnable::run, Runnable::run, () -> now);

  private GssServer server() {
    return server(1);
  }

  private GssServer server(int tokens) {
    return new GssServer(new GssServerSettings(8, 8, WINDOW, 100),
        new ToyMechanism(tokens, Optional.of(Duration.ofNanos(LIFETIME))).acceptor(),
        () -> ByteBuffer.allocate(4).putInt(++handles).array(), Runnable::run, () -> now, Authenticator.PLAIN);
  }

  private Connection connect(String atClient, String atServer) {
    connections.add(new Connection(atClient, atServer));
    return connections.get(connections.size() - 1);
  }

  private Connection connect() {
    return connect(BINDINGS, BINDINGS);
  }

  private End serverEnd(SecureChannel channel) {
    return connections.stream().filter(each -> each.client == channel).findFirst().orElseThrow().server;
  }

  /** A call crosses, and is judged. */
  private Verdict arrive(End end, int procedure, Credential credential) {
    ByteBuffer message = ByteBuffer.allocate(1024);
    message.putInt(7).putInt(OncRpc.CALL).putInt(OncRpc.RPC_VERSION).putInt(9).putInt(1).putInt(procedure);
    credential.writeInCall(message, 0);
    assertThat(message.position()).as("as long as was said").isEqualTo(24 + credential.lengthInCall());
    return judge(end, message.flip());
  }

  private Verdict judge(End end, ByteBuffer message) {
    CallHeader call = CallHeader.decode(new XdrReader(message.duplicate()));
    sent.add(GssCredential.from(call.credential()));
    return server.over(end).judge(call, message, later -> { });
  }

  private Verdict judge(End end, GssCredential credential, OpaqueAuth verifier) {
    XdrWriter message = new XdrWriter();
    boolean program = credential.procedure() == GssProcedure.DATA;
    new CallHeader(7, OncRpc.RPC_VERSION, 9, 1, program ? 5 : 0, credential.encode(), verifier).encode(message);
    return judge(end, ByteBuffer.wrap(message.toByteArray()));
  }

  private static void serve(Verdict verdict) {
    Answer answer = new Answer(null);
    ((ControlCall) verdict).serve(answer);
    assertThat(answer.status).isEqualTo(AcceptStatus.SUCCESS);
  }

  private void settle() {
    for (int steps = 0; !network.isEmpty(); steps++) {
      assertThat(steps).as("messages").isLessThan(100);
      network.poll().run();
    }
  }

  private WaitingCall call(Connection over) {
    WaitingCall call = new WaitingCall();
    client.protection(over.client, call);
    return call;
  }

  private Verdict made(Connection over, WaitingCall call) {
    return arrive(over.server, 5, call.protection);
  }

  private List<GssProcedure> sent() {
    List<GssProcedure> procedures = sent.stream().map(GssCredential::procedure).toList();
    sent.clear();
    return procedures;
  }

  private static AuthStatus refusal(Verdict verdict) {
    return ((Verdict.Refused) verdict).status();
  }

  // Both ends

  /** Fails if {@code GssClient.serve} serves calls before their channel is bound, or {@code SignedCall} signs. */
  @Test
  @DisplayName("R-329 R-348 §3.4: calls over a channel that a context is bound to are whose the context is, and"
      + " nothing is signed")
  void bound() {
    Connection connection = connect();
    WaitingCall first = call(connection);
    WaitingCall second = call(connection);
    settle();
    assertThat(sent()).containsExactly(GssProcedure.INIT, GssProcedure.BIND_CHANNEL);
    for (WaitingCall call : List.of(first, second, call(connection))) {
      assertThat(made(connection, call)).isInstanceOfSatisfying(GssUser.class, user -> {
        assertThat(user.name()).isEqualTo("alice");
        assertThat(user.service()).isEqualTo(GssService.CHANNEL);
        assertThat(user.verifier()).isEqualTo(OpaqueAuth.NONE);
        assertThat(user.verifierLength()).isEqualTo(8);
        assertThat(user.bodies()).isEmpty();
      });
      assertThat(call.protection.bodies()).isEmpty();
      assertThat(call.protection.verifierLength()).isEqualTo(8);
      assertThat(call.protection.verifies(OpaqueAuth.NONE)).isTrue();
      assertThat(call.protection.verifies(new OpaqueAuth(AuthFlavor.GSS, new byte[32]))).isFalse();
    }
    assertThat(sent).allMatch(credential -> credential.version() == GssCredential.VERSION_2);
  }

  /** Fails if {@code ClientContext.state} or {@code ServerContext.isBound} is one for all channels. */
  @Test
  @DisplayName("R-329 §3.4: each connection is bound by itself, once, to the one context that there is")
  void eachConnection() {
    Connection first = connect();
    Connection second = connect();
    call(first);
    settle();
    WaitingCall call = call(second);
    assertThat(call.protection).as("it is not bound yet").isNull();
    settle();
    assertThat(sent()).containsExactly(GssProcedure.INIT, GssProcedure.BIND_CHANNEL, GssProcedure.BIND_CHANNEL);
    assertThat(made(second, call)).isInstanceOf(GssUser.class);
    assertThat(refusal(made(connect(), call(first)))).as("over one that is not bound")
        .isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(server.contexts()).isEqualTo(1);
  }

  /** Fails if {@code Binder.judge} or {@code BindTransmission.refusal} does not compare what is bound to. */
  @Test
  @DisplayName("R-329 §2: with somebody between two channels no call is made; another context is tried once")
  void between() {
    Connection connection = connect(BINDINGS, "tls-server-end-point:another certificate");
    WaitingCall first = call(connection);
    WaitingCall second = call(connection);
    settle();
    assertThat(sent()).containsExactly(GssProcedure.INIT, GssProcedure.BIND_CHANNEL, GssProcedure.INIT,
        GssProcedure.BIND_CHANNEL);
    assertThat(first.failure).contains("cannot be bound").contains("RPCSEC_GSS_CREDPROBLEM").contains("between");
    assertThat(second.failure).isEqualTo(first.failure);
    assertThat(first.protection).isNull();
    assertThat(call(connect()).failure).as("over another connection").isNull();
  }

  /** Fails if {@code GssClient.refused} does not make another context. */
  @Test
  @DisplayName("R-329: a server that has forgotten the context gets another one, and no caller notices")
  void forgotten() {
    Connection first = connect();
    call(first);
    settle();
    server = server();
    handles += 100;
    Connection second = connect();
    WaitingCall call = call(second);
    settle();
    assertThat(call.failure).isNull();
    assertThat(made(second, call)).isInstanceOf(GssUser.class);
    WaitingCall again = call(first);
    settle();
    assertThat(made(first, again)).as("the first is bound to the new context too").isInstanceOf(GssUser.class);
  }

  /** Fails if {@code GssClient.protection} asks nobody for bindings, or {@code Binder.judge} takes none for some. */
  @Test
  @DisplayName("R-329 §3.3: over a connection without bindings no call is made, at whichever end they are missing")
  void unprotected() {
    assertThat(call(connect("", BINDINGS)).failure).contains("TLS");
    assertThat(sent).isEmpty();
    Connection atServer = connect(BINDINGS, "");
    WaitingCall call = call(atServer);
    settle();
    assertThat(call.failure).contains("tls-server-end-point").contains("no TLS at its end");
    Connection other = connect(BINDINGS, "tls-unique:1234");
    WaitingCall unlike = call(other);
    settle();
    assertThat(unlike.failure).contains("tls-server-end-point").doesNotContain("no TLS");
  }

  /** Fails if {@code BindListener.lost} lets those go on who wait for a dead connection, or binds it again. */
  @Test
  @DisplayName("R-329: a connection that is lost while it is bound keeps nobody else waiting")
  void lost() {
    Connection dead = connect();
    WaitingCall first = call(dead);
    lossy = true;
    settle();
    assertThat(first.protection).isNull();
    assertThat(first.failure).isNull();
    lossy = false;
    Connection alive = connect();
    WaitingCall second = call(alive);
    settle();
    assertThat(made(alive, second)).isInstanceOf(GssUser.class);
    assertThat(client.forget(first)).hasValueSatisfying(words -> assertThat(words).contains("not answered"));
    assertThat(sent()).containsExactly(GssProcedure.INIT, GssProcedure.BIND_CHANNEL, GssProcedure.DATA);
  }

  /** Fails if {@code BindListener.lost} does not serve those who wait for the number that is free. */
  @Test
  @DisplayName("R-329: the numbers of bindings that are lost are there for other connections")
  void numbersOfLost() {
    lossy = true;
    for (int i = 0; i <= WINDOW; i++) {
      call(connect());
    }
    settle();
    assertThat(attempts).isEqualTo(WINDOW + 1);
  }

  /** Fails if {@code GssClient.asked} does not end the number of the binding: the window stays full. */
  @Test
  @DisplayName("R-329: bindings leave the window to calls")
  void window() {
    for (int i = 0; i < 3 * WINDOW; i++) {
      Connection connection = connect();
      WaitingCall call = call(connection);
      settle();
      assertThat(made(connection, call)).as("connection %d", i).isInstanceOf(GssUser.class);
      call.protection.ended();
    }
  }

  /** Fails if {@code GssClient.close} ends the context by a call that nothing signs, over who knows what. */
  @Test
  @DisplayName("R-329: the end of a context is signed, so that any connection will do")
  void closed() {
    Connection connection = connect();
    call(connection);
    settle();
    connections.add(0, new Connection("", ""));
    sent.clear();
    client.close();
    settle();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).procedure()).isEqualTo(GssProcedure.DESTROY);
    assertThat(server.contexts()).isZero();
  }

  // A server with clients that do it wrong

  private static final String KEY = "mallory:1";

  private GssInitResult create(int version, GssProcedure procedure, byte[] handle) {
    Answer answer = new Answer(new XdrReader(ByteBuffer.wrap(
        new XdrWriter().opaque(KEY.getBytes(StandardCharsets.US_ASCII)).toByteArray())));
    GssCredential credential = new GssCredential(version, procedure, 0, GssService.NONE, handle);
    ((ControlCall) judge(new End(""), credential, OpaqueAuth.NONE)).serve(answer);
    return answer.result;
  }

  private byte[] stand(int version) {
    return create(version, GssProcedure.INIT, new byte[0]).handle();
  }

  /** Fails if {@code ContextTable.next} takes any version. */
  @Test
  @DisplayName("§4: a context is made by one version from its first token to its last")
  void versionsOfTokens() {
    server = server(2);
    GssInitResult begun = create(2, GssProcedure.INIT, new byte[0]);
    assertThat(begun.major()).isEqualTo(GssInitResult.CONTINUE_NEEDED);
    assertThat(create(1, GssProcedure.CONTINUE_INIT, begun.handle()).major()).isEqualTo(GssServer.NO_CONTEXT);
    assertThat(create(2, GssProcedure.CONTINUE_INIT, begun.handle()).major()).isEqualTo(GssInitResult.COMPLETE);
  }

  private static GssCredential bind(byte[] handle, int sequence) {
    return new GssCredential(GssCredential.VERSION_2, GssProcedure.BIND_CHANNEL, sequence, GssService.NONE, handle);
  }

  private static GssCredential data(int version, byte[] handle, int sequence, GssService service) {
    return new GssCredential(version, GssProcedure.DATA, sequence, service, handle);
  }

  private static ByteBuffer head(GssCredential credential) {
    XdrWriter head = new XdrWriter().int32(7).int32(OncRpc.CALL).int32(OncRpc.RPC_VERSION).int32(9).int32(1)
        .int32(credential.procedure() == GssProcedure.DATA ? 5 : 0);
    credential.encode().encode(head);
    return ByteBuffer.wrap(head.toByteArray());
  }

  private static OpaqueAuth signed(GssCredential credential) {
    return new OpaqueAuth(AuthFlavor.GSS, new ToyContext(KEY).sign(head(credential)));
  }

  private static OpaqueAuth binding(GssCredential credential, String bindings, ChannelHash hash) {
    byte[] octets = bindings.getBytes(StandardCharsets.US_ASCII);
    byte[] proof = new ToyContext(KEY).sign(BindArguments.signed(head(credential), hash.hash(octets)));
    return new BindArguments(BindArguments.prefixOf(octets), hash.oid(), proof).verifier();
  }

  private Verdict bind(End end, GssCredential credential, String bindings, ChannelHash hash) {
    return judge(end, credential, binding(credential, bindings, hash));
  }

  /** Fails if {@code ContextTable.standing} takes any version. */
  @Test
  @DisplayName("§4: a context is of use by the version that it was made by, and by no other")
  void versions() {
    for (int version : new int[] {1, 2}) {
      byte[] handle = stand(version);
      GssCredential other = data(3 - version, handle, 1, GssService.NONE);
      assertThat(refusal(judge(new End(BINDINGS), other, signed(other)))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
      for (GssService service : new GssService[] {GssService.NONE, GssService.INTEGRITY, GssService.PRIVACY}) {
        GssCredential own = data(version, handle, 1 + service.ordinal(), service);
        assertThat(judge(new End(BINDINGS), own, signed(own))).isInstanceOf(GssUser.class);
      }
    }
    GssCredential bind = bind(stand(1), 9);
    assertThat(refusal(bind(new End(BINDINGS), bind, BINDINGS, ChannelHash.SHA_256)))
        .isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
  }

  /** Fails if {@code GssServer.isBound} asks for no binding, or for no empty verifier. */
  @Test
  @DisplayName("§3.4: the service is refused before the channel is bound, and with a verifier of any other kind")
  void serviceAlone() {
    End end = new End(BINDINGS);
    byte[] handle = stand(2);
    GssCredential early = data(2, handle, 1, GssService.CHANNEL);
    assertThat(refusal(judge(end, early, OpaqueAuth.NONE))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(refusal(judge(end, early, signed(early)))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    Verdict binding = bind(end, bind(handle, 2), BINDINGS, ChannelHash.SHA_256);
    assertThat(refusal(judge(end, early, OpaqueAuth.NONE))).as("it is not served yet")
        .isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    serve(binding);
    assertThat(refusal(judge(end, early, signed(early)))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(judge(end, early, OpaqueAuth.NONE)).isInstanceOf(GssUser.class);
    assertThat(judge(end, early, OpaqueAuth.NONE)).as("the number was there").isSameAs(Verdict.DROPPED);
    now = LIFETIME;
    assertThat(refusal(judge(end, data(2, handle, 3, GssService.CHANNEL), OpaqueAuth.NONE)))
        .as("§9: with the context it is over").isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
  }

  /** Fails if {@code Binder.judge} takes a number before the proof, or none. */
  @Test
  @DisplayName("§3.3: a binding has a number like any call, which is taken with its proof and not before")
  void numbers() {
    End end = new End(BINDINGS);
    byte[] handle = stand(2);
    GssCredential bind = bind(handle, 5);
    assertThat(refusal(judge(end, bind, binding(bind(handle, 6), BINDINGS, ChannelHash.SHA_256))))
        .isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    serve(bind(end, bind, BINDINGS, ChannelHash.SHA_256));
    assertThat(bind(end, bind, BINDINGS, ChannelHash.SHA_256)).isSameAs(Verdict.DROPPED);
    assertThat(refusal(bind(end, bind(handle, GssCredential.SEQUENCE_LIMIT), BINDINGS, ChannelHash.SHA_256)))
        .isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
  }

  /** Fails if {@code Binder} signs a refusal, which would do for the results of a call with integrity. */
  @Test
  @DisplayName("§3.3: prefixes and hashes that are not known are answered by those that are, without a proof")
  void notSupported() {
    End end = new End(BINDINGS);
    GssCredential bind = bind(stand(2), 5);
    BindAnswer prefix = answer(bind(end, bind, "tls-unique:x", ChannelHash.SHA_256));
    assertThat(prefix.status()).isEqualTo(BindAnswer.Status.PREFIX_NOT_SUPPORTED);
    assertThat(prefix.known()).extracting(String::new).containsExactly("tls-server-end-point");
    assertThat(prefix.proof()).isEmpty();
    assertThat(answer(bind(new End(""), bind, BINDINGS, ChannelHash.SHA_256)).known()).isEmpty();
    BindAnswer hash = answer(judge(end, bind, new BindArguments("tls-server-end-point".getBytes(
        StandardCharsets.US_ASCII), new byte[] {1, 2}, new byte[32]).verifier()));
    assertThat(hash.status()).isEqualTo(BindAnswer.Status.HASH_NOT_SUPPORTED);
    assertThat(hash.known()).hasSize(3);
    assertThat(hash.proof()).isEmpty();
    for (ChannelHash each : ChannelHash.values()) {
      assertThat(answer(bind(end, bind(stand(2), 5), BINDINGS, each)).status()).as(each.name())
          .isEqualTo(BindAnswer.Status.OK);
    }
  }

  private static BindAnswer answer(Verdict verdict) {
    ControlCall call = (ControlCall) verdict;
    serve(call);
    assertThat(call.verifier().encodedLength()).isEqualTo(call.verifierLength());
    assertThat(call.principal(null)).as("nobody's").isNotEqualTo(call.principal(null));
    return BindAnswer.from(call.verifier());
  }

  /** Fails if {@code ServerContext.halve} is not called, or halves nothing. */
  @Test
  @DisplayName("§9: each proof that is wrong takes half of the time that its context has left, until none is")
  void halved() {
    byte[] once = stand(2);
    byte[] often = stand(2);
    assertThat(refusal(badBinding(once))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    for (long left = LIFETIME; left > 0; left /= 2) {
      assertThat(refusal(badBinding(often))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    }
    assertThat(refusal(badBinding(often))).isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
    now = LIFETIME / 2 - 1;
    assertThat(signedCall(once, 1)).isInstanceOf(GssUser.class);
    now = LIFETIME / 2;
    assertThat(refusal(signedCall(once, 2))).isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
  }

  private Verdict badBinding(byte[] handle) {
    return bind(new End("tls-server-end-point:x"), bind(handle, 5), BINDINGS, ChannelHash.SHA_256);
  }

  private Verdict signedCall(byte[] handle, int sequence) {
    GssCredential credential = data(2, handle, sequence, GssService.NONE);
    return judge(new End(BINDINGS), credential, signed(credential));
  }

  @Test
  @DisplayName("§3.2 §3.3: what is no binding, is of version 1, or calls a procedure, is refused")
  void malformed() {
    End end = new End(BINDINGS);
    byte[] handle = stand(2);
    GssCredential bind = bind(handle, 1);
    for (OpaqueAuth verifier : List.of(OpaqueAuth.NONE, signed(bind), new OpaqueAuth(AuthFlavor.SYS, new byte[12]),
        new OpaqueAuth(AuthFlavor.GSS, new byte[16]))) {
      assertThat(refusal(judge(end, bind, verifier))).isEqualTo(AuthStatus.BADVERF);
    }
    assertThatThrownBy(() -> data(1, handle, 1, GssService.CHANNEL)).isInstanceOf(XdrException.class);
    assertThatThrownBy(() -> new GssCredential(GssProcedure.BIND_CHANNEL, 1, GssService.NONE, handle))
        .isInstanceOf(XdrException.class);
    assertThatThrownBy(() -> data(3, handle, 1, GssService.NONE)).isInstanceOf(XdrException.class);
    CallHeader call = new CallHeader(7, OncRpc.RPC_VERSION, 9, 1, 5, bind.encode(),
        binding(bind, BINDINGS, ChannelHash.SHA_256));
    XdrWriter message = new XdrWriter();
    call.encode(message);
    assertThat(refusal(judge(end, ByteBuffer.wrap(message.toByteArray())))).isEqualTo(AuthStatus.BADCRED);
  }

  /** Fails if {@code GssClient.bound} keeps in mind that the server has refused a context before. */
  @Test
  @DisplayName("R-329: each time that the server has forgotten a context another one is tried, over any connection")
  void forgottenAgain() {
    Connection first = connect();
    Connection second = connect();
    for (int round = 0; round < 2; round++) {
      call(first);
      settle();
      server = server();
      WaitingCall call = call(second);
      settle();
      assertThat(call.failure).as("round %d", round).isNull();
      assertThat(made(second, call)).isInstanceOf(GssUser.class);
      now += LIFETIME;
    }
  }
}
