// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.ControlCall;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a server makes of credentials, tokens and proofs, good and bad (RFC 2203 §5.3.3.3). */
class GssServerTest {

  private static final int WINDOW = 8;
  private static final int CONTEXTS = 3;
  private static final int UNFINISHED = 2;
  private static final long UNFINISHED_NANOS = 100;
  private static final long LIFETIME = 1000;
  private static final byte[] NOTHING = {};

  private final ArrayDeque<Runnable> work = new ArrayDeque<>();
  private final CountedHandshakes handshakes = new CountedHandshakes();
  private long now;
  private int handles;
  private GssServer server = server(1);

  private GssServer server(int tokens) {
    return new GssServer(new GssServerSettings(CONTEXTS, UNFINISHED, WINDOW, UNFINISHED_NANOS),
        () -> handshakes.begin(new ToyMechanism(tokens, Optional.of(Duration.ofNanos(LIFETIME))).acceptor()),
        () -> ByteBuffer.allocate(4).putInt(++handles).array(), work::add, () -> now, Authenticator.PLAIN);
  }

  /** Fails if {@code ContextTable.dispose}, or {@code GssServer.end}, does nothing. */
  @AfterEach
  void noHandshakeIsLeft() {
    settle();
    assertThat(handshakes.open()).as("handshakes that hold what their mechanism needs").isEqualTo(server.unfinished());
  }

  private void settle() {
    while (!work.isEmpty()) {
      work.poll().run();
    }
  }

  // Its clients

  private Verdict judge(GssCredential credential, int procedure, OpaqueAuth verifier) {
    return judge(credential.encode(), procedure, verifier);
  }

  private Verdict judge(OpaqueAuth credential, int procedure, OpaqueAuth verifier) {
    CallHeader call = new CallHeader(77, OncRpc.RPC_VERSION, 9, 1, procedure, credential, verifier);
    XdrWriter message = new XdrWriter();
    call.encode(message);
    message.int32(4711);
    return server.judge(call, ByteBuffer.wrap(message.toByteArray()), verdict -> { });
  }

  /** The proof of a call's head. */
  private static OpaqueAuth proof(String key, GssCredential credential, int procedure) {
    XdrWriter head = new XdrWriter();
    head.int32(77).int32(OncRpc.CALL).int32(OncRpc.RPC_VERSION).int32(9).int32(1).int32(procedure);
    credential.encode().encode(head);
    return new OpaqueAuth(AuthFlavor.GSS, new ToyContext(key).sign(ByteBuffer.wrap(head.toByteArray())));
  }

  private Verdict call(String key, byte[] handle, int sequence) {
    GssCredential credential = new GssCredential(GssProcedure.DATA, sequence, GssService.INTEGRITY, handle);
    return judge(credential, 5, proof(key, credential, 5));
  }

  /** What a control call is answered. */
  private static final class Answer implements ControlCall.Exchange {

    private final ByteBuffer arguments;
    private final List<Object> answers = new ArrayList<>();

    Answer(byte[] arguments) {
      this.arguments = ByteBuffer.wrap(arguments);
    }

    @Override
    public XdrReader arguments() {
      return new XdrReader(arguments);
    }

    @Override
    public void reply(XdrEncoder results) {
      XdrWriter writer = new XdrWriter();
      results.encode(writer);
      answers.add(GssInitResult.decode(new XdrReader(ByteBuffer.wrap(writer.toByteArray()))));
    }

    @Override
    public void fail(AcceptStatus status) {
      answers.add(status);
    }
  }

  private Answer create(GssProcedure procedure, byte[] handle, String token) {
    byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
    return serve(procedure, handle, new XdrWriter().opaque(bytes).toByteArray());
  }

  private Answer serve(GssProcedure procedure, byte[] handle, byte[] arguments) {
    Answer answer = new Answer(arguments);
    Verdict verdict = judge(new GssCredential(procedure, 0, GssService.NONE, handle), 0, OpaqueAuth.NONE);
    ((ControlCall) verdict).serve(answer);
    return answer;
  }

