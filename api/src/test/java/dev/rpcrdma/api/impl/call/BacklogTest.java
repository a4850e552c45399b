// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls a busy service is handed over. */
class BacklogTest {

  private static final int ENOUGH = 4096;

  private final Backlog backlog = new Backlog();

  /** Fails if the bound is not asked for. */
  @Test
  @DisplayName("No more wait than may, however much time they have")
  void bound() {
    backlog.add(0);
    assertThat(backlog.takes(2, Long.MAX_VALUE)).isTrue();
    backlog.add(0);
    assertThat(backlog.takes(2, Long.MAX_VALUE)).isFalse();
    backlog.begin(0, 0, 0);
    assertThat(backlog.takes(2, Long.MAX_VALUE)).isTrue();
    assertThat(backlog.waiting()).isOne();
  }

  /** Fails if time counts where nobody is ahead. */
  @Test
  @DisplayName("A call that nobody is ahead of is handed over, however slow the service was")
  void first() {
    for (int i = 0; i < 10; i++) {
      backlog.begin(backlog.add(0), 0, 1_000_000_000);
    }
    assertThat(backlog.takes(1, 1)).isTrue();
    assertThat(backlog.takes(1, -2)).as("whose time is over; it is dropped as such").isTrue();
    backlog.add(0);
    assertThat(backlog.takes(ENOUGH, 1_000_000)).isFalse();
  }

  /** Fails if what is known is kept while the service has nothing to do. */
  @Test
  @DisplayName("A service that was slow, and has had nothing to do since, has as many waiting as any")
  void idle() {
    for (int i = 0; i < 10; i++) {
      backlog.begin(backlog.add(0), 0, 1_000_000_000);
    }
    backlog.add(1_500_000_000);
    assertThat(backlog.takes(ENOUGH, 1_000_000)).as("not for long enough").isFalse();
    backlog.begin(0, 1_500_000_000, 1_600_000_000);
    backlog.add(3_000_000_000L);
    assertThat(backlog.takes(ENOUGH, 1_000_000)).isTrue();
  }

  /** Fails if what a call has waited counts for each of those that were ahead of it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 99})
  @DisplayName("A call that has waited for long behind others does not make the service slow")
  void behindOthers(int ahead) {
    for (int i = 0; i < 100; i++) {
      backlog.add(0);
    }
    for (int i = 0; i < 90; i++) {
      backlog.begin(ahead, 0, (ahead + 1) * 1_000_000L);
    }
    assertThat(backlog.takes(ENOUGH, 25_000_000)).as("ten wait, a millisecond for each").isTrue();
    assertThat(backlog.takes(ENOUGH, 15_000_000)).isFalse();
  }

  /** Fails if what is known does not follow the service in both directions. */
  @Test
  @DisplayName("A service that was slow and is fast has as many waiting as a fast one")
  void faster() {
    for (int i = 0; i < 100; i++) {
      backlog.begin(backlog.add(0), 0, 1_000_000_000);
    }
    for (int i = 0; i < 50; i++) {
      backlog.begin(backlog.add(0), 0, 1_000);
    }
    for (int i = 0; i < 100; i++) {
      backlog.add(0);
    }
    assertThat(backlog.takes(ENOUGH, 1_000_000)).isTrue();
  }

  /**
   * A service with some threads, each of which takes a millisecond for a call, more or less, and five times the calls
   * that it can do, each with so many milliseconds. Fails if a call may wait for longer than half of its time.
   */
  @ParameterizedTest
  @CsvSource({"1,50", "4,50", "4,500", "20,20", "20,500"})
  @DisplayName("At five times what a service can do, it does nine tenths of that in time, and calls begin in time")
  void overload(int threads, int timeout) {
    Random random = new Random(threads);
    long[] freeAt = new long[threads];
    Deque<long[]> waiting = new ArrayDeque<>();
    long micros = 20L * timeout * 1000;
    long done = 0;
    long late = 0;
    for (long now = 0; now < micros; now += 10) {
      for (int i = 0; i < threads; i++) {
        while (freeAt[i] <= now && !waiting.isEmpty()) {
          long[] call = waiting.poll();
          backlog.begin((int) call[1], 1000 * call[0], 1000 * now);
          freeAt[i] = now + 500 + random.nextInt(1000);
          boolean inTime = freeAt[i] <= call[0] + 1000L * timeout;
          done += inTime && now > micros / 10 ? 1 : 0;
          late += inTime ? 0 : 1;
        }
      }
      // Five times one call in a millisecond, of each thread.
      for (int i = 0; i < threads; i++) {
        if (random.nextInt(20) == 0 && backlog.takes(1 << 20, 1_000_000L * timeout)) {
          waiting.add(new long[] {now, backlog.add(1000 * now)});
        }
      }
    }
    assertThat(done).isGreaterThan((long) (0.9 * threads * 0.9 * micros / 1000));
    assertThat(late).isLessThan(done / 10);
  }
}
