package dev.rpcrdma.protocol.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.connection.Call;
import dev.rpcrdma.protocol.connection.CallFailure.Kind;
import dev.rpcrdma.protocol.connection.CallFailure;
import dev.rpcrdma.protocol.connection.CallListener;
import dev.rpcrdma.protocol.connection.ConnectionMachine.CallHandle;
import dev.rpcrdma.protocol.connection.PlainCall;
import dev.rpcrdma.protocol.connection.XidSlots;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A channel, and a test in place of its connections. */
class ChannelMachineTest {

  private static final long FOREVER = Long.MAX_VALUE - 1;
  private static final Optional<InstanceId> SESSION = Optional.of(new InstanceId(1, 2));
  private static final Optional<InstanceId> OTHER = Optional.of(new InstanceId(1, 3));

  private static final int SLOT_BITS = 4;
  /** XIDs begin at 1600, and are told as 100 and so on; those of the next session as 116 and so on. */
  private static final int BASE = 1500;
  private static final int FIRST = 1600;

  private XidSlots xids = new XidSlots(SLOT_BITS, FIRST);
  /** Procedures that the peer has not said it serves. */
  private final Set<Integer> awaited = new HashSet<>();
  private final List<String> events = new ArrayList<>();
  private final Map<Integer, CallListener> onLine = new LinkedHashMap<>();
  private Optional<InstanceId> lastSession = Optional.empty();
  private int restarts;
  private int connects;
  private ChannelMachine channel = channel(Replay.SAFE, 3);

  private ChannelMachine channel(Replay replay, int attempts) {
    xids = new XidSlots(SLOT_BITS, FIRST);
    lastSession = Optional.empty();
    restarts = 0;
    onLine.clear();
    return new ChannelMachine(new ChannelSettings(replay, 3, attempts, 1000, 4000),
        () -> connects++, new Random(1));
  }

  private CallHandle call(String name, boolean readOnly, long deadline) {
    return channel.call(new PlainCall(1, 1, 1, OpaqueAuth.NONE, new XdrWriter().toPayloadStream(),
        List.of(), 0), new CallListener() {
          @Override
          public void replied(XdrReader results) {
            events.add(name + " replied");
          }

          @Override
          public void rejected(ReplyHeader header) {
            events.add(name + " rejected");
          }

          @Override
          public void failed(CallFailure failure) {
            events.add(name + " " + failure.kind() + (failure.sent() ? " sent" : ""));
          }
        }, readOnly, deadline);
  }

  private void up(Optional<InstanceId> session) {
    up(session, 0);
  }

  private void up(Optional<InstanceId> session, long now) {
    boolean same = session.equals(lastSession);
    channel.met(session, same);
    if (!same) {
      // As both ends do: no call of before can come again.
      xids.restart(SLOT_BITS, FIRST + (restarts++ << SLOT_BITS));
    }
    lastSession = session;
    channel.up(new TestLine(), now);
  }

  /** A connection that sends each call at once, and tells with which XID. */
  private final class TestLine implements Line {

    @Override
    public CallHandle call(Call call, CallListener listener, OptionalInt sentWith, boolean again,
        long deadline) {
      int xid = sentWith.isPresent() ? sentWith.getAsInt() : xids.take();
      events.add("give " + (xid - BASE) + (again ? " again" : ""));
      onLine.put(xid - BASE, listener);
      return now -> over(xid - BASE).failed(new CallFailure(Kind.CANCELLED, "", true));
    }

    @Override
    public boolean takes(Call call) {
      return !awaited.contains(call.procedure());
    }
  }

  private CallListener over(int xid) {
    xids.free(xid + BASE);
    return onLine.remove(xid);
  }

  private void reply(int xid) {
    over(xid).replied(new XdrReader(ByteBuffer.allocate(0)));
  }

  /** The connection tells all its calls, and then its end. */
  private void lose(boolean sent, long now) {
    Map<Integer, CallListener> all = Map.copyOf(onLine);
    new TreeMap<>(all).forEach((xid, call) -> {
      onLine.remove(xid);
      if (!call.keep(xids, xid + BASE)) {
        xids.free(xid + BASE);
      }
      call.failed(new CallFailure(Kind.CONNECTION_LOST, "cut", sent));
    });
    channel.lost(now);
  }

