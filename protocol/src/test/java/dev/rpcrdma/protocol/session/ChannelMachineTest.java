// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.connection.FailedListener;
import dev.rpcrdma.protocol.requester.LineCall;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.requester.XidSlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of the calls of a channel. */
class ChannelMachineTest extends ChannelChecks {

  @Test
  @DisplayName("R-159 R-222: calls go again in their order, with their XIDs, and before new ones")
  void order() {
    call("a", false, FOREVER);
    call("b", false, FOREVER);
    assertThat(connects).isEqualTo(1);
    up(SESSION);
    call("c", false, FOREVER);
    assertThat(events()).containsExactly("give 100", "give 101", "give 102");
    reply(101);
    lose(true, 0);
    assertThat(connects).isEqualTo(2);
    call("d", false, FOREVER);
    up(SESSION);
    assertThat(events()).containsExactly("b replied", "give 100 again", "give 102 again",
        "give 103");
    assertThat(channel.replays()).isEqualTo(2);
    assertThat(channel.pendingCalls()).isEqualTo(3);
  }

  @Test
  @DisplayName("Another session fails what may have been executed, and nothing else")
  void forgotten() {
    up(SESSION);
    call("a", false, FOREVER);
    call("looks", true, FOREVER);
    reply(100);
    call("b", false, FOREVER);
    lose(true, 0);
    call("new", false, FOREVER);
    events();
    up(OTHER);
    assertThat(events()).containsExactly("b FORGOTTEN sent", "give 116 again", "give 117");
  }

  @Test
  @DisplayName("To a server without a session, what may have been executed is not sent again")
  void noSession() {
    up(Optional.empty());
    call("a", false, FOREVER);
    call("looks", true, FOREVER);
    lose(true, 0);
    assertThat(events()).contains("a CONNECTION_LOST sent").doesNotContain("looks");
    assertThat(channel.pendingCalls()).isEqualTo(1);
  }

  @Test
  @DisplayName("ALWAYS sends everything again, NEVER only what was not sent")
  void policies() {
    channel = channel(Replay.ALWAYS, 3);
    up(Optional.empty());
    call("a", false, FOREVER);
    lose(true, 0);
    deadlines.advance(10_000);
    up(Optional.empty());
    assertThat(events()).containsExactly("give 100", "give 100 again");
    onLine.clear();
    channel = channel(Replay.NEVER, 3);
    up(SESSION);
    call("looks", true, FOREVER);
    lose(true, 0);
    assertThat(events()).containsExactly("give 100", "looks CONNECTION_LOST sent");
    up(SESSION);
    call("b", false, FOREVER);
    lose(false, 0);
    up(SESSION);
    assertThat(events()).containsExactly("give 101", "give 101 again");
  }

  @Test
  @DisplayName("R-234 C-20: what waits has a deadline, a bound, and can be given up")
  void waiting() {
    up(SESSION);
    channel.lost(0);
    call("short", false, 50);
    call("long", false, 5_000);
    ChannelCall handle = call("given up", false, FOREVER);
    call("too many", false, FOREVER);
    assertThat(events()).containsExactly("too many RESOURCES");
    deadlines.advance(50);
    handle.cancel(60);
    assertThat(events()).containsExactly("short TIMEOUT", "given up CANCELLED");
    up(SESSION);
    assertThat(events()).as("others were never sent").containsExactly("give 100");
  }

  /** Fails if {@code ChannelMachine.call} does not look whether the peer leaves. */
  @Test
  @DisplayName("A peer that leaves answers what it has; calls that have somewhere else to go do not wait for it")
  void leaves() {
    elsewhere = true;
    up(SESSION);
    call("a", false, FOREVER);
    channel.leaves();
    call("b", false, FOREVER);
    assertThat(events()).containsExactly("give 100", "b NOT_CONNECTED");
    reply(100);
    lose(false, 0);
    assertThat(events()).containsExactly("a replied");
    assertThat(connects).as("nobody waits").isZero();
    call("c", false, FOREVER);
    assertThat(connects).isEqualTo(1);
    channel.failed("refused", 0);
    assertThat(events()).as("no second attempt").containsExactly("c NOT_CONNECTED");
    call("d", false, FOREVER);
    up(SESSION);
    reply(101);
    call("e", false, FOREVER);
    assertThat(events()).containsExactly("give 101", "d replied", "give 102");
    lose(true, 0);
    channel.failed("refused", 0);
    assertThat(events()).as("it was there again, and knows what it has executed").isEmpty();
  }

  /** Fails if {@code ChannelMachine.failed} fails all, or none. */
  @Test
  @DisplayName("When a peer cannot be reached, calls wait for it that only it must get, if there are others")
  void elsewhere() {
    up(SESSION);
    call("a", false, FOREVER);
    call("looks", true, FOREVER);
    reply(100);
    call("b", false, FOREVER);
    lose(true, 0);
    call("new", false, FOREVER);
    elsewhere = true;
    channel.failed("refused", 0);
    assertThat(events()).containsExactly("give 100", "give 101", "a replied", "give 102",
        "looks NOT_CONNECTED sent", "new NOT_CONNECTED");
    deadlines.advance(10_000);
    up(SESSION);
    assertThat(events()).containsExactly("give 102 again");
  }

