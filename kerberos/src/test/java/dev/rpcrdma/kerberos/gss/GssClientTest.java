// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a client makes contexts, what it believes of a server's answers, and which numbers calls get. */
class GssClientTest {

  private static final byte[] HANDLE = {7, 7, 7, 7};
  private static final byte[] NOTHING = {};
  private static final long LIFETIME = 1000;

  private record Sent(GssCredential credential, byte[] token, GssExchange.Listener listener) {

    void answer(int major, int window, byte[] reply, OpaqueAuth verifier) {
      listener.answered(new GssInitResult(HANDLE, major, 0, window, reply), verifier);
    }

    /** As a server does that has the key. */
    void complete(int window) {
      answer(GssInitResult.COMPLETE, window, "done".getBytes(StandardCharsets.UTF_8), signed(window));
    }

    private OpaqueAuth signed(int number) {
      ToyContext context = new ToyContext(new String(token, StandardCharsets.UTF_8));
      return new OpaqueAuth(AuthFlavor.GSS, context.sign(ByteBuffer.allocate(4).putInt(number).flip()));
    }
  }

  private record Pause(long end, Runnable task) {}

  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private final ArrayDeque<Pause> pauses = new ArrayDeque<>();
  private final List<Credential> destroyed = new ArrayList<>();
  private final CountedHandshakes handshakes = new CountedHandshakes();
  private long now;
  private int tokens = 1;
  private boolean broken;
  private boolean another;
  private Optional<Duration> lifetime = Optional.of(Duration.ofNanos(LIFETIME));
  private Executor work = Runnable::run;
  private final GssClient client = new GssClient(GssService.INTEGRITY, this::handshake, new GssExchange() {
    @Override
    public boolean hasAnother() {
      return another;
    }

    @Override
    public void after(long nanos, Runnable task) {
      pauses.add(new Pause(now + nanos, task));
    }

    @Override
    public void create(OpaqueAuth credential, byte[] token, Listener listener) {
      sent.add(new Sent(GssCredential.from(credential), token, listener));
    }

    @Override
    public void bind(SecureChannel channel, Credential credential, BindListener listener) {
      throw new AssertionError("Integrity needs no channel");
    }

    @Override
    public void destroy(Credential credential) {
      destroyed.add(credential);
    }
  }, task -> work.execute(task), Runnable::run, () -> now);

  private GssHandshake handshake() {
    if (broken) {
      return handshakes.begin(() -> token -> {
        throw new GssFailure(1, 2, "There is no ticket");
      });
    }
    return handshakes.begin(new ToyMechanism(tokens, lifetime).initiator("alice"));
  }

  private WaitingCall call() {
    WaitingCall call = new WaitingCall();
    client.protection(SecureChannel.NONE, call);
    return call;
  }

  @Test
  @DisplayName("Calls wait for one context, which is made once, and then have numbers of their own")
  void oneContext() {
    WaitingCall first = call();
    WaitingCall second = call();
    assertThat(first.protection).isNull();
    assertThat(sent).hasSize(1);
    assertThat(sent.peek().credential.procedure()).isEqualTo(GssProcedure.INIT);
    sent.poll().complete(8);
    WaitingCall third = call();
    assertThat(List.of(first.sequence(), second.sequence(), third.sequence())).containsExactly(1, 2, 3);
    assertThat(sent).isEmpty();
    assertThat(first.protection.bodies()).isPresent();
    assertThat(first.protection.verifierLength()).isEqualTo(40);
  }