  private List<String> events() {
    List<String> all = List.copyOf(events);
    events.clear();
    return all;
  }

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
    channel.advance(10_000);
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
  @DisplayName("A first connection that fails fails its calls at once; one after a loss is tried again,"
      + " with pauses that grow, and not for ever")
  void backOff() {
    call("a", false, FOREVER);
    channel.failed("refused", 0);
    assertThat(events()).containsExactly("a NOT_CONNECTED");
    assertThat(channel.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    call("b", false, FOREVER);
    up(SESSION);
    reply(100);
    call("c", false, FOREVER);
    lose(true, 0);
    events();
    assertThat(connects).isEqualTo(3);
    channel.failed("refused", 0);
    assertThat(channel.nextDeadline()).isBetween(500L, 1000L);
    channel.advance(1000);
    assertThat(connects).isEqualTo(4);
    channel.failed("refused", 1000);
    assertThat(channel.nextDeadline()).isBetween(2000L, 3000L);
    channel.advance(3000);
    channel.failed("refused", 3000);
    assertThat(events()).containsExactly("c NOT_CONNECTED sent");
  }

  @Test
  @DisplayName("Channels that were lost together do not come back together")
  void jitter() {
    Set<Long> pauses = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      channel(Replay.SAFE, 3);
      channel = new ChannelMachine(new ChannelSettings(Replay.SAFE, 3, 3, 1000, 4000),
          () -> { }, new Random(seed));
      up(SESSION);
      call("a", false, FOREVER);
      lose(true, 0);
      pauses.add(channel.nextDeadline());
    }
    assertThat(pauses).hasSizeGreaterThan(10).allMatch(pause -> pause >= 500 && pause <= 1000);
  }

  @Test
  @DisplayName("A server that takes connections and answers nothing is not called without a pause")
  void deaf() {
    up(SESSION);
    call("a", false, FOREVER);
    lose(true, 0);
    assertThat(connects).isZero();
    assertThat(channel.nextDeadline()).isPositive().isLessThanOrEqualTo(1000);
    channel.advance(1000);
    assertThat(connects).isEqualTo(1);
  }

  @Test
  @DisplayName("R-234 C-20: what waits has a deadline, a bound, and can be given up")
  void waiting() {
    up(SESSION);
    channel.lost(0);
    call("short", false, 50);
    call("long", false, 5_000);
    CallHandle handle = call("given up", false, FOREVER);
    call("too many", false, FOREVER);
    assertThat(events()).containsExactly("too many RESOURCES");
    channel.advance(50);
    handle.cancel(60);
    assertThat(events()).containsExactly("short TIMEOUT", "given up CANCELLED");
    up(SESSION);
    assertThat(events()).as("others were never sent").containsExactly("give 100");
  }

  @Test
  @DisplayName("R-159: who gives up a call that its connection has ended already is not sent again")
  void givenUpWhileTheConnectionEnds() {
    // What is fenced before it hears of the end cannot be given up on the connection any more.
    channel.met(SESSION, false);
    lastSession = SESSION;
    channel.up((call, listener, xid, again, deadline) -> {
      onLine.put(xids.take() - BASE, listener);
      return now -> { };
    }, 0);
    CallHandle handle = call("a", true, FOREVER);
    call("b", true, FOREVER);
    handle.cancel(0);
    lose(true, 0);
    assertThat(events()).containsExactly("a CANCELLED sent");
    assertThat(channel.pendingCalls()).isEqualTo(1);
    channel.advance(1000);
    up(SESSION);
    assertThat(events()).containsExactly("give 101 again");
  }