  /** Fails if {@code ChannelCall.mayGoElsewhere} looks at its peer alone. */
  @Test
  @DisplayName("A call that is bound to its peer waits for it when it was sent, and goes elsewhere when it was not")
  void boundToPeer() {
    elsewhere = true;
    up(SESSION);
    call("a", false, FOREVER);
    call("looks", Repetition.of(true, false, true), FOREVER);
    reply(100);
    lose(true, 0);
    call("new", Repetition.of(false, false, true), FOREVER);
    channel.failed("refused", 0);
    assertThat(events()).containsExactly("give 100", "give 101", "a replied", "new NOT_CONNECTED");
    deadlines.advance(10_000);
    up(SESSION);
    assertThat(events()).containsExactly("give 101 again");
  }

  @Test
  @DisplayName("What a peer that leaves has not answered fails when it is gone")
  void leavesUnanswered() {
    elsewhere = true;
    up(SESSION);
    call("a", true, FOREVER);
    channel.leaves();
    lose(true, 0);
    assertThat(events()).containsExactly("give 100", "a NOT_CONNECTED sent");
  }

  @Test
  @DisplayName("Calls that have nowhere else to go wait until a peer that leaves is back")
  void leavesAndComesBack() {
    up(SESSION);
    call("a", false, FOREVER);
    channel.leaves();
    call("b", false, FOREVER);
    reply(100);
    lose(false, 0);
    channel.failed("refused", 0);
    assertThat(events()).containsExactly("give 100", "a replied");
    deadlines.advance(10_000);
    up(SESSION);
    assertThat(events()).containsExactly("give 101");
  }

  @Test
  @DisplayName("R-159: who gives up a call that its connection has ended already is not sent again")
  void givenUpWhileTheConnectionEnds() {
    // What is fenced before it hears of the end cannot be given up on the connection any more.
    channel.met(SESSION, false);
    lastSession = SESSION;
    channel.up((call, deadline) -> {
      LineCall given = new LineCall(call);
      sent.add(given);
      onLine.put(given.send(xids) - BASE, given);
    }, 0);
    ChannelCall handle = call("a", true, FOREVER);
    call("b", true, FOREVER);
    handle.cancel(0);
    lose(true, 0);
    assertThat(events()).containsExactly("a CANCELLED sent");
    assertThat(channel.pendingCalls()).isEqualTo(1);
    deadlines.advance(1000);
    up(SESSION);
    assertThat(events()).containsExactly("give 101 again");
  }

  @Test
  @DisplayName("R-222: a call keeps its slot until its reply, or until it is given up without a connection")
  void slots() {
    call("a", false, FOREVER);
    ChannelCall handle = call("b", false, FOREVER);
    assertThat(xids.inUse()).as("nothing is sent yet").isZero();
    up(SESSION);
    assertThat(xids.inUse()).isEqualTo(2);
    lose(true, 0);
    assertThat(xids.inUse()).as("they come again").isEqualTo(2);
    handle.cancel(0);
    assertThat(xids.inUse()).isEqualTo(1);
    events();
    up(SESSION);
    assertThat(events()).containsExactly("give 100 again");
    reply(100);
    assertThat(xids.inUse()).isZero();
  }

  @Test
  @DisplayName("R-223: a call waits until the peer has said that it takes it; others go before it")
  void announcements() {
    awaited.add(5);
    call("a", false, 50);
    call("b", false, FOREVER);
    up(SESSION);
    channel.resume();
    assertThat(events()).isEmpty();
    deadlines.advance(50);
    assertThat(events()).containsExactly("a TIMEOUT");
    awaited.clear();
    channel.resume();
    assertThat(events()).containsExactly("give 100");
    assertThat(channel.pendingCalls()).isEqualTo(1);
  }

  @Test
  @DisplayName("A peer that shows itself anew has left the line before: new calls wait, and those that it got"
      + " belong to the session that it had then")
  void metAnew() {
    up(SESSION);
    call("a", false, FOREVER);
    call("looks", true, FOREVER);
    channel.met(OTHER, false);
    call("b", false, FOREVER);
    assertThat(events()).containsExactly("give 100", "give 101");
    // Only now its end is seen here.
    lose(true, 0);
    assertThat(events()).containsExactly("a CONNECTION_LOST sent");
    up(OTHER);
    assertThat(events()).containsExactly("give 116 again", "give 117");
  }

