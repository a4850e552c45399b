// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.TestSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** GIVE_UP: a caller waits no longer, and the peer hears. */
class GivingUpTest {

  private static final String GIVE_UP = "2006f004";

  private MachineBed bed;

  @AfterEach
  void nothingIsLeft() {
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
  }

  @Test
  @DisplayName("R-029: an end that takes metadata has a Receive for the GIVE_UP of each call that it grants, and for"
      + " LEAVING")
  void receives() {
    bed = new MachineBed(MachineBed.like(false));
    assertThat(ConnectionSettings.receives(2, 3, false, true)).isEqualTo(10);
    assertThat(ConnectionSettings.receives(2, 3, true, true)).isEqualTo(13);
    assertThat(TestSettings.of(false).credits(2, 3).metadata(true).build().receives()).isEqualTo(10);
  }

  @Nested
  class TheRequester {

    private int xid = MachineBed.FIRST_XID;

    private void open(boolean metadata) {
      bed = new MachineBed(MachineBed.like(true).credits(4, 1).metadata(metadata));
    }

    private void cancelled() {
      MachineBed.Outcome outcome = new MachineBed.Outcome();
      bed.handle(outcome, 4).cancel(bed.now);
      bed.settle();
      assertThat(outcome.events).containsExactly("CANCELLED");
    }

    /** The first call's reply, which grants so many. */
    private void reply(int credits) {
      String number = "%08x ".formatted(xid++);
      bed.receive(number + "00000001 %08x 00000000".formatted(credits) + NO_LISTS + number
          + "00000001 00000000 00000000 00000000 00000000 4d440000");
    }

    private List<String> giveUps() {
      return bed.takeSent().stream().filter(message -> message.contains(GIVE_UP)).toList();
    }

    @Test
    @DisplayName("A call that is cancelled when the peer has it is given up there")
    void told() {
      open(true);
      cancelled();
      assertThat(giveUps()).containsExactly("%08x 00000001 00000004 %s".formatted(xid, GIVE_UP));
      reply(4);
    }

    @Test
    @DisplayName("A peer that takes no metadata is told nothing")
    void others() {
      open(false);
      cancelled();
      assertThat(giveUps()).isEmpty();
    }

    @Test
    @DisplayName("Nothing is told of a call that has not been sent, or whose time is over")
    void notSent() {
      open(true);
      MachineBed.Outcome first = bed.call(4);
      cancelled();
      bed.now = 5 * MachineBed.SECOND;
      bed.deadlines.advance(bed.now);
      bed.settle();
      assertThat(first.events).containsExactly("TIMEOUT");
      assertThat(giveUps()).isEmpty();
    }

    @Test
    @DisplayName("R-045: no more GIVE_UP are under way than the peer has Receives for")
    void bounded() {
      open(true);
      cancelled();
      // The reply was sent before the peer has taken the GIVE_UP: nothing shows that it has.
      reply(1);
      assertThat(giveUps()).hasSize(1);
      cancelled();
      assertThat(giveUps()).as("a second one, where one was granted").isEmpty();
      // This answers a call that was sent after the GIVE_UP.
      reply(1);
      cancelled();
      assertThat(giveUps()).hasSize(1);
    }
  }

  @Nested
  class TheResponder {

    private final List<String> abandoned = new ArrayList<>();

    private void open(boolean metadata) {
      bed = new MachineBed(MachineBed.like(false).metadata(metadata));
    }

    private void call(int xid) {
      String number = "%08x ".formatted(xid);
      bed.receive(number + "00000001 00000020 00000000" + NO_LISTS + number + CALL
          + (bed.machine.settings().metadata() ? "4d440000" : ""));
      bed.incoming.get(bed.incoming.size() - 1).watchCaller(() -> abandoned.add(number.strip()));
    }

    private void giveUp(int xid) {
      bed.receive("%08x 00000001 00000020 %s".formatted(xid, GIVE_UP));
    }

    @Test
    @DisplayName("A call that is given up is answered at once, and its service hears")
    void heard() {
      open(true);
      call(0x1111);
      call(0x1112);
      giveUp(0x1112);
      assertThat(abandoned).containsExactly("00001112");
      assertThat(bed.takeSent()).singleElement().asString().startsWith("00001112").contains("00000005 4d440000");
      // What the service says now is for nobody.
      bed.incoming.get(1).reply(writer -> writer.int32(1));
      bed.settle();
      assertThat(bed.takeSent()).isEmpty();
      giveUp(0x1112);
      assertThat(abandoned).hasSize(1);
    }

    @Test
    @DisplayName("GIVE_UP for what is not there is nothing")
    void stray() {
      open(true);
      giveUp(0x1111);
      call(0x1111);
      bed.incoming.get(0).reply(writer -> writer.int32(1));
      bed.settle();
      giveUp(0x1111);
      assertThat(abandoned).isEmpty();
      assertThat(bed.disconnected).isEmpty();
      assertThat(bed.takeSent()).hasSize(1);
    }

    @Test
    @DisplayName("R-141: from a peer without metadata it is a header type that nobody knows")
    void unknown() {
      open(false);
      call(0x1111);
      giveUp(0x1111);
      assertThat(abandoned).isEmpty();
    }

    @Test
    @DisplayName("A service hears when its time is over")
    void overOtherwise() {
      open(true);
      call(0x1111);
      bed.now = MachineBed.SECOND * 1000;
      bed.deadlines.advance(bed.now);
      bed.settle();
      assertThat(abandoned).containsExactly("00001111");
    }
  }
}