  @Test
  @DisplayName("Who may be called back keeps a connection; others connect when they have something to say")
  void keepConnected() {
    up(SESSION);
    channel.lost(0);
    assertThat(connects).isZero();
    assertThat(channel.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    channel.keepConnected();
    assertThat(connects).isEqualTo(1);
    for (long now = 0; now < 100_000; now += 4_000) {
      channel.failed("refused", now);
      channel.advance(now + 4_000);
    }
    assertThat(connects).isGreaterThan(10);
  }

  @Test
  @DisplayName("B-099: closing ends what waits, at whatever point of a reconnect")
  void closing() {
    up(SESSION);
    call("on the line", false, FOREVER);
    channel.close();
    channel.close();
    lose(true, 0);
    assertThat(events()).containsExactly("give 100", "on the line CONNECTION_LOST sent");
    call("late", false, FOREVER);
    assertThat(events()).containsExactly("late CLOSED");
    for (int step = 0; step < 4; step++) {
      channel = channel(Replay.SAFE, 3);
      connects = 0;
      up(SESSION);
      call("a", false, FOREVER);
      lose(true, 0);
      if (step > 0) {
        channel.advance(1000);
      }
      if (step > 1) {
        channel.failed("refused", 1000);
      }
      if (step > 2) {
        channel.advance(100_000);
      }
      events();
      channel.close();
      assertThat(events()).as("step %d", step).containsExactly("a CLOSED sent");
      channel.failed("refused", 200_000);
      channel.advance(300_000);
      up(SESSION);
      assertThat(channel.pendingCalls()).isZero();
      assertThat(channel.nextDeadline()).isEqualTo(Long.MAX_VALUE);
      assertThat(events()).isEmpty();
    }
  }

  @Test
  @DisplayName("R-222: a call keeps its slot until its reply, or until it is given up without a connection")
  void slots() {
    call("a", false, FOREVER);
    CallHandle handle = call("b", false, FOREVER);
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
    awaited.add(1);
    call("a", false, 50);
    call("b", false, FOREVER);
    up(SESSION);
    channel.resume();
    assertThat(events()).isEmpty();
    channel.advance(50);
    assertThat(events()).containsExactly("a TIMEOUT");
    awaited.clear();
    channel.resume();
    assertThat(events()).containsExactly("give 100");
    assertThat(channel.pendingCalls()).isEqualTo(1);
  }

  @Test
  @DisplayName("Losses without traffic, long after each other, are no failures of connecting")
  void lossesWithoutTraffic() {
    up(SESSION);
    channel.keepConnected();
    for (int day = 1; day <= 20; day++) {
      channel.lost(day * 4_000L);
      assertThat(connects).as("at once").isEqualTo(day);
      up(SESSION, day * 4_000L);
    }
    call("a", false, FOREVER);
    lose(true, 21 * 4_000L);
    up(SESSION);
    assertThat(events()).containsExactly("give 100", "give 100 again");
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
    Line throwing = (call, listener, xid, again, deadline) -> {
      given.add("given");
      if (given.size() == 1) {
        throw new IllegalStateException("planted");
      }
      return now -> { };
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
    channel.up((request, listener, xid, again, deadline) -> {
      if (!nested[0]) {
        nested[0] = true;
        call("new", false, FOREVER);
      }
      return line.call(request, listener, xid, again, deadline);
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
    CallHandle a = call("a", false, FOREVER);
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
    CallListener onLost = onLine.remove(100);
    // As a server does when its client comes back with another memory.
    xids = new XidSlots(SLOT_BITS, FIRST + (1 << SLOT_BITS));
    channel.met(OTHER, false);
    assertThat(onLost.keep(before, 100 + BASE)).isTrue();
    onLost.failed(new CallFailure(Kind.CONNECTION_LOST, "cut", true));
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
      CallHandle[] second = new CallHandle[1];
      channel.call(new PlainCall(1, 1, 1, OpaqueAuth.NONE, new XdrWriter().toPayloadStream(), List.of(), 0),
          new CallListener() {
            @Override
            public void replied(XdrReader results) {}

            @Override
            public void rejected(ReplyHeader header) {}

            @Override
            public void failed(CallFailure failure) {
              second[0].cancel(0);
            }
          }, false, FOREVER);
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
  @DisplayName("A closed channel does not connect when its pause is over, even if it was to keep a connection")
  void closedInPause() {
    up(SESSION);
    channel.keepConnected();
    channel.lost(0);
    int before = connects;
    channel.close();
    assertThat(channel.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    channel.advance(100_000);
    assertThat(connects).isEqualTo(before);
  }

  @Test
  @DisplayName("R-233: a peer that comes back by itself ends the pause, and what waits is given to it")
  void upInPause() {
    up(SESSION);
    channel.keepConnected();
    call("a", false, FOREVER);
    lose(true, 0);
    events();
    int before = connects;
    up(SESSION);
    assertThat(events()).containsExactly("give 100 again");
    assertThat(channel.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    channel.advance(100_000);
    assertThat(connects).isEqualTo(before);
  }

  @Test
  @DisplayName("Who keeps a connection begins with short pauses again when all attempts have failed")
  void attemptsAnew() {
    up(SESSION);
    channel.keepConnected();
    channel.lost(0);
    long now = 0;
    List<Long> pauses = new ArrayList<>();
    for (int attempt = 0; attempt < 4; attempt++) {
      pauses.add(channel.nextDeadline() - now);
      now = channel.nextDeadline();
      channel.advance(now);
      channel.failed("refused", now);
    }
    assertThat(pauses.get(0)).isBetween(500L, 1000L);
    assertThat(pauses.get(1)).isBetween(1000L, 2000L);
    assertThat(pauses.get(2)).as("after three attempts").isBetween(500L, 1000L);
    assertThat(pauses.get(3)).isBetween(1000L, 2000L);
  }

  @Test
  @DisplayName("Who wants a connection gets one at once, also in a pause, and not a second one")
  void connectNow() {
    channel.connect();
    assertThat(connects).isEqualTo(1);
    channel.connect();
    assertThat(connects).as("it is on its way").isEqualTo(1);
    up(SESSION);
    channel.connect();
    assertThat(connects).isEqualTo(1);
    channel.keepConnected();
    channel.lost(0);
    assertThat(channel.nextDeadline()).isNotEqualTo(Long.MAX_VALUE);
    int before = connects;
    channel.connect();
    assertThat(connects).isEqualTo(before + 1);
    assertThat(channel.nextDeadline()).as("the pause is over").isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("A rejection is an outcome, and a sign that the server answers")
  void rejected() {
    up(SESSION);
    call("a", false, FOREVER);
    over(100).rejected(null);
    assertThat(events()).containsExactly("give 100", "a rejected");
    assertThat(channel.pendingCalls()).isZero();
    channel.keepConnected();
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
  }
}
