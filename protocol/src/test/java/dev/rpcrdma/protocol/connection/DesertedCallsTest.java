// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.time.Deadlines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A service is told that its caller has gone, also if the call came over a connection that is lost by now. */
class DesertedCallsTest extends GivingUpBed {

  private static final int XID = 0x11111111;
  /** In the same slot. */
  private static final int NEXT_XID = 0x11111119;
  private static final int GIVE_UP_XID = 0x3002;

  private final Deadlines deadlines = new Deadlines();
  private final SessionCache history = new SessionCache(3, deadlines, 1 << 20, 0);
  private final List<String> gone = new ArrayList<>();
  private MachineBed first;

  @BeforeEach
  void executeFirst() {
    first = connect();
    call(first, XID);
    assertThat(first.incoming).hasSize(1);
    first.incoming.get(0).watchCaller(() -> gone.add("first"));
    bed = connect();
  }

  private MachineBed connect() {
    return new MachineBed(MachineBed.like(false).metadata(true), history, true);
  }

  private static void call(MachineBed over, int xid) {
    String number = "%08x ".formatted(xid);
    over.receive(number + "00000001 00000020 00000000" + NO_LISTS + number + CALL + BLOCK);
  }

  private void repeat() {
    call(bed, XID);
    assertThat(bed.incoming).as("it joins the execution").isEmpty();
  }

  /** Fails if {@code Responder.end} says nothing to {@code IncomingCall.endRepetition}. */
  @Test
  @DisplayName("A call that is given up over the connection that it was repeated over")
  void repeatedAndGivenUp() {
    first.lose("cut");
    repeat();
    assertThat(gone).isEmpty();
    bed.receive(giveUp(GIVE_UP_XID, 32, XID));
    assertThat(gone).containsExactly("first");
    assertThat(history.size()).isZero();
    assertThat(bed.takeSent()).hasSize(2);
    // The service answers all the same, and nobody hears.
    first.incoming.get(0).reply(writer -> writer.int32(42));
    bed.settle();
    assertThat(bed.takeSent()).isEmpty();
  }

  /** Fails if {@code Entry.givenUp} asks whether the first connection is lost, or if {@code orphaned} does nothing. */
  @Test
  @DisplayName("The same, and the device reports the loss of the first connection only afterwards")
  void lostAfterwards() {
    repeat();
    bed.receive(giveUp(GIVE_UP_XID, 32, XID));
    assertThat(gone).isEmpty();
    first.lose("cut");
    assertThat(gone).containsExactly("first");
  }

  /** Fails if {@code Entry.isAlone} is always true. */
  @Test
  @DisplayName("A call that another repetition waits for is executed for that one")
  void anotherWaits() {
    first.lose("cut");
    repeat();
    MachineBed third = connect();
    call(third, XID);
    bed.receive(giveUp(GIVE_UP_XID, 32, XID));
    assertThat(gone).isEmpty();
    first.incoming.get(0).reply(writer -> writer.int32(42));
    third.settle();
    assertThat(third.takeSent()).singleElement().asString().contains("0000002a");
  }

  /** Fails if {@code Entry.givenUp} forgets a call that another repetition waits for. */
  @Test
  @DisplayName("A call that was given up over one connection, and comes again over others, is executed once")
  void othersComeAgain() {
    first.lose("cut");
    repeat();
    MachineBed third = connect();
    call(third, XID);
    bed.receive(giveUp(GIVE_UP_XID, 32, XID));
    third.lose("cut");
    bed = connect();
    repeat();
    first.incoming.get(0).reply(writer -> writer.int32(42));
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().contains("0000002a");
  }

  /** Fails if {@code Entry.givenUp} forgets the call that is in the slot now. */
  @Test
  @DisplayName("A call whose slot has another call is not ended by what the caller says of the call before")
  void anotherCallOfSlot() {
    repeat();
    call(bed, NEXT_XID);
    bed.incoming.get(0).watchCaller(() -> gone.add("next"));
    bed.receive(giveUp(GIVE_UP_XID, 32, XID));
    bed.lose("cut");
    assertThat(gone).isEmpty();
    deadlines.advance(MachineBed.SERVICE_TIME);
    assertThat(gone).containsExactly("next");
  }

  /** Fails if {@code Entry.expired} tells the callers alone. */
  @Test
  @DisplayName("A call whose time is over, whether it was repeated or not")
  void timeOver() {
    first.lose("cut");
    repeat();
    deadlines.advance(MachineBed.SERVICE_TIME);
    assertThat(gone).containsExactly("first");
    bed.settle();
    assertThat(bed.takeSent()).singleElement().asString().contains("00000005");
  }

  /** Fails if {@code Entry.orphaned} does nothing for a call that is forgotten. */
  @Test
  @DisplayName("A call whose slot has another call, when its connection is lost")
  void slotTaken() {
    call(bed, NEXT_XID);
    assertThat(bed.incoming).hasSize(1);
    assertThat(gone).isEmpty();
    first.lose("cut");
    assertThat(gone).containsExactly("first");
  }
}
