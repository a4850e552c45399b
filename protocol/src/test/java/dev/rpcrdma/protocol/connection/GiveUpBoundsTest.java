// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The most that one GIVE_UP names, and the end of a connection whose peer would never confirm. */
class GiveUpBoundsTest {

  private static final int CALLS = ControlProcedures.MAX_XIDS + 2;
  /** Index of the word of a GIVE_UP that says how many XIDs follow. */
  private static final int NUMBER = 17;

  private MachineBed bed;

  @AfterEach
  void nothingIsLeft() {
    bed.held = false;
    bed.settle();
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.checkAtRest();
  }

  private void granted(int xid) {
    bed.receive("%1$08x 00000001 %2$08x 00000000".formatted(xid, 2 * CALLS) + NO_LISTS
        + "%08x 00000001 00000000 00000000 00000000 00000000 4d440000".formatted(xid));
  }

  /** Returns how many calls the GIVE_UP names that was sent, and answers it. */
  private int named() {
    String[] words = bed.takeSent().get(0).split(" ");
    granted(Integer.parseUnsignedInt(words[0], 16));
    return Integer.parseUnsignedInt(words[NUMBER], 16);
  }

  /** Fails if {@code ControlCalls.takeGivenUp} takes more than {@code MAX_XIDS}, or leaves out the last ones. */
  @Test
  @DisplayName("One GIVE_UP names 200 calls at most; the next one names the others")
  void mostXids() {
    bed = new MachineBed(MachineBed.like(true).metadata(true).credits(2 * CALLS, MachineBed.GRANTED).queued(CALLS));
    bed.xids.restart(9, MachineBed.FIRST_XID);
    bed.call(4);
    granted(MachineBed.FIRST_XID);
    List<TestCall> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(bed.handle(new MachineBed.Heard(), 4));
    }
    assertThat(bed.takeSent()).hasSize(1 + CALLS);
    calls.forEach(call -> call.cancel(bed.now));
    bed.settle();
    assertThat(named()).as("the first call that was cancelled").isEqualTo(1);
    assertThat(named()).isEqualTo(ControlProcedures.MAX_XIDS);
    assertThat(named()).isEqualTo(1);
    assertThat(bed.takeSent()).isEmpty();
  }

  /** Fails if {@code AbandonedCall.whileSent} does not ask whether messages can still be sent. */
  @Test
  @DisplayName("R-326: nobody waits for a peer to confirm that can be told nothing any more")
  void fenced() {
    bed = new MachineBed(MachineBed.like(true).metadata(true));
    SimulatedMemory.AppItem target = new SimulatedMemory.AppItem(new byte[1500]);
    TestCall call = new TestCall(
        Said.of(new XdrWriter().int32(1), List.of(new Said.Room(1500, Optional.of(target))), 8),
        new MachineBed.Heard());
    bed.machine.call(call.carried(), bed.now + 5 * MachineBed.SECOND);
    bed.settle();
    bed.held = true;
    bed.machine.fence("there is another connection");
    call.cancel(bed.now);
    assertThat(bed.revoked).containsExactly("1001");
  }
}
