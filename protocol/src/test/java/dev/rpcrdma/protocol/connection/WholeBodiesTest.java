// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Arguments and results that are protected as a whole: nothing of them is apart. */
class WholeBodiesTest {

  private static final String INTEGRITY_CALL = "11111111 00000001 00000020 00000000";
  private static final String WHOLE = INTEGRITY_CALL + MachineBed.NO_LISTS + "11111111" + MachineBed.CALL;

  private static final TestSettings PROVIDING = MachineBed.like(false)
      .largeReplies(new LargeReplies(false, true, false, 100_000, MachineBed.SECOND));

  private MachineBed bed;

  /** Changes nothing. */
  private enum Plain implements BodyProtection {
    BODY;

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
      ByteBuffer copy = ByteBuffer.allocate(body.remaining());
      then.accept(Optional.of(copy.put(body.duplicate()).flip()));
    }
  }

  /** Opens bodies when a test says so, as threads of their own do with long ones. */
  private static final class Deferred implements BodyProtection {

    private final List<Runnable> sound = new ArrayList<>();
    private final List<Runnable> changed = new ArrayList<>();

    @Override
    public long protectedLength(long length) {
      return length;
    }

    @Override
    public void protect(ByteBuffer body, Consumer<Optional<byte[]>> then) {
      Plain.BODY.protect(body, then);
    }

    @Override
    public void open(ByteBuffer body, Consumer<Optional<ByteBuffer>> then) {
      sound.add(() -> Plain.BODY.open(body, then));
      changed.add(() -> then.accept(Optional.empty()));
    }
  }

  /** Protects bodies when a test says so. */
  private static final class Hiding implements BodyProtection {

    private final List<Runnable> protecting = new ArrayList<>();

    @Override
    public long protectedLength(long length) {
      return length;
    }

    @Override
    public void protect(ByteBuffer body, Consumer<Optional<byte[]>> then) {
      protecting.add(() -> Plain.BODY.protect(body, then));
    }

    @Override
    public void open(ByteBuffer body, Consumer<Optional<ByteBuffer>> then) {
      Plain.BODY.open(body, then);
    }
  }

  private record Judged(BodyProtection body) implements CallSecurity {

    @Override
    public Object principal(CallHeader call) {
      return "somebody";
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
      return Optional.of(body);
    }
  }

  private static final class Protecting implements CallProtection {

    @Override
    public Optional<BodyProtection> bodies() {
      return Optional.of(Plain.BODY);
    }

    @Override
    public int verifierLength() {
      return OpaqueAuth.NONE.encodedLength();
    }

    @Override
    public boolean outdated(AuthStatus status) {
      return false;
    }

    @Override
    public void ended() {}

    @Override
    public int lengthInCall() {
      return OpaqueAuth.NONE.lengthInCall();
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      OpaqueAuth.NONE.writeInCall(target, start);
    }

    @Override
    public boolean verifies(OpaqueAuth verifier) {
      return true;
    }
  }

  @AfterEach
  void nothingIsLeft() {
    bed.lose("the end");
    bed.endServices();
    bed.checkAtRest();
  }

  /** Fails if {@code Responder.dispatch} lets reduced arguments in. */
  @Test
  @DisplayName("R-332: of a call whose arguments are protected as a whole none may be in a Read chunk")
  void argumentsApart() {
    bed = new MachineBed(false);
    bed.authenticator = (header, message, later) -> new Judged(Plain.BODY);
    String apart = "00000001 00000028 0000aa01 00000010 00000000 00000000 00000000 00000000 00000000";
    bed.receive(INTEGRITY_CALL + apart + "11111111" + MachineBed.CALL);
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000000 00000000 00000000 00000004");
    bed.receive("11111112 00000001 00000020 00000000" + MachineBed.NO_LISTS + "11111112" + MachineBed.CALL);
    assertThat(bed.incoming).as("one that is whole").hasSize(1);
  }

  /** Fails if {@code Responder.opened} does not look whether the connection still counts. */
  @Test
  @DisplayName("R-159: a call whose arguments are opened when its connection is fenced is not executed")
  void openedOnFencedConnection() {
    Deferred body = new Deferred();
    bed = MachineBed.remembering(MachineBed.newHistory());
    bed.authenticator = (header, message, later) -> new Judged(body);
    bed.receive(WHOLE);
    bed.machine.fence("The client has connected anew");
    body.sound.get(0).run();
    assertThat(bed.incoming).isEmpty();
    MachineBed second = MachineBed.remembering(bed.history);
    second.authenticator = bed.authenticator;
    second.receive(WHOLE);
    body.sound.get(1).run();
    assertThat(second.incoming).as("nothing is remembered of the first").hasSize(1);
    second.lose("the end");
    second.endServices();
  }

  /** Fails if {@code Replies.fence} keeps nothing, or is not called for one of the two. */
  @Test
  @DisplayName("R-159: a large reply that is being protected when its connection is fenced or lost is given again")
  void protectedMeanwhile() {
    for (boolean lost : new boolean[] {false, true}) {
      SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
      Hiding body = new Hiding();
      bed = new MachineBed(PROVIDING, history, true);
      bed.authenticator = (header, message, later) -> new Judged(body);
      bed.receive(WHOLE);
      bed.incoming.get(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
      assertThat(history.largeBytes()).as("while its connection is there").isZero();
      if (lost) {
        bed.lose("cut");
      } else {
        bed.machine.fence("The client has connected anew");
      }
      assertThat(history.largeBytes()).isEqualTo(2000);
      MachineBed second = new MachineBed(PROVIDING, history, true);
      second.authenticator = (header, message, later) -> new Judged(Plain.BODY);
      second.receive(WHOLE);
      second.settle();
      assertThat(second.takeSent()).as("RDMA_NOMSG, to be pulled").singleElement().asString()
          .startsWith("11111111 00000001 00000003 00000001 00000001");
      second.receive("11111111 00000001 00000004 00000003");
      body.protecting.get(0).run();
      bed.settle();
      assertThat(history.largeBytes()).as("its requester has it").isZero();
      second.lose("the end");
      second.endServices();
      second.checkAtRest();
      nothingIsLeft();
    }
  }

  /** Fails if {@code Replies.fence} goes through the replies that are being protected while another one is added. */
  @Test
  @DisplayName("A service may answer a call when its memory is free, also if that is as a connection is fenced")
  void answeredWhileFenced() {
    SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
    MachineBed first = new MachineBed(PROVIDING, history, true);
    first.receive(WHOLE.replace("11111111", "22222222"));
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(new byte[3000]);
    assertThat(item.tryRetain()).as("for the application, beside the reply").isTrue();
    first.incoming.get(0).reply(writer -> writer.dataItem(item));
    first.settle();
    first.lose("cut");
    first.settle();
    assertThat(history.largeBytes()).isEqualTo(3004);
    bed = new MachineBed(PROVIDING, history, true);
    Hiding body = new Hiding();
    bed.authenticator = (header, message, later) -> new Judged(body);
    bed.receive(WHOLE);
    bed.receive(WHOLE.replace("11111111", "33333333"));
    item.whenAlone = () -> bed.incoming.get(1).reply(writer -> writer.int32(7));
    bed.incoming.get(0).reply(writer -> writer.fixedOpaque(new byte[3000]));
    bed.machine.fence("The client has connected anew");
    assertThat(item.owners).as("its room is that of the other one").isEqualTo(1);
    assertThat(history.largeBytes()).isEqualTo(3000);
    assertThat(body.protecting).hasSize(2);
    body.protecting.forEach(Runnable::run);
    bed.settle();
  }

  /** Fails if {@code Replies.hide} leaves a reply among those that are being protected. */
  @Test
  @DisplayName("A large reply that was protected, and sent, is not kept when its connection is lost")
  void protectedAndSent() {
    SessionCache history = new SessionCache(3, new Deadlines(), 100, 5000);
    bed = new MachineBed(MachineBed.like(false), history, true);
    bed.authenticator = (header, message, later) -> new Judged(Plain.BODY);
    String replyChunk = "00000000 00000000 00000001 00000001 0000abcd 00001000 00000000 00000000";
    bed.receive(INTEGRITY_CALL + replyChunk + "11111111" + MachineBed.CALL);
    bed.incoming.get(0).reply(writer -> writer.fixedOpaque(new byte[2000]));
    bed.settle();
    assertThat(bed.takeSent()).hasSize(2).first().asString().startsWith("write 2024 to abcd");
    bed.lose("cut");
    assertThat(history.largeBytes()).isZero();
  }

  /** Fails if {@code Replies.garbled} has the call's record hear of a refusal. */
  @Test
  @DisplayName("R-334: a changed call is not answered in place of the one that was made, and has come behind it")
  void changedOnItsWay() {
    Deferred body = new Deferred();
    bed = MachineBed.remembering(MachineBed.newHistory());
    bed.authenticator = (header, message, later) -> new Judged(body);
    bed.receive(WHOLE);
    bed.receive(WHOLE);
    assertThat(body.changed).as("the second one waits for the first").hasSize(1);
    body.changed.get(0).run();
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().as("GARBAGE_ARGS").endsWith("00000004");
    body.sound.get(1).run();
    assertThat(bed.incoming).hasSize(1);
    bed.incoming.get(0).reply(writer -> writer.int32(7));
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000007");
  }

  /** Fails if {@code OutboundCall.roomForResults} offers Write chunks, or {@code body} leaves items out. */
  @Test
  @DisplayName("R-332: a call whose results are protected as a whole offers no Write chunk, and is short or Long")
  void resultsApart() {
    bed = new MachineBed(true);
    MachineBed.Heard outcome = new MachineBed.Heard();
    XdrWriter arguments = new XdrWriter().dataItem(DataItem.of(new byte[2000]));
    bed.machine.call(new TestCall(Said.of(arguments, List.of(new Said.Room(2000, Optional.empty())), 8), outcome)
        .protectedBy((channel, listener) -> listener.ready(new Protecting())).carried(), bed.now + MachineBed.SECOND);
    bed.settle();
    String[] words = bed.takeSent().get(0).split(" ");
    assertThat(words[3]).as("RDMA_NOMSG").isEqualTo("00000001");
    assertThat(words[4] + words[5]).as("one Read chunk, at Position zero").isEqualTo("0000000100000000");
    assertThat(words[10] + words[11] + words[12]).as("no other, no Write list, a Reply chunk")
        .isEqualTo("000000000000000000000001");
    assertThat(outcome.events).isEmpty();
  }
}
