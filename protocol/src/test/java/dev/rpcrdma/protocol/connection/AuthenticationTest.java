// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where credentials and verifiers come in: before a call is pulled, and at each transmission. */
class AuthenticationTest {

  private static final String INLINE = "11111111 00000001 00000020 00000000" + NO_LISTS + "11111111" + CALL;
  /** With a Read chunk of 80 000 bytes. */
  private static final String REDUCED = RepeatedCallsChecks.REDUCED;
  /** All of it in a Read chunk. */
  private static final String LONG = "11111111 00000001 00000020 00000001"
      + "00000001 00000000 00000777 00000028 00000000 00000000 00000000 00000000 00000000";
  private static final String AUTH_ERROR =
      "11111111 00000001 00000003 00000000" + NO_LISTS.replace(" ", "")
          + "11111111 00000001 00000001 00000001 00000005";

  private final List<Authenticator.Listener> judging = new ArrayList<>();
  private final MachineBed bed = MachineBed.remembering(MachineBed.newHistory());

  private static String words(String hex) {
    return hex.replace(" ", "").replaceAll("(.{8})(?=.)", "$1 ");
  }

  private void judgeLater() {
    bed.authenticator = (call, message, later) -> {
      judging.add(later);
      return Verdict.PENDING;
    };
  }

  private void judge(Verdict verdict) {
    judging.remove(0).judged(verdict);
    bed.settle();
  }

  private void serve() {
    bed.incoming.remove(0).reply(writer -> writer.int32(7));
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000007");
    bed.checkAtRest();
  }

  @Test
  @DisplayName("A call is refused before anything is pulled for it")
  void refusedBeforeItIsPulled() {
    bed.authenticator = (call, message, later) -> new Verdict.Refused(AuthStatus.TOOWEAK);
    bed.held = true;
    bed.receive(REDUCED);
    assertThat(bed.regions).as("what messages are sent from").isEqualTo(1);
    bed.held = false;
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(words(AUTH_ERROR));
    bed.checkAtRest();
    assertThat(bed.incoming).isEmpty();
  }

  @Test
  @DisplayName("A call that is judged later is pulled, and served, when it is let in")
  void judgedLater() {
    judgeLater();
    for (String call : List.of(INLINE, REDUCED.replace("11111111", "22222222"))) {
      bed.receive(call);
      assertThat(bed.regions).isZero();
      assertThat(bed.incoming).isEmpty();
      judge(CallSecurity.NONE);
      serve();
    }
  }

  @Test
  @DisplayName("A call that is refused later is answered then, and not remembered")
  void refusedLater() {
    judgeLater();
    bed.receive(INLINE);
    assertThat(bed.takeSent()).isEmpty();
    judge(new Verdict.Refused(AuthStatus.TOOWEAK));
    assertThat(bed.takeSent()).containsExactly(words(AUTH_ERROR));
    bed.authenticator = Authenticator.PLAIN;
    bed.receive(INLINE);
    serve();
  }

