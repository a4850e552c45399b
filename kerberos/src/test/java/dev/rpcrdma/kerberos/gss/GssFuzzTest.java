// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.protocol.FuzzInput;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as heads of calls, tokens, answers to tokens, and bodies. */
@DisplayName("RPCSEC_GSS, fuzzed")
final class GssFuzzTest {

  private static final GssServerSettings BOUNDS = new GssServerSettings(3, 2, 4, 100);
  private static final int SEEDS = 60;
  private static final int MOST_STEPS = 40;
  private static final byte[] NOTHING = {};

  static Stream<byte[]> seeds() {
    Random random = new Random(5);
    return IntStream.range(0, SEEDS).mapToObj(seed -> {
      byte[] bytes = new byte[random.nextInt(400)];
      random.nextBytes(bytes);
      return bytes;
    });
  }

  // The server

  private final ArrayDeque<Runnable> work = new ArrayDeque<>();
  private final List<byte[]> handles = new ArrayList<>();
  private long now;
  private GssServer server;
  private final SecureChannel channel = () -> Optional.of("fuzz:channel".getBytes(StandardCharsets.US_ASCII));
  /** Whether whoever has the key has bound a context to the channel. */
  private boolean bound;

  /** Fails if {@code GssServer.signed} does not ask for the proof, or {@code ContextTable} for its bounds. */
  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("R-320: any credentials, proofs and tokens, good ones among them: an answer to each, within bounds,"
      + " and nobody is let in without a proof")
  void server(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    handles.clear();
    work.clear();
    now = 0;
    bound = false;
    server = new GssServer(BOUNDS, new ToyMechanism(1 + input.choice(2), Optional.empty()).acceptor(), () -> {
      byte[] handle = ByteBuffer.allocate(4).putInt(handles.size() + 1).array();
      handles.add(handle);
      return handle;
    }, work::add, () -> now, Authenticator.PLAIN);
    for (int step = 0; step < MOST_STEPS && input.hasMore(); step++) {
      now += input.choice(4) == 0 ? input.choice(200) : 0;
      call(input);
      if (input.flag()) {
        settle();
      }
      assertThat(server.contexts()).isLessThanOrEqualTo(BOUNDS.contexts());
      assertThat(server.unfinished()).isLessThanOrEqualTo(BOUNDS.unfinished());
    }
    settle();
  }

  private void settle() {
    while (!work.isEmpty()) {
      work.poll().run();
    }
  }

  private void call(FuzzInput input) {
    OpaqueAuth credential = credential(input);
    XdrWriter head = new XdrWriter();
    int procedure = input.choice(3) == 0 ? 1 : 0;
    head.int32(7).int32(0).int32(2).int32(9).int32(1).int32(procedure);
    credential.encode(head);
    boolean proven = input.choice(3) == 0;
    OpaqueAuth verifier = proven
        ? proof(ByteBuffer.wrap(head.toByteArray()), input)
        : input.flag() ? OpaqueAuth.NONE : new OpaqueAuth(input.flag() ? AuthFlavor.GSS : input.word(),
            input.data(input.choice(64)));
    CallHeader call = new CallHeader(7, 2, 9, 1, procedure, credential, verifier);
    XdrWriter message = new XdrWriter();
    call.encode(message);
    byte[] arguments = input.flag() ? new XdrWriter().opaque("alice:1".getBytes(StandardCharsets.UTF_8)).toByteArray()
        : input.data(input.choice(32));
    Verdict verdict = server.over(channel).judge(call, ByteBuffer.wrap(message.toByteArray()), later -> {
      throw new AssertionError("It is judged at once");
    });
    if (verdict instanceof ControlCall control) {
      Exchange exchange = new Exchange(arguments);
      control.serve(exchange);
      settle();
      assertThat(exchange.answers).as("answers").isEqualTo(1);
      bound |= proven && control instanceof Binding;
      assertThat(control.verifier().encodedLength()).isEqualTo(control.verifierLength());
    } else if (verdict instanceof GssUser user) {
      assertThat(proven || bound && user.service() == GssService.CHANNEL).as("a proof").isTrue();
      assertThat(user.name()).isEqualTo("alice");
    }
  }

  /** As one signs a head by which a call is made, or a context is bound to the channel. */
  private OpaqueAuth proof(ByteBuffer head, FuzzInput input) {
    ToyContext context = new ToyContext("alice:1");
    if (input.choice(3) > 0) {
      return new OpaqueAuth(AuthFlavor.GSS, context.sign(head));
    }
    byte[] bindings = channel.bindings().orElseThrow();
    byte[] hash = ChannelHash.SHA_256.hash(bindings);
    return new BindArguments(BindArguments.prefixOf(bindings), ChannelHash.SHA_256.oid(),
        context.sign(BindArguments.signed(head, hash))).verifier();
  }

  private OpaqueAuth credential(FuzzInput input) {
    if (input.choice(4) == 0) {
      return new OpaqueAuth(AuthFlavor.GSS, input.data(input.choice(64)));
    }
    byte[] handle = handles.isEmpty() || input.choice(4) == 0 ? input.flag() ? NOTHING : input.data(4)
        : handles.get(input.choice(256) % handles.size());
    int version = 1 + input.choice(2);
    int sequence = input.flag() ? input.choice(12) : input.word();
    // Not by the class, which makes none that is of version 1 and has a channel.
    return new OpaqueAuth(AuthFlavor.GSS, new XdrWriter().int32(version)
        .int32(input.choice(GssProcedure.values().length)).int32(sequence)
        .int32(1 + input.choice(GssService.values().length)).opaque(handle).toByteArray());
  }

  private static final class Exchange implements ControlCall.Exchange {

