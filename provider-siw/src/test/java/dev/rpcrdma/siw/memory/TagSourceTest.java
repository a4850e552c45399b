// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an observer of tags can learn from them. */
@DisplayName("siw: steering tags")
final class TagSourceTest {

  private static final int DRAWS = 4096;

  private static int[] draw(TagSource source, int count) {
    int[] tags = new int[count];
    for (int i = 0; i < count; i++) {
      tags[i] = source.next();
    }
    return tags;
  }

  /** Fails if a byte of the tag is left out, or is taken from another one. */
  @Test
  @DisplayName("P-025, R-324: tags are spread over 32 bits")
  void spread() {
    int[] ones = new int[32];
    int[][] equal = new int[32][32];
    for (int tag : draw(new TagSource(), DRAWS)) {
      assertThat(tag).isNotZero();
      for (int bit = 0; bit < 32; bit++) {
        ones[bit] += tag >>> bit & 1;
        for (int other = 0; other < bit; other++) {
          equal[bit][other] += (tag >>> bit ^ tag >>> other) & 1;
        }
      }
    }
    for (int bit = 0; bit < 32; bit++) {
      // Half of them, within ten standard deviations of 32.
      assertThat(ones[bit]).as("bit %d", bit).isBetween(DRAWS / 2 - 320, DRAWS / 2 + 320);
      for (int other = 0; other < bit; other++) {
        assertThat(equal[bit][other]).as("bits %d and %d", bit, other)
            .isBetween(DRAWS / 2 - 320, DRAWS / 2 + 320);
      }
    }
  }

  /** Fails if the source counts, steps, or begins with a seed of its own. */
  @Test
  @DisplayName("P-025, R-324: neither tags nor steps come again, nor does the sequence of a connection")
  void noSteps() {
    Set<Integer> seen = new HashSet<>();
    Set<Integer> steps = new HashSet<>();
    int previous = 0;
    for (int connection = 0; connection < 4; connection++) {
      for (int tag : draw(new TagSource(), DRAWS / 4)) {
        seen.add(tag);
        steps.add(tag - previous);
        previous = tag;
      }
    }
    // Of 4096 in 2^32 two are the same once in 500 runs, four pairs in none that anyone will see.
    assertThat(seen).hasSizeGreaterThan(DRAWS - 4);
    assertThat(steps).hasSizeGreaterThan(DRAWS - 4);
  }

  /** Fails if the numbers are those of a {@code java.util.Random}: two tell all that follow. */
  @Test
  @DisplayName("P-025, R-324: from two tags the next one does not follow as it does of a linear generator")
  void noLinearGenerator() {
    int predicted = 0;
    int[] tags = draw(new TagSource(), 64 * 3);
    for (int i = 0; i + 2 < tags.length; i++) {
      // nextBytes gives the bytes of each number in the other order.
      long first = Integer.reverseBytes(tags[i]);
      for (int low = 0; low < 1 << 16; low++) {
        long second = next(first << 16 | low);
        if ((int) (second >>> 16) == Integer.reverseBytes(tags[i + 1])
            && (int) (next(second) >>> 16) == Integer.reverseBytes(tags[i + 2])) {
          predicted++;
        }
      }
    }
    assertThat(predicted).isZero();
  }

  /** The step of java.util.Random. */
  private static long next(long state) {
    return state * 0x5DEECE66DL + 0xB & (1L << 48) - 1;
  }
}