  @Test
  @DisplayName("Tokens go back and forth with the server's handle")
  void severalTokens() {
    tokens = 2;
    WaitingCall call = call();
    sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, "more".getBytes(StandardCharsets.UTF_8), OpaqueAuth.NONE);
    assertThat(sent.peek().credential.procedure()).isEqualTo(GssProcedure.CONTINUE_INIT);
    assertThat(sent.peek().credential.handle()).isEqualTo(HANDLE);
    sent.poll().complete(8);
    assertThat(call.protection).isNotNull();
  }

  /** Fails if {@code SequenceNumbers} counts those without a reply in place of the span. */
  @Test
  @DisplayName("RFC 2203 §5.3.3.1: no number is given while one a whole window lower may be on its way")
  void window() {
    WaitingCall first = call();
    sent.poll().complete(2);
    WaitingCall second = call();
    WaitingCall third = call();
    assertThat(third.protection).isNull();
    second.protection.ended();
    assertThat(third.protection).as("the lowest is still on its way").isNull();
    first.protection.ended();
    assertThat(third.sequence()).isEqualTo(3);
    first.protection.ended();
    WaitingCall fourth = call();
    assertThat(fourth.sequence()).isEqualTo(4);
    assertThat(call().protection).isNull();
    assertThat(sent).as("another one is made once").hasSize(1);
  }

  /** Fails if {@code mayBegin} asks that nothing stands, or {@code choose} looks at one context. */
  @Test
  @DisplayName("A call without a reply holds nobody up: others have another context, and all contexts are used again")
  void slowCall() {
    WaitingCall slow = call();
    sent.poll().complete(2);
    call().protection.ended();
    WaitingCall fast = call();
    assertThat(fast.protection).isNull();
    sent.poll().complete(2);
    assertThat(fast.sequence()).as("of the second context").isEqualTo(1);
    call().protection.ended();
    WaitingCall other = call();
    assertThat(other.protection).as("the second has a slow call too").isNull();
    assertThat(sent).hasSize(1);
    slow.protection.ended();
    assertThat(other.sequence()).as("of the first context").isEqualTo(3);
    sent.poll().complete(2);
    for (int i = 0; i < 100; i++) {
      call().protection.ended();
    }
    assertThat(sent).isEmpty();
    client.close();
    assertThat(destroyed).as("of three contexts, one has no number for it").hasSize(2);
  }

  /** Fails if {@code failed} reaches those who have contexts, or {@code pause} does not hold the next attempt. */
  @Test
  @DisplayName("If another context cannot be made calls wait for numbers, and it is tried again after a pause")
  void noOther() {
    WaitingCall first = call();
    sent.poll().complete(1);
    WaitingCall second = call();
    sent.poll().listener.failed("no room");
    WaitingCall third = call();
    assertThat(sent).as("not at once").isEmpty();
    assertThat(List.of(second, third)).allSatisfy(call -> assertThat(call.failure).isNull());
    assertThat(client.forget(third)).hasValueSatisfying(words -> assertThat(words)
        .contains("was not sent within its timeout").contains("in 1 contexts"));
    first.protection.ended();
    assertThat(second.sequence()).isEqualTo(2);
    lifetime = Optional.empty();
    now += 1_000_000_000L;
    client.resume();
    assertThat(call().protection).as("the first context is over").isNull();
    sent.poll().complete(1);
    assertThat(call().protection).isNull();
    sent.poll().listener.failed("no room");
    call();
    assertThat(sent).isEmpty();
    now += 1_000_000_000L;
    call();
    assertThat(sent).hasSize(1);
  }

  /** Fails if {@code proceed} sets no timer, or several, or {@code failed} does not proceed. */
  @Test
  @DisplayName("Calls that wait for a number are not forgotten during the pause: its end begins another context")
  void pauseEnds() {
    call();
    sent.poll().complete(1);
    WaitingCall second = call();
    sent.poll().listener.failed("no room");
    WaitingCall third = call();
    assertThat(pauses).as("for both").hasSize(1);
    Pause pause = pauses.poll();
    assertThat(pause.end).isEqualTo(now + 1_000_000_000L);
    lifetime = Optional.empty();
    now = pause.end;
    pause.task.run();
    sent.poll().complete(8);
    assertThat(List.of(second, third)).allSatisfy(call -> assertThat(call.protection).isNotNull());
    assertThat(pauses).isEmpty();
  }

  /** Fails if {@code replace} neither pauses nor proceeds. */
  @Test
  @DisplayName("A further context whose connection is lost is begun anew after a pause")
  void furtherIsLost() {
    lifetime = Optional.empty();
    call();
    sent.poll().complete(1);
    WaitingCall second = call();
    sent.poll().listener.lost("cut");
    assertThat(sent).as("not at once").isEmpty();
    now = pauses.peek().end;
    pauses.poll().task.run();
    sent.poll().complete(1);
    assertThat(second.sequence()).isEqualTo(1);
  }

  /** Fails if {@code wake} does not ask anew who waits, or the client is closed. */
  @Test
  @DisplayName("The end of a pause is nobody's concern when no call waits any more, or the client is closed")
  void pauseForNobody() {
    lifetime = Optional.empty();
    WaitingCall first = call();
    sent.poll().complete(1);
    WaitingCall second = call();
    sent.poll().listener.failed("no room");
    first.protection.ended();
    assertThat(second.sequence()).isEqualTo(2);
    now = pauses.peek().end;
    pauses.poll().task.run();
    assertThat(sent).isEmpty();
    call();
    sent.poll().listener.failed("no room");
    client.close();
    now = pauses.peek().end;
    pauses.poll().task.run();
    assertThat(sent).isEmpty();
  }

  /** Fails if {@code stands} does not ask whether a making is outdated. */
  @Test
  @DisplayName("A context that was begun before the server has forgotten others is not used: it may be forgotten too")
  void begunBefore() {
    WaitingCall first = call();
    sent.poll().complete(1);
    WaitingCall second = call();
    Sent before = sent.poll();
    assertThat(first.protection.outdated(AuthStatus.RPCSEC_GSS_CREDPROBLEM)).isTrue();
    before.complete(1);
    assertThat(second.protection).isNull();
    sent.poll().complete(1);
    assertThat(second.sequence()).isEqualTo(1);
  }

  /** Fails if {@code mayBegin} knows no bound. */
  @Test
  @DisplayName("Contexts have a bound, and a call beyond it hears that it was not sent")
  void mostContexts() {
    List<WaitingCall> slow = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      slow.add(call());
      sent.poll().complete(1);
    }
    assertThat(slow).allSatisfy(call -> assertThat(call.sequence()).isEqualTo(1));
    WaitingCall last = call();
    assertThat(sent).isEmpty();
    assertThat(client.forget(last)).hasValueSatisfying(words -> assertThat(words).contains("in 64 contexts"));
    WaitingCall next = call();
    slow.get(7).protection.ended();
    assertThat(next.sequence()).isEqualTo(2);
    assertThat(slow.get(9).protection.outdated(AuthStatus.RPCSEC_GSS_CTXPROBLEM)).isTrue();
    WaitingCall again = call();
    assertThat(sent).as("the others may be unknown as well").hasSize(1);
    sent.poll().complete(1);
    assertThat(again.sequence()).isEqualTo(1);
  }

  @Test
  @DisplayName("A context whose time is over, or that the server does not know, is replaced")
  void replaced() {
    WaitingCall first = call();
    sent.poll().complete(8);
    now = LIFETIME;
    call();
    assertThat(sent).hasSize(1);
    sent.poll().complete(8);
    WaitingCall second = call();
    assertThat(first.protection.outdated(AuthStatus.RPCSEC_GSS_CREDPROBLEM)).as("of the old one").isTrue();
    assertThat(call().protection).as("the new one stays").isNotNull();
    assertThat(second.protection.outdated(AuthStatus.REJECTEDCRED)).isFalse();
    assertThat(second.protection.outdated(AuthStatus.RPCSEC_GSS_CTXPROBLEM)).isTrue();
    assertThat(call().protection).isNull();
    assertThat(sent).hasSize(1);
  }

  @Test
  @DisplayName("A reply is believed if the server has signed its call's number, and no other")
  void replies() {
    WaitingCall call = call();
    Sent init = sent.poll();
    init.complete(8);
    assertThat(call.protection.verifies(init.signed(1))).isTrue();
    assertThat(call.protection.verifies(init.signed(2))).isFalse();
    assertThat(call.protection.verifies(OpaqueAuth.NONE)).isFalse();
    assertThat(call.protection.verifies(new OpaqueAuth(AuthFlavor.SYS, init.signed(1).body()))).isFalse();
  }

  private void failsWith(String reason, Runnable answer) {
    WaitingCall first = call();
    WaitingCall second = call();
    answer.run();
    assertThat(first.failure).contains(reason);
    assertThat(second.failure).isEqualTo(first.failure);
    assertThat(first.protection).isNull();
  }

  @Test
  @DisplayName("Whatever keeps a context from being made fails those who wait, and the next call tries again")
  void failures() {
    byte[] done = "done".getBytes(StandardCharsets.UTF_8);
    failsWith("major d0000", () -> sent.poll().answer(13 << 16, 8, NOTHING, OpaqueAuth.NONE));
    failsWith("no connection", () -> sent.poll().listener.failed("no connection"));
    failsWith("does not prove", () -> sent.peek().answer(GssInitResult.COMPLETE, 8, done, sent.poll().signed(9)));
    failsWith("does not prove", () -> sent.poll().answer(GssInitResult.COMPLETE, 8, done, OpaqueAuth.NONE));
    failsWith("does not prove", () -> sent.peek().answer(GssInitResult.COMPLETE, 0, done, sent.poll().signed(0)));
    failsWith("do not agree", () -> sent.peek().answer(GssInitResult.COMPLETE, 8, NOTHING, sent.poll().signed(8)));
    failsWith("do not agree", () -> sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, done, OpaqueAuth.NONE));
    tokens = 2;
    failsWith("do not agree", () -> sent.peek().answer(GssInitResult.COMPLETE, 8, done, sent.poll().signed(8)));
    tokens = 1000;
    failsWith("more than 16", () -> {
      while (!sent.isEmpty()) {
        sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, done, OpaqueAuth.NONE);
      }
    });
    tokens = 1;
    broken = true;
    assertThat(call().failure).contains("There is no ticket");
    broken = false;
    work = task -> {
      throw new RejectedExecutionException();
    };
    assertThat(call().failure).contains("thread has ended");
    work = Runnable::run;
    assertThat(handshakes.open()).isZero();
    WaitingCall last = call();
    sent.poll().complete(8);
    assertThat(last.protection).isNotNull();
  }

  /** Fails if one of these ways does not dispose of the handshake, which holds what the mechanism needs. */
  @Test
  @DisplayName("Whatever ends the making of a context ends its handshake")
  void disposed() {
    List<Consumer<Sent>> ways = List.of(ask -> ask.listener.failed("no"), ask -> ask.listener.silent("no"),
        ask -> ask.listener.unreachable(), ask -> {
          ask.listener.lost("cut");
          sent.poll().listener.lost("cut");
          sent.poll().listener.lost("cut");
        }, ask -> {
          ask.answer(GssServer.NO_CONTEXT, 0, NOTHING, OpaqueAuth.NONE);
          sent.poll().answer(GssServer.NO_CONTEXT, 0, NOTHING, OpaqueAuth.NONE);
        });
    for (Consumer<Sent> way : ways) {
      WaitingCall call = call();
      assertThat(handshakes.open()).isOne();
      way.accept(sent.poll());
      assertThat(handshakes.open()).isZero();
      assertThat(sent).isEmpty();
      client.forget(call);
    }
    call();
    client.close();
    sent.poll().listener.lost("cut");
    assertThat(handshakes.open()).as("it is closed").isZero();
  }

  /** Fails if {@code Making.answered} does not ask whether it is the first. */
  @Test
  @DisplayName("RFC 2203 §5.2.2: a context that the server drops, half made or not begun yet, is begun anew, once")
  void forgottenHalfMade() {
    int noContext = GssServer.NO_CONTEXT;
    byte[] more = "more".getBytes(StandardCharsets.UTF_8);
    tokens = 2;
    WaitingCall call = call();
    sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, more, OpaqueAuth.NONE);
    sent.poll().answer(noContext, 0, NOTHING, OpaqueAuth.NONE);
    assertThat(call.failure).isNull();
    assertThat(sent).hasSize(1);
    assertThat(sent.peek().credential.procedure()).isEqualTo(GssProcedure.INIT);
    assertThat(sent.peek().credential.handle()).isEmpty();
    sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, more, OpaqueAuth.NONE);
    failsWith("major 80000", () -> sent.poll().answer(noContext, 0, NOTHING, OpaqueAuth.NONE));
    assertThat(call.failure).as("the second time").contains("major 80000");
    WaitingCall next = call();
    sent.poll().answer(noContext, 0, NOTHING, OpaqueAuth.NONE);
    assertThat(next.failure).as("it was not looked at").isNull();
    failsWith("major 80000", () -> sent.poll().answer(noContext, 0, NOTHING, OpaqueAuth.NONE));
    assertThat(next.failure).contains("major 80000");
    assertThat(sent).isEmpty();
  }

  /** Fails if {@code lost} sends the same token again, or has no end. */
  @Test
  @DisplayName("RFC 2203 §5.2.2: a context whose token is on a connection that is lost is begun anew, with another token")
  void lost() {
    WaitingCall call = call();
    Sent first = sent.poll();
    first.listener.lost("cut");
    Sent second = sent.poll();
    assertThat(second.credential.procedure()).isEqualTo(GssProcedure.INIT);
    assertThat(second.token).isNotEqualTo(first.token);
    second.complete(8);
    assertThat(call.protection).isNotNull();
    now = LIFETIME;
    failsWith("cut", () -> {
      sent.poll().listener.lost("cut");
      sent.poll().listener.lost("cut");
      sent.poll().listener.lost("cut");
    });
    assertThat(sent).isEmpty();
    call();
    client.close();
    sent.poll().listener.lost("cut");
    assertThat(sent).as("it is closed").isEmpty();
  }

  @Test
  @DisplayName("RFC 2203 §5.2.2: the same of one of several tokens")
  void lostHalfMade() {
    tokens = 2;
    WaitingCall call = call();
    sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, "more".getBytes(StandardCharsets.UTF_8), OpaqueAuth.NONE);
    assertThat(sent.peek().credential.procedure()).isEqualTo(GssProcedure.CONTINUE_INIT);
    sent.poll().listener.lost("cut");
    assertThat(sent.peek().credential.procedure()).isEqualTo(GssProcedure.INIT);
    assertThat(sent.peek().credential.handle()).isEmpty();
    sent.poll().answer(GssInitResult.CONTINUE_NEEDED, 8, "more".getBytes(StandardCharsets.UTF_8), OpaqueAuth.NONE);
    sent.poll().complete(8);
    assertThat(call.protection).isNotNull();
  }

  /** Fails if {@code proceed} begins nothing while something is being made. */
  @Test
  @DisplayName("A connection that does not answer keeps nobody waiting: a context is made over another one")
  void slow() {
    WaitingCall first = call();
    Sent stalled = sent.poll();
    stalled.listener.slow();
    assertThat(sent).as("there is no other connection").isEmpty();
    another = true;
    client.resume();
    Sent second = sent.poll();
    assertThat(second.credential.procedure()).isEqualTo(GssProcedure.INIT);
    assertThat(second.token).isNotEqualTo(stalled.token);
    WaitingCall later = call();
    assertThat(sent).as("the second has not been slow yet").isEmpty();
    second.complete(8);
    assertThat(List.of(first.sequence(), later.sequence())).containsExactly(1, 2);
    stalled.listener.silent("No reply");
    assertThat(call().sequence()).as("nobody minds the first").isEqualTo(3);
    assertThat(sent).isEmpty();
  }

  /** Fails if {@code asking} leaves a making slow that goes on. */
  @Test
  @DisplayName("A context is no more slow when its server has answered and waits for another token")
  void slowNoMore() {
    tokens = 2;
    call();
    Sent first = sent.poll();
    first.listener.slow();
    first.answer(GssInitResult.CONTINUE_NEEDED, 8, "more".getBytes(StandardCharsets.UTF_8), OpaqueAuth.NONE);
    assertThat(sent.poll().credential.procedure()).isEqualTo(GssProcedure.CONTINUE_INIT);
    another = true;
    call();
    assertThat(sent).as("begun over another connection").isEmpty();
  }

  /** Fails if {@code replace} does not ask what else is being made. */
  @Test
  @DisplayName("A context whose connection is lost is not begun anew while another one is being made")
  void lostBesideAnother() {
    another = true;
    WaitingCall call = call();
    Sent slow = sent.poll();
    slow.listener.slow();
    Sent quick = sent.poll();
    slow.listener.lost("cut");
    assertThat(sent).isEmpty();
    quick.complete(8);
    assertThat(call.protection).isNotNull();
  }

  /** Fails if {@code stands} drops what comes second. */
  @Test
  @DisplayName("Of two contexts that are made the first one is used, whichever it is, and then the other one")
  void both() {
    another = true;
    call();
    Sent slow = sent.poll();
    slow.listener.slow();
    Sent quick = sent.poll();
    slow.complete(1);
    WaitingCall waiting = call();
    assertThat(waiting.protection).as("there is no number").isNull();
    quick.complete(8);
    assertThat(waiting.sequence()).isEqualTo(1);
    assertThat(sent).isEmpty();
  }

  /** Fails if {@code silent} fails those who wait while another connection may answer. */
  @Test
  @DisplayName("Calls fail for want of an answer when no connection has answered, and as often as there are some")
  void silent() {
    another = true;
    WaitingCall call = call();
    List<Sent> asked = new ArrayList<>();
    while (!sent.isEmpty()) {
      Sent next = sent.poll();
      asked.add(next);
      next.listener.slow();
    }
    assertThat(asked).as("at once, at most").hasSize(8);
    another = false;
    for (Sent each : asked) {
      assertThat(call.failure).isNull();
      each.listener.silent("No reply within the call's timeout");
    }
    assertThat(call.failure).contains("No reply within the call's timeout");
    failsWith("No reply", () -> sent.poll().listener.silent("No reply"));
    another = true;
    failsWith("major d0000", () -> {
      sent.peek().listener.slow();
      sent.pollLast().answer(13 << 16, 8, NOTHING, OpaqueAuth.NONE);
    });
    sent.poll().complete(8);
    assertThat(call().protection).as("it comes late, and is there").isNotNull();
  }

  /** Fails if {@code forget} leaves the listener, or {@code send} and {@code begin} do not say what is waited for. */
  @Test
  @DisplayName("Who waits no longer is forgotten, and hears whom there was to wait for")
  void forget() {
    ArrayDeque<Runnable> later = new ArrayDeque<>();
    work = later::add;
    WaitingCall first = call();
    WaitingCall second = call();
    assertThat(client.forget(first)).hasValueSatisfying(words -> assertThat(words).contains("key distribution center"));
    assertThat(client.forget(first)).isEmpty();
    later.poll().run();
    WaitingCall third = call();
    assertThat(client.forget(third)).hasValueSatisfying(words -> assertThat(words).contains("server has not answered"));
    sent.poll().complete(1);
    later.poll().run();
    assertThat(second.protection).isNotNull();
    assertThat(first.protection).isNull();
    assertThat(third.protection).isNull();
    assertThat(client.forget(call())).as("there is a context").hasValueSatisfying(words -> assertThat(words)
        .contains("was not sent within its timeout"));
    second.protection.ended();
    assertThat(call().protection).as("no number was taken for them").isNotNull();
  }

  @Test
  @DisplayName("Closing tells the server, fails those who wait, and lets nobody in")
  void closed() {
    call();
    sent.poll().complete(2);
    WaitingCall second = call();
    WaitingCall third = call();
    second.protection.ended();
    client.close();
    assertThat(third.failure).contains("closed");
    assertThat(call().failure).contains("closed");
    sent.poll().complete(2);
    assertThat(destroyed).as("there is no number left for it").isEmpty();
    assertThat(sent).isEmpty();
  }

  @Test
  @DisplayName("Closing destroys the context; what is still being made is not used")
  void closedWhileMaking() {
    WaitingCall first = call();
    client.close();
    assertThat(first.failure).contains("closed");
    sent.poll().complete(8);
    assertThat(call().failure).contains("closed");
    assertThat(destroyed).isEmpty();
  }

  @Test
  @DisplayName("The end of a context is a call of its own, with a number and a proof")
  void destroys() {
    WaitingCall first = call();
    sent.poll().complete(8);
    client.close();
    ByteBuffer head = ByteBuffer.allocate(destroyed.get(0).lengthInCall());
    destroyed.get(0).writeInCall(head, 0);
    GssCredential credential = GssCredential.from(
        OpaqueAuth.decode(new XdrReader(head.flip())));
    assertThat(credential).isEqualTo(new GssCredential(GssProcedure.DESTROY, 2, GssService.INTEGRITY, HANDLE));
    assertThat(first.protection.lengthInCall()).isEqualTo(head.limit());
  }

  @Test
  @DisplayName("Numbers end below 2^31, and those that are over are counted once, in any order")
  void numbers() {
    SequenceNumbers few = new SequenceNumbers(8, GssCredential.SEQUENCE_LIMIT - 2);
    assertThat(few.take()).hasValue(GssCredential.SEQUENCE_LIMIT - 2);
    assertThat(few.take()).hasValue(GssCredential.SEQUENCE_LIMIT - 1);
    assertThat(few.take()).isEmpty();
    assertThat(few.isExhausted()).isTrue();
    SequenceNumbers numbers = new SequenceNumbers(3, 1);
    int[] taken = {numbers.take().getAsInt(), numbers.take().getAsInt(), numbers.take().getAsInt()};
    assertThat(Arrays.stream(taken)).containsExactly(1, 2, 3);
    assertThat(numbers.take()).isEmpty();
    numbers.end(3);
    numbers.end(3);
    numbers.end(9);
    numbers.end(0);
    assertThat(numbers.take()).isEmpty();
    numbers.end(1);
    assertThat(numbers.take()).isEqualTo(OptionalInt.of(4));
    assertThat(numbers.take()).isEmpty();
    numbers.end(2);
    assertThat(numbers.take()).hasValue(5);
    assertThat(numbers.take()).hasValue(6);
    assertThat(numbers.take()).isEmpty();
  }
}