    private final byte[] arguments;
    private int answers;

    Exchange(byte[] arguments) {
      this.arguments = arguments;
    }

    @Override
    public XdrReader arguments() {
      return new XdrReader(ByteBuffer.wrap(arguments));
    }

    @Override
    public void reply(XdrEncoder results) {
      results.encode(new XdrWriter());
      answers++;
    }

    @Override
    public void fail(AcceptStatus status) {
      answers++;
    }
  }

  // The client

  private record Sent(byte[] token, GssExchange.Listener listener) {}

  /** Fails if {@code Making.complete} does not look at the server's proof, or a failure forgets those who wait. */
  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("R-320: any answers to tokens: each call is protected, or hears why not; no context without the server's"
      + " proof")
  void client(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    ArrayDeque<Sent> sent = new ArrayDeque<>();
    GssClient client = new GssClient(GssService.INTEGRITY,
        new ToyMechanism(1 + input.choice(3), Optional.empty()).initiator("alice"), new GssExchange() {
          @Override
          public void after(long nanos, Runnable task) {
            // Nothing that could be waited for has a time here.
          }

          @Override
          public void create(OpaqueAuth credential, byte[] token, Listener listener) {
            sent.add(new Sent(token, listener));
          }

          @Override
          public void bind(SecureChannel channel, Credential credential, BindListener listener) {
            throw new AssertionError("Integrity needs no channel");
          }

          @Override
          public void destroy(Credential credential) {}
        }, Runnable::run, Runnable::run, () -> 0);
    boolean signed = false;
    for (int step = 0; step < MOST_STEPS && input.hasMore(); step++) {
      WaitingCall call = new WaitingCall();
      client.protection(SecureChannel.NONE, call);
      for (int tokens = 0; !sent.isEmpty(); tokens++) {
        assertThat(tokens).as("tokens for one call").isLessThan(100);
        signed |= answer(sent.poll(), input);
      }
      assertThat(call.protection != null || call.failure != null).as("an end").isTrue();
      if (call.protection != null) {
        assertThat(signed).as("the server has the key").isTrue();
        assertThat(call.protection.verifies(new OpaqueAuth(AuthFlavor.GSS, input.data(40)))).isFalse();
        if (input.flag()) {
          call.protection.outdated(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
        }
        call.protection.ended();
      }
    }
    client.close();
  }

  /** Whether it is an answer of who has the key. */
  private static boolean answer(Sent sent, FuzzInput input) {
    int kind = input.choice(8);
    if (kind == 0) {
      sent.listener.failed("refused");
    } else if (kind == 1) {
      sent.listener.lost("cut");
    } else {
      int window = input.flag() ? 1 + input.choice(8) : input.word();
      int major = input.flag() ? GssInitResult.COMPLETE : input.flag() ? GssInitResult.CONTINUE_NEEDED : input.word();
      boolean proof = input.flag();
      ByteBuffer number = ByteBuffer.allocate(4).putInt(window).flip();
      OpaqueAuth verifier = proof
          ? new OpaqueAuth(AuthFlavor.GSS, new ToyContext(new String(sent.token, StandardCharsets.UTF_8)).sign(number))
          : new OpaqueAuth(AuthFlavor.GSS, input.data(32));
      sent.listener.answered(new GssInitResult(input.data(input.choice(9)), major, 0, window,
          input.data(input.choice(5))), verifier);
      return proof;
    }
    return false;
  }

  // What crosses

  /** Fails if {@code ProtectedBody.open} believes a length that lies, or a number of another call. */
  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("B-121: any bytes as a credential, as an answer to a token, and as a body: what they say, or an"
      + " XdrException, and never another call's body")
  void wire(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    GssService service = input.flag() ? GssService.INTEGRITY : GssService.PRIVACY;
    ToyContext context = new ToyContext("key");
    byte[] body = input.data(input.choice(20));
    byte[] good = ProtectedBody.protect(service, context, 5, ByteBuffer.wrap(body));
    assertThat(ProtectedBody.open(service, context, 5, ByteBuffer.wrap(good))).isEqualTo(ByteBuffer.wrap(body));
    byte[] changed = good.clone();
    int at = input.choice(256) % changed.length;
    changed[at] ^= (byte) input.choice(256);
    // XDR lets padding be anything.
    boolean padding = !Arrays.equals(changed, good) && isPadding(service, body.length, good.length, at);
    if (!padding && !Arrays.equals(changed, good)) {
      refused(() -> ProtectedBody.open(service, context, 5, ByteBuffer.wrap(changed)));
    }
    refused(() -> ProtectedBody.open(service, context, 6, ByteBuffer.wrap(good)));
    byte[] any = input.rest();
    refused(() -> ProtectedBody.open(service, context, 5, ByteBuffer.wrap(any)));
    try {
      GssCredential credential = GssCredential.from(new OpaqueAuth(AuthFlavor.GSS, any));
      assertThat(credential.encode().body()).isEqualTo(any);
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    try {
      XdrReader reader = new XdrReader(ByteBuffer.wrap(any));
      GssInitResult result = GssInitResult.decode(reader);
      XdrWriter again = new XdrWriter();
      result.encode(again);
      assertThat(again.length()).isEqualTo(any.length - reader.remaining());
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  private static boolean isPadding(GssService service, int body, int length, int at) {
    int numbered = 4 + body;
    int inner = 4 + numbered + (service == GssService.PRIVACY ? 32 : 0);
    int padded = (inner + 3) / 4 * 4;
    return at >= inner && at < padded || service == GssService.PRIVACY && at >= inner && at < length;
  }

  private static void refused(Runnable opening) {
    try {
      opening.run();
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
      return;
    }
    throw new AssertionError("It is opened");
  }
}
