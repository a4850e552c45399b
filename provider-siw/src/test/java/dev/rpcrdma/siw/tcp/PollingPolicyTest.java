package dev.rpcrdma.siw.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a loop looks, and when it does not; times in microseconds. */
class PollingPolicyTest {

  private static final long WINDOW = 100;

  private final PollingPolicy policy = new PollingPolicy();

  @Test
  void looksAfterAnArrivalUntilTheWindowIsOver() {
    assertThat(policy.arrived(10, WINDOW)).isTrue();
    assertThat(policy.goesOn(109)).isTrue();
    assertThat(policy.goesOn(110)).isFalse();
    assertThat(policy.isPolling()).isFalse();
  }

  @Test
  void looksForTheAnswerToWhatWasSent() {
    assertThat(policy.sent(10, WINDOW)).isTrue();
    assertThat(policy.goesOn(109)).isTrue();
    assertThat(policy.goesOn(110)).isFalse();
  }

  @Test
  void eachArrivalExtendsTheWindow() {
    policy.arrived(0, WINDOW);
    assertThat(policy.arrived(90, WINDOW)).as("it has begun before").isFalse();
    assertThat(policy.goesOn(189)).isTrue();
    assertThat(policy.goesOn(190)).isFalse();
  }

  @Test
  void aShorterWindowOfAnotherConnectionDoesNotCutALongerOneShort() {
    policy.arrived(0, WINDOW);
    policy.arrived(10, 20);
    assertThat(policy.goesOn(99)).isTrue();
  }

  @Test
  void whatBroughtNothingIsTriedLessAndLess() {
    List<Integer> skipped = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 9; i++) {
      int count = 0;
      while (!policy.arrived(now, WINDOW)) {
        now += 1000;
        count++;
      }
      skipped.add(count);
      now += 1000;
      policy.goesOn(now);
    }
    assertThat(skipped).containsExactly(0, 1, 3, 7, 15, 31, 63, 63, 63);
  }

  @Test
  void anArrivalInTheWindowMakesUpForAllThatBroughtNothing() {
    long now = missed(7);
    while (!policy.arrived(now, WINDOW)) {
      now += 1000;
    }
    policy.arrived(now + 50, WINDOW);
    policy.goesOn(now + 1000);
    assertThat(policy.arrived(now + 2000, WINDOW)).isTrue();
  }

  /** Looks in vain so many times; tells what time it is then. */
  private long missed(int times) {
    return missed(policy, times);
  }

  private static long missed(PollingPolicy policy, int times) {
    long now = 0;
    for (int i = 0; i < times; i++) {
      while (!policy.arrived(now, WINDOW)) {
        now += 1000;
      }
      now += 1000;
      policy.goesOn(now);
    }
    return now;
  }

  @ParameterizedTest
  @ValueSource(longs = {150, 1_000, 30_000})
  @DisplayName("Of messages that are far apart one in 64 is followed by a look, when the times are known")
  void wastesLittle(long gap) {
    long now = missed(7);
    int looks = 0;
    for (int i = 0; i < 6400; i++) {
      now += gap;
      if (policy.isPolling()) {
        policy.goesOn(now);
      }
      looks += policy.arrived(now, WINDOW) ? 1 : 0;
    }
    assertThat(looks).isBetween(99, 101);
  }

  /** Who sleeps takes 25 us to wake. */
  private static long arrival(PollingPolicy receiver, long sent) {
    return sent + (receiver.isPolling() && receiver.goesOn(sent + 5) ? 5 : 30);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 0", "0, 7", "7, 7", "3, 6"})
  @DisplayName("Two sides that play ping-pong soon both look, whatever they did before")
  void bothLook(int missesOfOne, int missesOfOther) {
    PollingPolicy other = new PollingPolicy();
    long now = Math.max(missed(missesOfOne), missed(other, missesOfOther));
    for (int i = 0; i < 2 * PollingPolicy.MOST_SKIPPED; i++) {
      now = arrival(other, now);
      other.arrived(now, WINDOW);
      now = arrival(policy, now + 2);
      policy.arrived(now, WINDOW);
      now += 2;
    }
    long roundTrip = arrival(policy, arrival(other, now) + 2) - now;
    assertThat(roundTrip).isEqualTo(12);
  }
}
