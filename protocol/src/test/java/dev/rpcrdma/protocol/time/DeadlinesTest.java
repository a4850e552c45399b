// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heap beside a list that is searched. */
class DeadlinesTest {

  private final Deadlines deadlines = new Deadlines();
  private final List<Timed> expired = new ArrayList<>();

  private final class Timed extends Deadlines.Entry {

    private final long deadline;

    Timed(long deadline) {
      this.deadline = deadline;
    }

    @Override
    protected void expired(long now) {
      assertThat(deadline).isLessThanOrEqualTo(now);
      expired.add(this);
    }
  }

  private Timed added(long deadline) {
    Timed entry = new Timed(deadline);
    deadlines.add(entry, deadline);
    return entry;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void asAListThatIsSearched(int seed) {
    Random random = new Random(seed);
    List<Timed> in = new ArrayList<>();
    long now = 0;
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(20);
      if (choice < 10 - in.size() / 20) {
        in.add(added(now + random.nextInt(50)));
      } else if (choice < 18 && !in.isEmpty()) {
        Timed gone = in.remove(random.nextInt(in.size()));
        deadlines.remove(gone);
        deadlines.remove(gone);
      } else {
        now += random.nextInt(10);
        deadlines.advance(now);
        long time = now;
        List<Timed> due = new ArrayList<>(in);
        due.removeIf(entry -> entry.deadline > time);
        in.removeAll(due);
        assertThat(expired).containsExactlyInAnyOrderElementsOf(due)
            .isSortedAccordingTo((one, other) -> Long.compare(one.deadline, other.deadline));
        expired.clear();
      }
      assertThat(deadlines.next()).isEqualTo(
          in.stream().mapToLong(entry -> entry.deadline).min().orElse(Long.MAX_VALUE));
    }
  }

  @Test
  void anEntryIsInOnce() {
    Timed entry = added(5);
    assertThatThrownBy(() -> deadlines.add(entry, 6)).isInstanceOf(IllegalStateException.class);
    deadlines.remove(entry);
    deadlines.add(entry, 7);
    assertThat(deadlines.next()).isEqualTo(7);
  }

  @Test
  void whoExpiresMayPutOthersInAndTakeThemOut() {
    Timed last = added(3);
    deadlines.add(new Deadlines.Entry() {
      @Override
      protected void expired(long now) {
        deadlines.remove(last);
        added(2);
        added(9);
      }
    }, 1);
    deadlines.advance(5);
    assertThat(expired).extracting(entry -> entry.deadline).containsExactly(2L);
    assertThat(deadlines.next()).isEqualTo(9);
  }
}
