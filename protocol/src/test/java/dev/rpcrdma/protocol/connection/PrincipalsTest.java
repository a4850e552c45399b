// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.UnprotectedCall;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.time.Deadlines;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A call that comes again is answered if it comes from the principal that has made it, which it proves first. */
class PrincipalsTest extends RepeatedCallsChecks {

  /** The same call, all of it in a Read chunk. */
  private static final String LONG = "11111111 00000001 00000020 00000001"
      + "00000001 00000000 00000777 00000028 00000000 00000000 00000000 00000000 00000000";
  private static final String REJECTED_CREDENTIAL = "00000001 00000001 00000001 00000002";
  private static final String TOO_WEAK = "00000001 00000001 00000001 00000005";

  private record Named(String principal) implements UnprotectedCall {

    @Override
    public Object principal(CallHeader call) {
      return principal;
    }
  }

  private final SessionCache history = MachineBed.newHistory();

  private MachineBed of(String principal) {
    return of(principal, history);
  }

  private static MachineBed of(String principal, SessionCache history) {
    MachineBed bed = MachineBed.remembering(history);
    bed.authenticator = (call, message, later) -> new Named(principal);
    bed.readable.put(0x777, Hex.bytes("11111111" + CALL));
    return bed;
  }

  private static void serve(MachineBed bed) {
    bed.incoming.remove(0).reply(writer -> writer.int32(42));
    bed.settle();
  }

  private static void assertSent(MachineBed bed, String end) {
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith(end);
    bed.checkAtRest();
  }

  /** Fails if {@code Entry.again} does not ask for the principal. */
  @Test
  @DisplayName("R-334: a call of another principal with the same XID gets no reply but AUTH_REJECTEDCRED, and is not"
      + " executed: while the first one is executed, when its reply is kept, and when that is gone")
  void another() {
    for (String again : List.of(INLINE, LONG, REDUCED)) {
      SessionCache small = new SessionCache(3, new Deadlines(), 4, 0);
      MachineBed alice = of("alice", small);
      MachineBed mallory = of("mallory", small);
      alice.receive(INLINE);
      mallory.receive(again);
      assertSent(mallory, REJECTED_CREDENTIAL);
      serve(alice);
      assertSent(alice, "0000002a");
      mallory.receive(again);
      assertSent(mallory, REJECTED_CREDENTIAL);
      alice.receive(INLINE);
      assertSent(alice, "0000002a");
      // The reply of a call in another slot takes its room.
      alice.receive(INLINE.replace("11111111", "22222222"));
      serve(alice);
      alice.takeSent();
      mallory.receive(again);
      assertSent(mallory, REJECTED_CREDENTIAL);
      alice.receive(INLINE);
      assertSent(alice, "00000004 00000002");
      assertThat(mallory.incoming).isEmpty();
    }
  }

  /** Fails if {@code Responder.call} asks what is remembered before a Long call is judged. */
  @Test
  @DisplayName("R-334: a Long call that comes again is judged before it is answered, and not executed again")
  void longCallAgain() {
    MachineBed alice = of("alice");
    alice.receive(LONG);
    MachineBed refused = of("alice");
    refused.authenticator = (call, message, later) -> new Verdict.Refused(AuthStatus.TOOWEAK);
    refused.receive(LONG);
    assertSent(refused, TOO_WEAK);
    MachineBed second = of("alice");
    second.receive(LONG);
    serve(alice);
    assertSent(alice, "0000002a");
    assertSent(second, "0000002a");
    refused.receive(LONG);
    assertSent(refused, TOO_WEAK);
    alice.receive(LONG);
    assertThat(alice.incoming).isEmpty();
    assertSent(alice, "0000002a");
    MachineBed mallory = of("mallory");
    mallory.receive(LONG);
    assertSent(mallory, REJECTED_CREDENTIAL);
  }

  @Test
  @DisplayName("A call whose first appearance was dropped is of whoever makes it then")
  void firstDropped() {
    MachineBed first = of("mallory");
    first.held = true;
    first.receive(REDUCED);
    MachineBed second = of("alice");
    second.receive(LONG);
    assertSent(second, REJECTED_CREDENTIAL);
    first.lose("cut");
    second.receive(LONG);
    assertThat(second.incoming).hasSize(1);
    MachineBed third = of("mallory");
    third.receive(REDUCED);
    assertSent(third, REJECTED_CREDENTIAL);
    serve(second);
    assertSent(second, "0000002a");
    late(first);
  }

  /** Bodies that are opened later, and are as they come. */
  private static final class Slow implements CallSecurity, BodyProtection {

    private final List<Runnable> opening = new ArrayList<>();

    @Override
    public Object principal(CallHeader call) {
      return "alice";
    }

    @Override
    public int verifierLength() {
      return OpaqueAuth.NONE.encodedLength();
    }

    @Override
    public OpaqueAuth verifier() {
      return OpaqueAuth.NONE;
    }

    @Override
    public Optional<BodyProtection> bodies() {
      return Optional.of(this);
    }

    @Override
    public long protectedLength(long length) {
      return length;
    }

    @Override
    public void protect(ByteBuffer body, Consumer<Optional<byte[]>> then) {
      byte[] bytes = new byte[body.remaining()];
      body.duplicate().get(bytes);
      then.accept(Optional.of(bytes));
    }

    @Override
    public void open(ByteBuffer body, Consumer<Optional<ByteBuffer>> then) {
      ByteBuffer copy = ByteBuffer.allocate(body.remaining()).put(body.duplicate()).flip();
      opening.add(() -> then.accept(Optional.of(copy)));
    }
  }

  /** Fails if {@code Responder.opened} does not ask whether the connection is fenced. */
  @Test
  @DisplayName("R-159: a call whose arguments are being decrypted when its connection is fenced is not executed")
  void fencedWhileOpened() {
    for (boolean repeatedBefore : new boolean[] {false, true}) {
      SessionCache of = MachineBed.newHistory();
      Slow slow = new Slow();
      MachineBed first = MachineBed.remembering(of);
      first.authenticator = (call, message, later) -> slow;
      first.held = true;
      first.receive(INLINE);
      MachineBed second = of("alice", of);
      if (repeatedBefore) {
        second.receive(INLINE);
      }
      first.machine.fence("The client has connected anew");
      slow.opening.remove(0).run();
      late(first);
      assertThat(first.incoming).isEmpty();
      assertThat(first.sent).isEmpty();
      first.checkAtRest();
      if (!repeatedBefore) {
        second.receive(INLINE);
      }
      second.settle();
      assertThat(second.incoming).hasSize(1);
      serve(second);
      assertSent(second, "0000002a");
    }
  }
}