  private GssInitResult result(Answer answer) {
    settle();
    assertThat(answer.answers).hasSize(1);
    return (GssInitResult) answer.answers.get(0);
  }

  private byte[] stand(String key) {
    GssInitResult result = result(create(GssProcedure.INIT, NOTHING, key));
    assertThat(result.major()).isEqualTo(GssInitResult.COMPLETE);
    assertThat(result.window()).isEqualTo(WINDOW);
    return result.handle();
  }

  private static AuthStatus refusal(Verdict verdict) {
    return ((Verdict.Refused) verdict).status();
  }

  // Good ones

  @Test
  @DisplayName("A context stands after one token, and its user is who the mechanism says")
  void oneToken() {
    byte[] handle = stand("alice:1");
    assertThat(call("alice:1", handle, 1)).isInstanceOfSatisfying(GssUser.class, user -> {
      assertThat(user.name()).isEqualTo("alice");
      assertThat(user.service()).isEqualTo(GssService.INTEGRITY);
      assertThat(user.verifier().body())
          .isEqualTo(new ToyContext("alice:1").sign(ByteBuffer.wrap(new byte[] {0, 0, 0, 1})));
      assertThat(user.verifierLength()).isEqualTo(user.verifier().encodedLength());
    });
    assertThat(server.contexts()).isEqualTo(1);
    assertThat(server.unfinished()).isZero();
  }

