package dev.rpcrdma.siw.tcp;

import static org.assertj.core.api.Assertions.assertThat;

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
  /** What is saved up at first. */
  private static final long SAVED = 20 * WINDOW;

  private final PollingPolicy policy = new PollingPolicy(0, WINDOW);

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
  @ValueSource(longs = {1, 5, 25, 50})
  @DisplayName("Waits of up to half of the window are free: the loop does not sleep")
  void freeWaits(long gap) {
    assertThat(awake(policy, gap * US)).isGreaterThanOrEqualTo(10 * SECOND);
  }

  @ParameterizedTest
  @ValueSource(longs = {51, 60, 75, 99, 100, 150, 1_000, 30_000})
  @DisplayName("Longer waits take one part in twenty of the time, and what was saved up")
  void wastesLittle(long gap) {
    assertThat(awake(policy, gap * US))
        .isLessThanOrEqualTo(10 * SECOND / PollingPolicy.SHARE + SAVED + WINDOW);
  }

  @Test
  void aLongSilenceSavesNoMoreThanAtFirst() {
    awake(policy, 60 * US);
    long awake = 0;
    policy.moved(1_000 * SECOND, WINDOW);
    for (long now = 1_000 * SECOND; now < 1_001 * SECOND; now += 99 * US) {
      policy.moved(now, WINDOW);
      awake += policy.isPolling() && policy.goesOn(now) ? 99 * US : 0;
    }
    assertThat(awake).isLessThanOrEqualTo(SECOND / PollingPolicy.SHARE + SAVED + WINDOW);
  }

  /** Who sleeps takes 25 us to wake. */
  private static long arrival(PollingPolicy receiver, long sent) {
    return sent + (receiver.isPolling() && receiver.goesOn(sent + 5 * US) ? 5 : 30) * US;
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "60, 0", "0, 60", "60, 60", "1000, 60"})
  @DisplayName("Two sides that play ping-pong soon both look, however little of their budgets is left")
  void bothLook(long gapOfOne, long gapOfOther) {
    PollingPolicy other = new PollingPolicy(0, WINDOW);
    long now = 10 * SECOND;
    if (gapOfOne > 0) {
      awake(policy, gapOfOne * US);
    }
    if (gapOfOther > 0) {
      awake(other, gapOfOther * US);
    }
    long end = now + SECOND;
    while (now < end) {
      now = arrival(other, now);
      other.moved(now, WINDOW);
      now = arrival(policy, now + 2 * US);
      policy.moved(now, WINDOW);
      now += 2 * US;
    }
    long roundTrip = arrival(policy, arrival(other, now) + 2 * US) - now;
    assertThat(roundTrip).isEqualTo(12 * US);
  }
}
