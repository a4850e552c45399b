// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a loop looks, and when it does not; times in nanoseconds. */
class PollingPolicyTest {

  private static final long US = 1_000;
  private static final long SECOND = 1_000_000 * US;
  private static final long WINDOW = 100 * US;

  private final PollingPolicy policy = new PollingPolicy();
  private final Random random = new Random(1);

  @Test
  void looksUntilTheWindowIsOver() {
    assertThat(policy.moved(10 * US, WINDOW)).isTrue();
    assertThat(policy.goesOn(10 * US + WINDOW - 1)).isTrue();
    assertThat(policy.goesOn(10 * US + WINDOW)).isFalse();
    assertThat(policy.isPolling()).isFalse();
  }

  @Test
  void whateverMovesBeginsAnotherWindow() {
    policy.moved(0, WINDOW);
    assertThat(policy.moved(90 * US, WINDOW)).as("it has begun before").isFalse();
    assertThat(policy.goesOn(189 * US)).isTrue();
    assertThat(policy.goesOn(190 * US)).isFalse();
  }

  @Test
  void aShorterWindowOfAnotherConnectionDoesNotCutALongerOneShort() {
    policy.moved(0, WINDOW);
    policy.moved(10 * US, WINDOW / 5);
    assertThat(policy.goesOn(99 * US)).isTrue();
  }

  @Test
  void whatIsFoundEndsIt() {
    policy.moved(0, WINDOW);
    policy.found();
    assertThat(policy.isPolling()).isFalse();
    assertThat(policy.goesOn(US)).isFalse();
    assertThat(policy.moved(2 * US, WINDOW)).as("it begins again").isTrue();
    assertThat(policy.goesOn(3 * US)).isTrue();
  }

  @Test
  @DisplayName("However often something is found, looking for it was not in vain")
  void foundIsFree() {
    for (long now = 0; now < SECOND; now += 1_000 * US) {
      assertThat(policy.moved(now, WINDOW)).isTrue();
      assertThat(policy.goesOn(now + WINDOW / 2)).isTrue();
      policy.found();
      assertThat(policy.goesOn(now + WINDOW)).isFalse();
    }
  }

  /** Spends a look in vain that begins with this. */
  private void lookInVain(long now) {
    policy.moved(now, WINDOW);
    assertThat(policy.goesOn(now + WINDOW)).isFalse();
  }

  /** Fails if {@code PollingPolicy.moved} compares with {@code <=}. */
  @Test
  @DisplayName("Who has spent all rests until half of the savings are there, and not longer")
  void rests() {
    lookInVain(0);
    int messages = PollingPolicy.SAVED * PollingPolicy.SHARE / 2 + PollingPolicy.SHARE - 1;
    for (int i = 1; i < messages; i++) {
      assertThat(policy.moved(SECOND + i, WINDOW)).as("message %d", i).isFalse();
    }
    assertThat(policy.moved(2 * SECOND, WINDOW)).isTrue();
    assertThat(policy.begun()).isEqualTo(2);
  }

  /** Fails if {@code PollingPolicy.goesOn} compares with {@code <}. */
  @Test
  @DisplayName("Who has nothing left rests; who has something left does not")
  void left() {
    for (int i = 1; i < PollingPolicy.SHARE; i++) {
      policy.moved(0, WINDOW);
    }
    lookInVain(0);
    assertThat(policy.moved(SECOND, WINDOW)).as("nothing is left").isFalse();
    PollingPolicy richer = new PollingPolicy();
    for (int i = 0; i <= PollingPolicy.SHARE; i++) {
      richer.moved(0, WINDOW);
    }
    assertThat(richer.goesOn(WINDOW)).isFalse();
    assertThat(richer.moved(SECOND, WINDOW)).as("something is left").isTrue();
  }

  /** Something moves that long after the other, for ten seconds; tells how long the loop was kept awake. */
  private static long awake(PollingPolicy policy, long gap) {
    long awake = 0;
    for (long now = 0; now < 10 * SECOND; now += gap) {
      policy.moved(now, WINDOW);
      for (long at = now; policy.isPolling() && at < now + gap; at += US) {
        awake += policy.goesOn(at) ? US : 0;
      }
    }
    return awake;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 5, 25, 99})
  @DisplayName("Where messages follow each other within the window the loop does not sleep")
  void freeWaits(long gap) {
    assertThat(awake(policy, gap * US)).isGreaterThanOrEqualTo(10 * SECOND);
  }

  @ParameterizedTest
  @ValueSource(longs = {101, 120, 150, 1_000, 30_000})
  @DisplayName("Where they do not, one in 64 is looked after")
  void wastesLittle(long gap) {
    long messages = 10 * SECOND / (gap * US);
    assertThat(awake(policy, gap * US)).isLessThanOrEqualTo(messages * WINDOW / PollingPolicy.SHARE
            + PollingPolicy.SAVED * WINDOW);
  }

  @Test
  @DisplayName("What was saved up is spent in a row when messages come no more that soon, and no more than that")
  void spendsSavingsInARow() {
    long end = 0;
    for (int i = 0; i < 100_000; i++) {
      end += 5 * US;
      policy.moved(end, WINDOW);
    }
    int looks = 0;
    for (long now = end + SECOND; now < end + 64 * SECOND; now += SECOND) {
      policy.goesOn(now - 1);
      looks += policy.moved(now, WINDOW) ? 1 : 0;
    }
    assertThat(looks).isBetween(PollingPolicy.SAVED - 1, PollingPolicy.SAVED + 1);
  }

  /** Who sleeps takes 25 to 60 us to wake. */
  private long arrival(PollingPolicy receiver, long sent) {
    boolean looks = receiver.isPolling() && receiver.goesOn(sent + 5 * US);
    return sent + (looks ? 5 : 30 + random.nextInt(36)) * US;
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "60, 0", "0, 60", "60, 60", "1000, 60"})
  @DisplayName("Two sides that play ping-pong soon both look, however little of their budgets is left")
  void bothLook(long gapOfOne, long gapOfOther) {
    PollingPolicy other = new PollingPolicy();
    long now = 10 * SECOND;
    if (gapOfOne > 0) {
      awake(policy, gapOfOne * US);
    }
    if (gapOfOther > 0) {
      awake(other, gapOfOther * US);
    }
    long end = now + 2 * SECOND;
    int slow = 0;
    while (now < end) {
      long begun = now;
      now = arrival(other, now);
      other.moved(now, WINDOW);
      now = arrival(policy, now + 2 * US);
      policy.moved(now, WINDOW);
      now += 2 * US;
      slow += now - begun > 14 * US ? 1 : 0;
    }
    assertThat(slow).as("round trips in which one of them slept").isLessThan(5_000);
    long roundTrip = arrival(policy, arrival(other, now) + 2 * US) - now;
    assertThat(roundTrip).isEqualTo(12 * US);
  }
}