  /** Fails if {@code Responder.judged} does not count it, or does not let go of it. */
  @Test
  @DisplayName("B-117: a call that an authenticator drops has no answer, is counted, and may come again")
  void dropped() {
    bed.authenticator = (call, message, later) -> Verdict.DROPPED;
    bed.receive(INLINE);
    bed.receive(REDUCED.replace("11111111", "22222222"));
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.machine.counters().discarded()).isEqualTo(2);
    bed.checkAtRest();
    bed.authenticator = Authenticator.PLAIN;
    bed.receive(INLINE);
    serve();
  }

  @Test
  @DisplayName("A call that nobody judges is answered SYSTEM_ERR, and not remembered; a verdict that comes then is"
      + " too late")
  void neverJudged() {
    judgeLater();
    bed.readable.put(0x777, Hex.bytes("11111111" + CALL));
    bed.receive(LONG);
    bed.now = MachineBed.SERVICE_TIME - 1;
    bed.deadlines.advance(bed.now);
    assertThat(bed.takeSent()).isEmpty();
    bed.deadlines.advance(++bed.now);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000005");
    bed.checkAtRest();
    judge(CallSecurity.NONE);
    assertThat(bed.incoming).isEmpty();
    bed.authenticator = Authenticator.PLAIN;
    bed.receive(LONG);
    serve();
  }

  @Test
  @DisplayName("A verdict on a call whose connection is lost changes nothing")
  void lostMeanwhile() {
    judgeLater();
    bed.receive(REDUCED);
    bed.lose("cut");
    judge(CallSecurity.NONE);
    assertThat(bed.incoming).isEmpty();
    bed.checkAtRest();
    MachineBed second = MachineBed.remembering(bed.history);
    second.receive(REDUCED);
    assertThat(second.incoming).as("what was not judged is not remembered").hasSize(1);
  }

  @Test
  @DisplayName("R-159: a call that is judged when its connection is fenced is not executed")
  void fencedMeanwhile() {
    judgeLater();
    for (String call : List.of(INLINE, REDUCED)) {
      MachineBed first = MachineBed.remembering(MachineBed.newHistory());
      first.authenticator = bed.authenticator;
      first.held = true;
      first.receive(call);
      first.machine.fence("The client has connected anew");
      judge(CallSecurity.NONE);
      first.held = false;
      first.settle();
      assertThat(first.incoming).isEmpty();
      assertThat(first.sent).isEmpty();
      first.checkAtRest();
      MachineBed second = MachineBed.remembering(first.history);
      second.receive(call);
      assertThat(second.incoming).as("nothing is remembered of the first").hasSize(1);
    }
  }

  @Test
  @DisplayName("A Long call is judged when its head is here")
  void longCall() {
    judgeLater();
    bed.readable.put(0x777, Hex.bytes("11111111" + CALL));
    bed.receive(LONG);
    assertThat(bed.incoming).isEmpty();
    judge(new Verdict.Refused(AuthStatus.TOOWEAK));
    assertThat(bed.takeSent()).containsExactly(words(AUTH_ERROR));
    bed.checkAtRest();
  }

  @Test
  @DisplayName("An authenticator sees the message that a verifier may cover")
  void message() {
    List<String> seen = new ArrayList<>();
    bed.authenticator = (call, message, later) -> {
      seen.add(Hex.written(message.duplicate().position(message.limit())));
      return CallSecurity.NONE;
    };
    bed.readable.put(0x777, Hex.bytes("11111111" + CALL));
    bed.receive(INLINE);
    serve();
    bed.receive(LONG.replaceFirst("11111111", "22222222"));
    assertThat(bed.takeSent()).as("another XID inside").containsExactly("22222222 00000001 00000003 00000004 00000002");
    bed.readable.put(0x777, Hex.bytes("22222222" + CALL));
    bed.receive(LONG.replaceFirst("11111111", "22222222"));
    serve();
    assertThat(seen).containsExactly(words("11111111" + CALL), words("22222222" + CALL));
  }

  /** Verifiers of eight bytes that count. */
  private static final class Counting implements CallSecurity {

    private int made;

    @Override
    public Object principal(CallHeader call) {
      return "somebody";
    }

    @Override
    public int verifierLength() {
      return 16;
    }

    @Override
    public OpaqueAuth verifier() {
      return new OpaqueAuth(6, new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) ++made});
    }
  }

  @Test
  @DisplayName("Each transmission of a reply has a verifier of its own, also that of a reply that is given again")
  void verifiers() {
    Counting counting = new Counting();
    bed.authenticator = (call, message, later) -> counting;
    bed.receive(INLINE);
    bed.incoming.remove(0).reply(writer -> writer.int32(7));
    bed.settle();
    bed.receive(INLINE);
    String head = "11111111 00000001 00000003 00000000" + NO_LISTS + "11111111 00000001 00000000";
    assertThat(bed.takeSent()).containsExactly(
        words(head + "00000006 00000008 00000000 00000001 00000000 00000007"),
        words(head + "00000006 00000008 00000000 00000002 00000000 00000007"));
    bed.receive(INLINE.replace("11111111", "22222222"));
    bed.incoming.remove(0).fail(AcceptStatus.SYSTEM_ERR);
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString()
        .endsWith("00000006 00000008 00000000 00000003 00000005");
    bed.authenticator = Authenticator.PLAIN;
    bed.receive(INLINE.replace("11111111", "33333333"));
    bed.incoming.remove(0).reply(writer -> writer.int32(7));
    bed.settle();
    assertThat(bed.takeSent()).as("of another flavor").singleElement().asString()
        .endsWith("00000000 00000000 00000000 00000007");
  }

  /** Fails if {@code Replies.spoilt} tries again, or {@code sendInline} lets the exception through. */
  @Test
  @DisplayName("B-116: a reply that cannot be signed is not sent, in no form, and its call ends by an error, once")
  void unsigned() {
    bed.authenticator = (call, message, later) -> new CallSecurity() {
      @Override
      public Object principal(CallHeader head) {
        return "somebody";
      }

      @Override
      public int verifierLength() {
        return 16;
      }

      @Override
      public OpaqueAuth verifier() {
        throw new IllegalStateException("Nothing can be signed");
      }
    };
    bed.encodingFailed = cause -> assertThat(cause).hasMessage("Nothing can be signed");
    String withReplyChunk = "11111111 00000001 00000020 00000000 00000000 00000000 00000001 00000001"
        + "0000abcd 00001000 00000000 00000000 11111111" + CALL;
    for (String xid : List.of("22222222", "33333333", "44444444", "55555555")) {
      String call = (xid.compareTo("44") < 0 ? INLINE : withReplyChunk).replace("11111111", xid);
      int length = xid.compareTo("33") < 0 || xid.compareTo("55") > 0 ? 2000 : 4;
      String error = RepeatedCallsChecks.ERR_CHUNK.replace("11111111", xid);
      bed.receive(call);
      bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[length]));
      bed.settle();
      assertThat(bed.takeSent()).containsExactly(error);
      bed.receive(call);
      assertThat(bed.incoming).as("it was executed").isEmpty();
      assertThat(bed.takeSent()).containsExactly(error);
    }
    bed.receive(INLINE);
    bed.incoming.remove(0).fail(AcceptStatus.SYSTEM_ERR);
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(RepeatedCallsChecks.ERR_CHUNK);
    bed.checkAtRest();
    assertThat(bed.written).isEmpty();
  }

  @Test
  @DisplayName("The verifier's length is planned for: a reply that is too long with it goes into the Reply chunk")
  void verifierInPlan() {
    bed.authenticator = (call, message, later) -> new Counting();
    String call = "%s 00000001 00000020 00000000 00000000 00000000 00000001 00000001"
        + "0000abcd 00000800 00000000 00000000 %s" + CALL;
    // 28 bytes of header and 20 of the Reply chunk, 32 of the head: as many results as fit, and a word more.
    int most = 1024 - 48 - 32;
    for (int results : new int[] {most, most + 4}) {
      bed.receive(call.formatted(Integer.toHexString(0x11110000 + results), Integer.toHexString(0x11110000 + results)));
      bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[results]));
      bed.settle();
      assertThat(bed.takeSent()).hasSize(results == most ? 1 : 2);
    }
    ByteBuffer reply = ByteBuffer.wrap(bed.written.get("abcd+0"));
    assertThat(reply.remaining()).isEqualTo(32 + most + 4);
    assertThat(reply.getInt(12)).as("flavor").isEqualTo(6);
    assertThat(reply.getInt(24)).as("count").isEqualTo(1);
    // Without chunks there is no other way than an error.
    bed.receive(INLINE);
    bed.incoming.remove(0).reply(writer -> writer.fixedOpaque(new byte[1024 - 28 - 32 + 4]));
    bed.settle();
    assertThat(bed.takeSent()).containsExactly(RepeatedCallsChecks.ERR_CHUNK);
  }

  /** Credentials that count, with a verifier of twelve bytes; replies are believed if they bring it back. */
  private static final class CountingCredential implements Credential {

    private int written;

    @Override
    public int lengthInCall() {
      return 8 + 20;
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      target.putInt(6).putInt(0).putInt(6).putInt(12).putInt(++written).putInt(target.getInt(start))
          .putInt(target.position() - start);
    }

    @Override
    public boolean verifies(OpaqueAuth verifier) {
      return verifier.flavor() == 6;
    }
  }

  private static void call(MachineBed client, Credential credential, int arguments, MachineBed.Heard outcome) {
    Said said = Said.of(new XdrWriter().fixedOpaque(new byte[arguments]), List.of(), 4).by(credential);
    client.machine.call(new TestCall(said, outcome).carried(), client.now + 5 * MachineBed.SECOND);
    client.settle();
  }

  @Test
  @DisplayName("Credential and verifier are written anew for each transmission, and planned for")
  void credentials() {
    CountingCredential credential = new CountingCredential();
    MachineBed client = new MachineBed(true);
    // 28 bytes of header, 24 of the head, 28 of credential and verifier.
    int most = 1024 - 28 - 24 - 28;
    call(client, credential, most, new MachineBed.Heard());
    assertThat(client.takeSent()).singleElement().asString().contains(
        words("00000005 00000006 00000000 00000006 0000000c 00000001 51000000 00000030"));
    client.lose("cut");
    MachineBed next = new MachineBed(true);
    call(next, credential, most, new MachineBed.Heard());
    assertThat(next.takeSent()).singleElement().asString().contains("0000000c 00000002");
    next.lose("cut");
    MachineBed last = new MachineBed(true);
    call(last, credential, most + 4, new MachineBed.Heard());
    assertThat(last.takeSent()).singleElement().asString().as("a Long call").contains(" 00000001 00000001 00000000 ");
    assertThat(last.exposed.values()).singleElement().satisfies(region ->
        assertThat(region.bytes().getInt(24 + 16)).as("count").isEqualTo(3));
  }

  @Test
  @DisplayName("A reply whose verifier does not prove the server is not believed")
  void replyOfSomebodyElse() {
    MachineBed client = new MachineBed(true);
    MachineBed.Heard believed = new MachineBed.Heard();
    MachineBed.Heard refused = new MachineBed.Heard() {
      @Override
      public void failed(Outcome.Failed failure) {
        events.add(failure.kind() + ": " + failure.message() + (failure.sent() ? ", sent" : ""));
      }
    };
    call(client, new CountingCredential(), 4, believed);
    call(client, new CountingCredential(), 4, refused);
    String header = "5100000%1$d 00000001 00000004 00000000" + NO_LISTS + "5100000%1$d 00000001 00000000";
    client.receive(header.formatted(0) + "00000006 00000000 00000000 00000009");
    client.receive(header.formatted(1) + "00000000 00000000 00000000 00000009");
    assertThat(believed.events).containsExactly("reply 00000009");
    assertThat(refused.events).singleElement().asString().startsWith("BAD_REPLY").contains("verifier")
        .endsWith("sent");
    client.checkAtRest();
  }

  @Test
  @DisplayName("RFC 5531 §9: another RPC version is told before credentials are looked at")
  void rpcVersion() {
    bed.authenticator = (call, message, later) -> {
      throw new AssertionError("Nobody asks");
    };
    bed.receive("11111111 00000001 00000020 00000000" + NO_LISTS + "11111111 00000000 00000003");
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000001 00000001 00000000 00000002 00000002");
    bed.checkAtRest();
  }
}
