// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who counts replies hears when one is not held any more, however its call ends. */
class ReleasedRepliesTest {

  private static final XdrEncoder SHORT = writer -> writer.int32(1);
  private static final XdrEncoder LONG = writer -> writer.fixedOpaque(new byte[2000]);

  private MachineBed bed = new MachineBed(MachineBed.like(false)
      .largeReplies(new LargeReplies(false, true, false, 5000, 20 * MachineBed.SECOND)));
  private final List<Integer> released = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() {
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
    assertThat(released).as("once").containsExactly(0x1111);
  }

  private IncomingCall call() {
    bed.receive("00001111 00000001 00000020 00000000" + NO_LISTS + "00001111" + CALL);
    IncomingCall call = bed.incoming.get(0);
    call.whenReleased(() -> released.add(call.xid()));
    return call;
  }

  private void done() {
    bed.receive("00001111 00000001 00000004 00000003");
  }

  @Test
  @DisplayName("Fails if a reply that is sent is held for good")
  void inline() {
    IncomingCall call = call();
    assertThat(released).isEmpty();
    call.reply(SHORT);
    bed.settle();
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a reply counts no more before it was pulled, or still does afterwards")
  void pulled() {
    call().reply(LONG);
    bed.settle();
    assertThat(released).isEmpty();
    done();
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a reply that is never pulled is held when its connection is lost")
  void notPulled() {
    call().reply(LONG);
    bed.settle();
    bed.lose("on purpose");
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a reply is held whose service has failed, or whose results cannot be encoded")
  void failed() {
    call().fail(AcceptStatus.SYSTEM_ERR);
    bed.settle();
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a reply for which there is no memory is held")
  void noMemory() {
    IncomingCall call = call();
    bed.memoryFails = true;
    call.reply(LONG);
    bed.settle();
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a call whose connection is lost is waited for, though nobody will ever ask for its reply")
  void lost() {
    call();
    bed.lose("on purpose");
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a call whose time is over is waited for")
  void late() {
    call();
    bed.now = MachineBed.SECOND * 1000;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if the reply that comes too late is held, of a call that is remembered")
  void tooLate() {
    bed = MachineBed.remembering(MachineBed.newHistory());
    IncomingCall call = call();
    bed.lose("on purpose");
    assertThat(released).as("it may be asked for over another connection").isEmpty();
    call.reply(LONG);
    assertThat(released).hasSize(1);
  }

  @Test
  @DisplayName("Fails if a service that fails too late is waited for, of a call that is remembered")
  void failedTooLate() {
    bed = MachineBed.remembering(MachineBed.newHistory());
    IncomingCall call = call();
    bed.lose("on purpose");
    call.fail(AcceptStatus.SYSTEM_ERR);
    assertThat(released).hasSize(1);
  }
}
