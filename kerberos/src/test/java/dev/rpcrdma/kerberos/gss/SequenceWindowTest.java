// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sequence numbers are taken, beside a set that keeps all (RFC 2203 §5.3.3.1). */
class SequenceWindowTest {

  /** What the RFC says, word for word. */
  private static final class Model {

    private final int size;
    private final Set<Long> seen = new HashSet<>();
    private long highest = -1;

    Model(int size) {
      this.size = size;
    }

    boolean take(long number) {
      if (number <= highest - size || !seen.add(number)) {
        return false;
      }
      highest = Math.max(highest, number);
      return true;
    }
  }

  /** Each sequence of six numbers out of seven. Fails for a window that is off by one, or forgets too much. */
  @ParameterizedTest(name = "a window of {0}")
  @ValueSource(ints = {1, 2, 3, 4, 5})
  @DisplayName("All short sequences are taken as the RFC says")
  void exhaustive(int size) {
    int length = 6;
    int numbers = 7;
    for (int world = 0; world < Math.pow(numbers, length); world++) {
      SequenceWindow window = new SequenceWindow(size);
      Model model = new Model(size);
      int rest = world;
      for (int i = 0; i < length; i++, rest /= numbers) {
        int number = rest % numbers;
        assertThat(window.take(number)).as("world %d, number %d at %d", world, number, i).isEqualTo(model.take(number));
      }
    }
  }

  /** Fails if {@code SequenceWindow.forget} leaves out what a jump has passed. */
  @ParameterizedTest(name = "a window of {0}")
  @ValueSource(ints = {1, 63, 64, 65, 128, 1000})
  @DisplayName("Long sequences with jumps, repetitions and stragglers are taken as the RFC says")
  void random(int size) {
    Random random = new Random(size);
    SequenceWindow window = new SequenceWindow(size);
    Model model = new Model(size);
    long base = 0;
    for (int i = 0; i < 50_000; i++) {
      base += random.nextInt(10) == 0 ? random.nextInt(3 * size) : random.nextInt(3);
      long number = Math.max(0, base - random.nextInt(2 * size));
      assertThat(window.take((int) number)).as("number %d", number).isEqualTo(model.take(number));
    }
  }

  /** Fails if numbers are compared with a sign. */
  @Test
  @DisplayName("Numbers are unsigned, and a jump over all of them takes no longer than the window")
  void unsigned() {
    SequenceWindow window = new SequenceWindow(128);
    assertThat(window.take(1)).isTrue();
    assertThat(window.take(0x7fffffff)).isTrue();
    assertThat(window.take(0x80000000)).isTrue();
    assertThat(window.take(0xffffffff)).isTrue();
    assertThat(window.take(0xffffffff)).isFalse();
    assertThat(window.take(0x7fffffff)).isFalse();
    assertThat(window.take(0xffffffff - 127)).isTrue();
    assertThat(window.take(0xffffffff - 128)).isFalse();
  }

  @Test
  @DisplayName("A window of nothing is refused")
  void size() {
    assertThatIllegalArgumentException().isThrownBy(() -> new SequenceWindow(0));
    assertThat(new SequenceWindow(7).size()).isEqualTo(7);
  }
}
