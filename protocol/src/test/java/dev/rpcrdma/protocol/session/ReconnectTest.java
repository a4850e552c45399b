// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.Replay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a channel connects, how long it pauses, and when it does not any more. */
class ReconnectTest extends ChannelChecks {

  @Test
  @DisplayName("A first connection that fails fails its calls at once; one after a loss is tried again,"
      + " with pauses that grow, and not for ever")
  void backOff() {
    call("a", false, FOREVER);
    channel.failed("refused", 0);
    assertThat(events()).containsExactly("a NOT_CONNECTED");
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    call("b", false, FOREVER);
    up(SESSION);
    reply(100);
    call("c", false, FOREVER);
    lose(true, 0);
    events();
    assertThat(connects).isEqualTo(3);
    channel.failed("refused", 0);
    assertThat(deadlines.next()).isBetween(500L, 1000L);
    deadlines.advance(1000);
    assertThat(connects).isEqualTo(4);
    channel.failed("refused", 1000);
    assertThat(deadlines.next()).isBetween(2000L, 3000L);
    deadlines.advance(3000);
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
          () -> { }, deadlines, new Random(seed));
      up(SESSION);
      call("a", false, FOREVER);
      lose(true, 0);
      pauses.add(deadlines.next());
    }
    assertThat(pauses).hasSizeGreaterThan(10).allMatch(pause -> pause >= 500 && pause <= 1000);
  }

  /** Loses the connection of the call "a", and has the first attempt to connect fail. */
  private void pausing() {
    call("heard", false, FOREVER);
    up(SESSION);
    reply(100);
    call("a", false, FOREVER);
    lose(true, 0);
    events();
    channel.failed("refused", 0);
  }

  /** Fails if {@code ChannelMachine.failed} counts an attempt that somebody has asked for before its time. */
  @Test
  @DisplayName("Who asks for a connection now and then, as health checks do, takes no attempt from calls that wait")
  void askedForEarly() {
    pausing();
    for (int i = 0; i < 10; i++) {
      int before = connects;
      channel.connect();
      assertThat(connects).isEqualTo(before + 1);
      channel.failed("refused", 0);
      assertThat(events()).isEmpty();
      assertThat(deadlines.next()).as("the next attempt").isBetween(500L, 1000L);
    }
    deadlines.advance(1000);
    channel.failed("refused", 1000);
    assertThat(events()).isEmpty();
    deadlines.advance(3000);
    channel.failed("refused", 3000);
    assertThat(events()).containsExactly("a NOT_CONNECTED sent");
  }

  /** Fails if {@code ChannelMachine.connect} takes an attempt for an early one that nothing was to come before. */
  @Test
  @DisplayName("An attempt that somebody asks for when none is due counts for the calls that wait for it")
  void askedForAtRest() {
    call("heard", false, FOREVER);
    up(SESSION);
    reply(100);
    channel.lost(0);
    channel.connect();
    call("a", false, FOREVER);
    events();
    channel.failed("refused", 0);
    deadlines.advance(1000);
    channel.failed("refused", 1000);
    deadlines.advance(4000);
    channel.failed("refused", 4000);
    assertThat(events()).containsExactly("a NOT_CONNECTED");
  }

  /** Fails if {@code ChannelMachine.want} takes an attempt for the early one before. */
  @Test
  @DisplayName("An attempt before its time that has succeeded takes nothing from the count after the next loss")
  void askedForEarlyWithSuccess() {
    pausing();
    channel.connect();
    up(SESSION);
    reply(101);
    call("b", false, FOREVER);
    lose(true, 1000);
    events();
    channel.failed("refused", 1000);
    deadlines.advance(2000);
    channel.failed("refused", 2000);
    deadlines.advance(5000);
    channel.failed("refused", 5000);
    assertThat(events()).containsExactly("b NOT_CONNECTED sent");
  }

  @Test
  @DisplayName("Calls wait for a lost peer as long as the channel has patience, and anew after each connection")
  void patience() {
    channel(Replay.SAFE, 3);
    channel = new ChannelMachine(new ChannelSettings(Replay.SAFE, 3, 0, 100_000, 100_000, 5_000), () -> connects++,
        deadlines, new Random(1));
    up(SESSION);
    channel.lost(1_000);
    call("a", false, FOREVER);
    deadlines.advance(5_999);
    assertThat(events()).isEmpty();
    deadlines.advance(6_000);
    assertThat(events()).containsExactly("a NOT_CONNECTED");
    call("b", false, FOREVER);
    assertThat(events()).as("the attempt under way may succeed").isEmpty();
    channel.failed("refused", 7_000);
    assertThat(events()).containsExactly("b NOT_CONNECTED");
    channel.connect();
    up(SESSION);
    deadlines.advance(100_000);
    channel.lost(100_000);
    call("c", false, FOREVER);
    channel.failed("refused", 100_001);
    assertThat(events()).as("it has patience again").isEmpty();
    channel.close();
    assertThat(events()).containsExactly("c CLOSED");
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("A server that takes connections and answers nothing is not called without a pause")
  void deaf() {
    up(SESSION);
    call("a", false, FOREVER);
    lose(true, 0);
    assertThat(connects).isZero();
    assertThat(deadlines.next()).isPositive().isLessThanOrEqualTo(1000);
    deadlines.advance(1000);
    assertThat(connects).isEqualTo(1);
  }

  @Test
  @DisplayName("Who may be called back keeps a connection; others connect when they have something to say")
  void keepConnected() {
    up(SESSION);
    channel.lost(0);
    assertThat(connects).isZero();
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    channel.keepConnected(true);
    assertThat(connects).isEqualTo(1);
    for (long now = 0; now < 100_000; now += 4_000) {
      channel.failed("refused", now);
      deadlines.advance(now + 4_000);
    }
    assertThat(connects).isGreaterThan(10);
    channel.keepConnected(false);
    int before = connects;
    channel.failed("refused", 100_000);
    deadlines.advance(200_000);
    assertThat(connects).isEqualTo(before);
    call("a", false, FOREVER);
    assertThat(connects).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("Who need not keep a connection any more does not connect when its pause is over")
  void noLongerKept() {
    up(SESSION);
    channel.keepConnected(true);
    channel.lost(0);
    channel.keepConnected(false);
    int before = connects;
    deadlines.advance(100_000);
    assertThat(connects).isEqualTo(before);
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
        deadlines.advance(1000);
      }
      if (step > 1) {
        channel.failed("refused", 1000);
      }
      if (step > 2) {
        deadlines.advance(100_000);
      }
      events();
      channel.close();
      assertThat(events()).as("step %d", step).containsExactly("a CLOSED sent");
      channel.failed("refused", 200_000);
      deadlines.advance(300_000);
      up(SESSION);
      assertThat(channel.pendingCalls()).isZero();
      assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
      assertThat(events()).isEmpty();
    }
  }

  @Test
  @DisplayName("Losses without traffic, long after each other, are no failures of connecting")
  void lossesWithoutTraffic() {
    up(SESSION);
    channel.keepConnected(true);
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
  @DisplayName("A connection that was up for less than the longest pause, and answered nothing, has failed,"
      + " whatever time it is")
  void shortLife() {
    up(SESSION, 1_000_000);
    channel.keepConnected(true);
    channel.lost(1_003_999);
    assertThat(connects).isZero();
    assertThat(deadlines.next()).isBetween(1_004_499L, 1_004_999L);
  }

  @Test
  @DisplayName("A closed channel does not connect when its pause is over, even if it was to keep a connection")
  void closedInPause() {
    up(SESSION);
    channel.keepConnected(true);
    channel.lost(0);
    int before = connects;
    channel.close();
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    deadlines.advance(100_000);
    assertThat(connects).isEqualTo(before);
  }

  @Test
  @DisplayName("R-233: a peer that comes back by itself ends the pause, and what waits is given to it")
  void upInPause() {
    up(SESSION);
    channel.keepConnected(true);
    call("a", false, FOREVER);
    lose(true, 0);
    events();
    int before = connects;
    up(SESSION);
    assertThat(events()).containsExactly("give 100 again");
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    deadlines.advance(100_000);
    assertThat(connects).isEqualTo(before);
  }

  @Test
  @DisplayName("Who keeps a connection begins with short pauses again when all attempts have failed")
  void attemptsAnew() {
    up(SESSION);
    channel.keepConnected(true);
    channel.lost(0);
    long now = 0;
    List<Long> pauses = new ArrayList<>();
    for (int attempt = 0; attempt < 4; attempt++) {
      pauses.add(deadlines.next() - now);
      now = deadlines.next();
      deadlines.advance(now);
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
    channel.keepConnected(true);
    channel.lost(0);
    assertThat(deadlines.next()).isNotEqualTo(Long.MAX_VALUE);
    int before = connects;
    channel.connect();
    assertThat(connects).isEqualTo(before + 1);
    assertThat(deadlines.next()).as("the pause is over").isEqualTo(Long.MAX_VALUE);
  }
}