  @Test
  @DisplayName("A context stands after several tokens; the server signs its window with the last answer")
  void severalTokens() {
    server = server(3);
    GssInitResult first = result(create(GssProcedure.INIT, NOTHING, "bob:2"));
    assertThat(first.major()).isEqualTo(GssInitResult.CONTINUE_NEEDED);
    assertThat(refusal(call("bob:2", first.handle(), 1))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(result(create(GssProcedure.CONTINUE_INIT, first.handle(), "bob:2")).major())
        .isEqualTo(GssInitResult.CONTINUE_NEEDED);
    Answer last = new Answer(new XdrWriter().opaque("bob:2".getBytes(StandardCharsets.UTF_8)).toByteArray());
    ControlCall call = (ControlCall) judge(
        new GssCredential(GssProcedure.CONTINUE_INIT, 0, GssService.NONE, first.handle()), 0, OpaqueAuth.NONE);
    call.serve(last);
    assertThat(result(last).handle()).isEqualTo(first.handle());
    assertThat(call.verifier().body())
        .isEqualTo(new ToyContext("bob:2").sign(ByteBuffer.wrap(new byte[] {0, 0, 0, WINDOW})));
    assertThat(call("bob:2", first.handle(), 1)).isInstanceOf(GssUser.class);
  }

  @Test
  @DisplayName("A context that is destroyed is unknown; a call that is being served keeps it")
  void destroyed() {
    byte[] handle = stand("alice:1");
    GssUser served = (GssUser) call("alice:1", handle, 1);
    GssCredential credential = new GssCredential(GssProcedure.DESTROY, 2, GssService.PRIVACY, handle);
    Answer answer = new Answer(NOTHING);
    ((ControlCall) judge(credential, 0, proof("alice:1", credential, 0))).serve(answer);
    assertThat(answer.answers).containsExactly(AcceptStatus.SUCCESS);
    assertThat(refusal(call("alice:1", handle, 3))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(served.verifier().flavor()).isEqualTo(AuthFlavor.GSS);
    assertThat(server.contexts()).isZero();
  }

  @Test
  @DisplayName("Calls of other flavors are judged by others")
  void otherFlavors() {
    assertThat(judge(OpaqueAuth.NONE, 5, OpaqueAuth.NONE)).isSameAs(
        Authenticator.PLAIN.judge(new CallHeader(1, 9, 1, 5, OpaqueAuth.NONE), ByteBuffer.allocate(0), verdict -> { }));
  }

  // Bad ones

  @Test
  @DisplayName("A number that was there, or is a whole window back, is dropped; a bad proof uses up none")
  void numbers() {
    byte[] handle = stand("alice:1");
    assertThat(refusal(call("mallory:9", handle, 100))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(call("alice:1", handle, 10)).isInstanceOf(GssUser.class);
    assertThat(call("alice:1", handle, 10)).isSameAs(Verdict.DROPPED);
    assertThat(call("alice:1", handle, 10 - WINDOW)).isSameAs(Verdict.DROPPED);
    assertThat(call("alice:1", handle, 11 - WINDOW)).isInstanceOf(GssUser.class);
    assertThat(refusal(call("alice:1", handle, GssCredential.SEQUENCE_LIMIT)))
        .isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
    assertThat(refusal(call("alice:1", handle, -1))).isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
    assertThat(call("alice:1", handle, 12)).as("what is refused moves no window").isInstanceOf(GssUser.class);
  }

  @Test
  @DisplayName("A handle of another client, one of nobody's, and a verifier of another flavor are refused")
  void othersHandles() {
    byte[] alices = stand("alice:1");
    byte[] bobs = stand("bob:2");
    assertThat(refusal(call("bob:2", alices, 1))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(refusal(call("bob:2", new byte[] {1, 2, 3}, 1))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(refusal(call("bob:2", NOTHING, 1))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    GssCredential credential = new GssCredential(GssProcedure.DATA, 1, GssService.NONE, bobs);
    OpaqueAuth proof = proof("bob:2", credential, 5);
    assertThat(refusal(judge(credential, 5, new OpaqueAuth(AuthFlavor.SYS, proof.body()))))
        .isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(refusal(judge(credential, 6, proof))).as("of another procedure")
        .isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
    assertThat(judge(credential, 5, proof)).isInstanceOf(GssUser.class);
  }

  @Test
  @DisplayName("A context whose time is over is refused once, and then unknown")
  void over() {
    byte[] handle = stand("alice:1");
    now = LIFETIME - 1;
    assertThat(call("alice:1", handle, 1)).isInstanceOf(GssUser.class);
    now = LIFETIME;
    assertThat(refusal(call("alice:1", handle, 2))).isEqualTo(AuthStatus.RPCSEC_GSS_CTXPROBLEM);
    assertThat(refusal(call("alice:1", handle, 2))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
  }

  @Test
  @DisplayName("A credential that breaks RFC 2203 is bad, and nothing is begun")
  void badCredentials() {
    OpaqueAuth broken = new OpaqueAuth(AuthFlavor.GSS, new byte[] {0, 0, 0, 1});
    assertThat(refusal(judge(broken, 0, OpaqueAuth.NONE))).isEqualTo(AuthStatus.BADCRED);
    GssCredential init = new GssCredential(GssProcedure.INIT, 0, GssService.NONE, NOTHING);
    GssCredential named = new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[4]);
    GssCredential unnamed = new GssCredential(GssProcedure.CONTINUE_INIT, 0, GssService.NONE, NOTHING);
    assertThat(refusal(judge(init, 5, OpaqueAuth.NONE))).isEqualTo(AuthStatus.BADCRED);
    assertThat(refusal(judge(named, 0, OpaqueAuth.NONE))).isEqualTo(AuthStatus.BADCRED);
    assertThat(refusal(judge(unnamed, 0, OpaqueAuth.NONE))).isEqualTo(AuthStatus.BADCRED);
    assertThat(refusal(judge(init, 0, new OpaqueAuth(AuthFlavor.GSS, new byte[4])))).isEqualTo(AuthStatus.BADVERF);
    GssCredential destroy = new GssCredential(GssProcedure.DESTROY, 1, GssService.NONE, stand("alice:1"));
    assertThat(refusal(judge(destroy, 5, proof("alice:1", destroy, 5)))).isEqualTo(AuthStatus.BADCRED);
  }

  @Test
  @DisplayName("A token that is cut short, or followed by something, is garbage; one that the mechanism refuses makes"
      + " no context")
  void badTokens() {
    for (byte[] arguments : List.of(NOTHING, new byte[] {0, 0, 0, 9, 1, 2, 3, 4}, new byte[12])) {
      Answer answer = serve(GssProcedure.INIT, NOTHING, arguments);
      settle();
      assertThat(answer.answers).containsExactly(AcceptStatus.GARBAGE_ARGS);
    }
    GssInitResult refused = result(create(GssProcedure.INIT, NOTHING, "nonsense"));
    assertThat(refused.major()).isEqualTo(9 << 16);
    assertThat(refused.minor()).isEqualTo(7);
    assertThat(refused.handle()).isEmpty();
    assertThat(server.unfinished()).isZero();
    assertThat(server.contexts()).isZero();
  }

  // Bounds

  @Test
  @DisplayName("A flood of first tokens pushes out the oldest that is unfinished")
  void flood() {
    server = server(2);
    List<byte[]> begun = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      begun.add(result(create(GssProcedure.INIT, NOTHING, "flood:" + i)).handle());
      assertThat(server.unfinished()).isLessThanOrEqualTo(UNFINISHED);
    }
    assertThat(result(create(GssProcedure.CONTINUE_INIT, begun.get(0), "flood:0")).major())
        .isEqualTo(GssServer.NO_CONTEXT);
    assertThat(result(create(GssProcedure.CONTINUE_INIT, begun.get(19), "flood:19")).major())
        .isEqualTo(GssInitResult.COMPLETE);
  }

  @Test
  @DisplayName("First tokens that wait for their thread are not even looked at when newer ones have pushed them out")
  void floodBeforeTheirThread() {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      answers.add(create(GssProcedure.INIT, NOTHING, "flood:" + i));
    }
    settle();
    assertThat(answers.stream().map(answer -> result(answer).major())).containsExactly(GssServer.NO_CONTEXT,
        GssServer.NO_CONTEXT, GssServer.NO_CONTEXT, GssInitResult.COMPLETE, GssInitResult.COMPLETE);
  }

  @Test
  @DisplayName("A second token while the first is worked on, and one that comes too late, find no context")
  void outOfTurn() {
    server = server(3);
    byte[] handle = result(create(GssProcedure.INIT, NOTHING, "bob:2")).handle();
    Answer first = create(GssProcedure.CONTINUE_INIT, handle, "bob:2");
    Answer second = create(GssProcedure.CONTINUE_INIT, handle, "bob:2");
    assertThat(result(second).major()).isEqualTo(GssServer.NO_CONTEXT);
    assertThat(result(first).major()).isEqualTo(GssInitResult.CONTINUE_NEEDED);
    now += UNFINISHED_NANOS;
    assertThat(result(create(GssProcedure.CONTINUE_INIT, handle, "bob:2")).major()).isEqualTo(GssServer.NO_CONTEXT);
  }

  @Test
  @DisplayName("A mechanism that does not even begin, and threads that have ended, fail the token and nothing else")
  void noMechanism() {
    server = new GssServer(new GssServerSettings(CONTEXTS, UNFINISHED, WINDOW, UNFINISHED_NANOS), () -> {
      throw new NoClassDefFoundError("mechanism");
    }, () -> ByteBuffer.allocate(4).array(), work::add, () -> now, Authenticator.PLAIN);
    assertThat(result(create(GssProcedure.INIT, NOTHING, "bob:1")).isGood()).isFalse();
    server = new GssServer(new GssServerSettings(CONTEXTS, UNFINISHED, WINDOW, UNFINISHED_NANOS),
        () -> handshakes.begin(new ToyMechanism(1, Optional.empty()).acceptor()),
        () -> ByteBuffer.allocate(4).array(), task -> {
          throw new RejectedExecutionException();
        }, () -> now, Authenticator.PLAIN);
    assertThat(result(create(GssProcedure.INIT, NOTHING, "bob:1")).isGood()).isFalse();
    assertThat(server.unfinished()).isZero();
  }

  @Test
  @DisplayName("The context that was not used for longest goes when there are too many")
  void leastUsedGoes() {
    byte[] first = stand("user:0");
    byte[] second = stand("user:1");
    stand("user:2");
    assertThat(call("user:0", first, 1)).isInstanceOf(GssUser.class);
    stand("user:3");
    assertThat(server.contexts()).isEqualTo(CONTEXTS);
    assertThat(call("user:0", first, 2)).isInstanceOf(GssUser.class);
    assertThat(refusal(call("user:1", second, 1))).isEqualTo(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
  }
}