  @Test
  @DisplayName("A line that throws costs the call that it was given, and no other call waits for ever")
  void lineThrows() {
    call("a", false, FOREVER);
    call("b", false, FOREVER);
    channel.met(SESSION, false);
    List<String> given = new ArrayList<>();
    Line throwing = (call, deadline) -> {
      given.add("given");
      if (given.size() == 1) {
        throw new IllegalStateException("planted");
      }
    };
    assertThatThrownBy(() -> channel.up(throwing, 0)).hasMessage("planted");
    call("c", false, FOREVER);
    assertThat(given).as("the next one goes out").hasSizeGreaterThan(1);
  }

  @Test
  @DisplayName("R-159: a call that is made while others are sent again comes behind all of them")
  void newCallsBehind() {
    up(SESSION);
    call("a", false, FOREVER);
    call("b", false, FOREVER);
    lose(true, 0);
    events();
    channel.met(SESSION, true);
    TestLine line = new TestLine();
    boolean[] nested = new boolean[1];
    channel.up((request, deadline) -> {
      if (!nested[0]) {
        nested[0] = true;
        call("new", false, FOREVER);
      }
      line.call(request, deadline);
    }, 0);
    assertThat(events()).containsExactly("give 100 again", "give 101 again", "give 102");
  }

  @Test
  @DisplayName("R-159: calls that come again are not refused, however many wait")
  void repetitionsAreNotCounted() {
    up(SESSION);
    for (int i = 0; i < 10; i++) {
      call("call " + i, false, FOREVER);
    }
    events();
    lose(true, 0);
    assertThat(events()).as("only three may wait for a first time").isEmpty();
    up(SESSION);
    assertThat(events()).hasSize(10).allMatch(event -> event.endsWith("again"));
  }

  @Test
  @DisplayName("Giving up a call that is on a line is the line's matter, and its outcome comes from there")
  void givenUpOnTheLine() {
    up(SESSION);
    ChannelCall a = call("a", false, FOREVER);
    a.cancel(0);
    assertThat(events()).containsExactly("give 100", "a CANCELLED sent");
    a.cancel(0);
    assertThat(events()).isEmpty();
    assertThat(channel.pendingCalls()).isZero();
  }

  @Test
  @DisplayName("R-159: a call whose peer has begun a new session before its line was lost gets a new XID")
  void newSessionBeforeTheLoss() {
    up(SESSION);
    call("a", true, FOREVER);
    XidSlots before = xids;
    LineCall onLost = onLine.remove(100);
    // As a server does when its client comes back with another memory.
    xids = new XidSlots(SLOT_BITS, FIRST + (1 << SLOT_BITS));
    channel.met(OTHER, false);
    onLost.lose(true);
    channel.lost(0);
    channel.up(new TestLine(), 0);
    assertThat(events()).containsExactly("give 100", "give 116 again");
    assertThat(before.inUse()).isZero();
  }

  @Test
  @DisplayName("A call that is ended by another one's listener has one outcome, whatever ends all of them")
  void endedByAnother() {
    for (boolean closes : new boolean[] {true, false}) {
      channel = channel(Replay.SAFE, 3);
      ChannelCall[] second = new ChannelCall[1];
      channel.call(new TestCall(Said.nothing(0), (FailedListener) failure -> second[0].cancel(0)),
          Repetition.IN_SESSION, FOREVER);
      second[0] = call("b", false, FOREVER);
      if (closes) {
        channel.close();
      } else {
        channel.failed("refused", 0);
      }
      assertThat(events()).containsExactly("b CANCELLED");
      assertThat(channel.pendingCalls()).isZero();
    }
  }

  @Test
  @DisplayName("A rejection is an outcome, and a sign that the server answers")
  void rejected() {
    up(SESSION);
    call("a", false, FOREVER);
    over(100).reject();
    assertThat(events()).containsExactly("give 100", "a rejected");
    assertThat(channel.pendingCalls()).isZero();
    channel.keepConnected(true);
    channel.lost(1);
    assertThat(connects).as("at once, since it was heard").isEqualTo(1);
  }

  @Test
  @DisplayName("Limits of channels have ranges")
  void ranges() {
    new ChannelSettings(Replay.SAFE, 1, 0, 1, 1);
    for (long[] wrong : new long[][] {{0, 0, 1, 1}, {1, -1, 1, 1}, {1, 0, 0, 1}, {1, 0, 2, 1}}) {
      assertThatThrownBy(() ->
          new ChannelSettings(Replay.SAFE, (int) wrong[0], (int) wrong[1], wrong[2], wrong[3]))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new ChannelSettings(Replay.SAFE, 1, 0, 1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("A call that finds its connection closed waits for the next one, which takes it as any other")
  void lineIsClosed() {
    up(SESSION);
    call("a", false, FOREVER);
    over(100).fail(Kind.CLOSED);
    channel.lost(0);
    up(SESSION);
    assertThat(events()).containsExactly("give 100", "give 101 again");
    assertThat(channel.pendingCalls()).isEqualTo(1);
  }
}
